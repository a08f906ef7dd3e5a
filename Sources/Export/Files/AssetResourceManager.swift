package import AssetLibrary
import Pixels
import SystemPackage
import System

/// Gives out the bytes of resources, as PhotoKit's `PHAssetResourceManager` does.
///
/// No more of a resource is in memory than one chunk, however large it is. Safe from several threads.
package struct AssetResourceManager: Sendable {
  /// The bytes that are in memory at once.
  private static let chunkSize = 1 << 20

  private let store: any OriginalAccess

  package init(_ store: any OriginalAccess) {
    self.store = store
  }

  /// Gives the bytes of a resource in order, chunk by chunk, on the thread of the caller.
  /// - Parameters:
  ///   - cancellation: looked at before each chunk.
  ///   - progress: told how many bytes were given since the last time.
  ///   - receive: takes a chunk, which is valid during the call only.
  /// - Throws: `AssetError` where the resource can't be read, has changed meanwhile, or is shorter than it was; what
  ///   `receive` throws; `.cancelled`.
  package func requestData(
    for resource: AssetResource, cancellation: Cancellation? = nil, progress: (Int) -> Void = { _ in },
    receive: (UnsafeRawBufferPointer) throws(AssetError) -> Void
  ) throws(AssetError) {
    let source = try store.reader(for: resource)
    try copy(source, of: resource, cancellation, progress, receive)
  }

  /// Writes a resource into a new file of a folder: whole under its name, or not at all.
  /// - Returns: false where there is something of that name already; nothing was written then.
  package func writeData(
    for resource: AssetResource, to name: [UInt8], in folder: TargetFolder,
    cancellation: Cancellation? = nil, progress: (Int) -> Void = { _ in }
  ) throws(AssetError) -> Bool {
    let file = try newFile(with: resource, in: folder, cancellation: cancellation, progress: progress)
    guard try file.place(as: name) else { return false }
    folder.synchronize()
    return true
  }

  /// A file with the bytes of a resource that has no name yet.
  /// - Parameter downloaded: hears how many bytes of a resource that is only remote have come, of how many.
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
    // Its descriptor is used behind its last use.
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

  /// What copies of a resource, and what is made of it, have of its file; nil where it is no file.
  /// - Parameter reader: the resource, where it is open already.
  func traits(
    of resource: AssetResource, _ reader: (any ResourceReader)? = nil
  ) throws(AssetError) -> FileTraits? {
    var whole = resource
    // A part of a file has no descriptor, but the date and the rights of that.
    whole.byteRange = nil
    let source = if let reader, resource.byteRange == nil { reader } else { try store.reader(for: whole) }
    // The file is closed with the last reference to its reader.
    var traits = withExtendedLifetime(source) { FileTraits(source.descriptor) }
    // What was brought from a server is private to the cache, whoever may read it there.
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
  /// The user wants no more of it.
  package static let cancelled = AssetError("export", "cancelled")
}

/// What tells that a file was written to.
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
