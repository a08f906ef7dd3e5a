package import AssetLibrary
import Pixels
import SystemPackage
import System

/// Reads the bytes of resources, as PhotoKit's `PHAssetResourceManager` does.
///
/// Only one chunk of a resource is in memory at a time. Safe to use from several threads.
package struct AssetResourceManager: Sendable {
  /// The size of a chunk in bytes.
  private static let chunkSize = 1 << 20

  private let store: any OriginalAccess

  package init(_ store: any OriginalAccess) {
    self.store = store
  }

  /// Reads a resource chunk by chunk on the calling thread.
  /// - Parameters:
  ///   - cancellation: checked before each chunk.
  ///   - progress: receives the number of bytes since the last call.
  ///   - receive: receives a chunk, which is valid only during the call.
  /// - Throws: `AssetError` if the resource can't be read, changed meanwhile, or is shorter than expected;
  ///   errors of `receive`; `.cancelled`.
  package func requestData(
    for resource: AssetResource, cancellation: Cancellation? = nil, progress: (Int) -> Void = { _ in },
    receive: (UnsafeRawBufferPointer) throws(AssetError) -> Void
  ) throws(AssetError) {
    let source = try store.reader(for: resource)
    try copy(source, of: resource, cancellation, progress, receive)
  }

  /// Reads a resource chunk by chunk, without blocking the caller's thread; downloads it first if it is remote.
  ///
  /// The next chunk is read when `receive` has returned. Cancelling the task stops reading.
  /// - Parameters:
  ///   - mayDownload: whether a remote resource may be downloaded.
  ///   - progressHandler: receives the fraction that was read, from 0 to 1; of a remote resource, half of it is the
  ///     download.
  ///   - receive: receives the chunks in order.
  /// - Throws: as the method that blocks; errors of `receive`.
  package func requestData(
    for resource: AssetResource, mayDownload: Bool, progressHandler: (@Sendable (Double) -> Void)?,
    receive: @Sendable ([UInt8]) async throws -> Void
  ) async throws {
    let cancellation = Cancellation()
    try await withTaskCancellationHandler {
      let isRemote = !store.isLocal(resource)
      if isRemote {
        guard mayDownload else {
          throw AssetError(
            resource.subject, "its original is not on this machine, and the network may not be used",
            code: .networkRequired)
        }
        try await WorkerThread.value {
          Result { () throws(AssetError) in
            try store.download(resource) { fraction in
              progressHandler?(fraction / 2)
              return cancellation.isCancelled ? .stop : .proceed
            }
          }
        }.get()
      }
      let source = try await WorkerThread.value {
        Result { () throws(AssetError) in try store.reader(for: resource) }
      }.get()
      var offset = 0
      while offset < source.count {
        if cancellation.isCancelled { throw AssetError.cancelled }
        let range = offset..<min(offset + Self.chunkSize, source.count)
        let chunk = try await WorkerThread.value {
          Result { () throws(AssetError) in try source.bytes(in: range) }
        }.get()
        guard !chunk.isEmpty else { throw Self.changed(resource) }
        try await receive(chunk)
        offset += chunk.count
        let fraction = Double(offset) / Double(source.count)
        progressHandler?(isRemote ? (1 + fraction) / 2 : fraction)
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Writes a resource into a new file: completely under its name, or not at all.
  /// - Returns: false if the name is taken; nothing was written then.
  package func writeData(
    for resource: AssetResource, to name: [UInt8], in folder: TargetFolder,
    cancellation: Cancellation? = nil, progress: (Int) -> Void = { _ in }
  ) throws(AssetError) -> Bool {
    let file = try newFile(with: resource, in: folder, cancellation: cancellation, progress: progress)
    guard try file.place(as: name) else { return false }
    folder.synchronize()
    return true
  }

  /// Creates a file with the bytes of a resource, without a name yet.
  /// - Parameter downloaded: receives the number of downloaded bytes of a remote resource, and their total.
  func newFile(
    with resource: AssetResource, in folder: TargetFolder, cancellation: Cancellation?,
    downloaded: (_ bytes: Int64, _ byteCount: Int64) -> Void = { _, _ in }, progress: (Int) -> Void
  ) throws(AssetError) -> NewFile {
    guard store.isLocal(resource) else {
      let file = try NewFile(in: folder, for: resource.subject)
      let count = resource.byteCount
      try store.download(resource, into: file.descriptor) { fraction in
        downloaded(Int64(saturating: fraction * Double(count)), count)
        return cancellation?.isCancelled ?? false ? .stop : .proceed
      }
      var traits = FileTraits(file.descriptor)
      traits?.mode = nil
      try file.finish(like: traits)
      return file
    }
    let source = try store.reader(for: resource)
    // Keep the reader alive: its descriptor is used after its last use.
    defer { withExtendedLifetime(source) {} }
    let traits = try traits(of: resource, source)
    let file = try NewFile(in: folder, for: resource.subject)
    let before = source.descriptor.flatMap(FileMoment.init)
    if let descriptor = source.descriptor, file.clone(descriptor) {
      progress(source.count)
    } else {
      try copy(source, of: resource, cancellation, progress) { bytes throws(AssetError) in
        try file.write(bytes)
      }
    }
    guard source.descriptor.flatMap(FileMoment.init) == before else { throw Self.changed(resource) }
    try file.finish(like: traits)
    return file
  }

  /// Returns the file attributes for copies of a resource and for conversions; nil if the resource is not a
  /// file.
  /// - Parameter reader: the reader of the resource, if it is already open.
  func traits(
    of resource: AssetResource, _ reader: (any ResourceReader)? = nil
  ) throws(AssetError) -> FileTraits? {
    var whole = resource
    // A part of a file has no descriptor; use the date and the permissions of the whole file.
    whole.byteRange = nil
    let source = if let reader, resource.byteRange == nil { reader } else { try store.reader(for: whole) }
    // The file is closed with the last reference to its reader.
    var traits = withExtendedLifetime(source) { FileTraits(source.descriptor) }
    // Downloaded files are private to the cache, so their mode is not the original's.
    if resource.remoteAddress != nil { traits?.mode = nil }
    return traits
  }

  private func copy(
    _ source: any ResourceReader, of resource: AssetResource, _ cancellation: Cancellation?,
    _ progress: (Int) -> Void, _ receive: (UnsafeRawBufferPointer) throws(AssetError) -> Void
  ) throws(AssetError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(Self.chunkSize, max(1, source.count)), alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while offset < source.count {
      if cancellation?.isCancelled ?? false { throw .cancelled }
      let count = try source.read(at: offset, into: buffer)
      guard count > 0 else { throw Self.changed(resource) }
      let wanted = min(count, source.count - offset)
      try receive(UnsafeRawBufferPointer(rebasing: buffer[..<wanted]))
      offset += wanted
      progress(wanted)
    }
  }

  private static func changed(_ resource: AssetResource) -> AssetError {
    AssetError(resource.subject, "changed while it was copied")
  }
}

extension AssetError {
  /// The user cancelled the operation.
  package static let cancelled = AssetError("export", "cancelled", code: .cancelled)
}

/// The attributes that reveal a write to a file.
private struct FileMoment: Equatable {
  var size: off_t
  var seconds: time_t
  var nanoseconds: Int

  init?(_ descriptor: Int32) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { return nil }
    size = facts.st_size
    (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
  }
}
