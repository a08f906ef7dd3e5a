public import AssetLibrary
import Pixels
public import SystemPackage
import System

/// Reads the bytes of resources, as PhotoKit's `PHAssetResourceManager` does.
///
/// Only one chunk of a resource is in memory at a time. Safe to use from several threads.
///
///     try await library.resourceManager.writeData(for: resource, toFile: "/tmp/copy.jpg")
public struct AssetResourceManager: Sendable {
  /// The size of a chunk in bytes.
  private static let chunkSize = 1 << 20

  private let store: any OriginalAccess
  /// Throws if the client may not read a resource; may wait for a disk.
  private let check: (@Sendable (AssetResource) throws(AssetError) -> Void)?

  /// Creates a manager that reads all resources of a store.
  ///
  /// A client with limited access gets `PhotoLibrary.resourceManager` instead.
  public init(_ store: any OriginalAccess) {
    self.init(store, check: nil)
  }

  /// - Parameter check: throws if the client may not read a resource.
  package init(
    _ store: any OriginalAccess, check: (@Sendable (AssetResource) throws(AssetError) -> Void)?
  ) {
    (self.store, self.check) = (store, check)
  }

  /// Reads a resource chunk by chunk on the calling thread.
  /// - Parameters:
  ///   - cancellation: checked before each chunk.
  ///   - progress: receives the number of bytes since the last call.
  ///   - receive: receives a chunk, which is valid only during the call.
  /// - Throws: `AssetError` if the resource can't be read, changed meanwhile, or is shorter than expected;
  ///   errors of `receive`; `.cancelled`.
  package func readData(
    for resource: AssetResource, cancellation: Cancellation? = nil, progress: (Int) -> Void = { _ in },
    receive: (UnsafeRawBufferPointer) throws(AssetError) -> Void
  ) throws(AssetError) {
    let source = try store.reader(for: resource)
    try copy(source, of: resource, cancellation, progress, receive)
  }

  /// Reads a resource chunk by chunk, without blocking the caller's thread.
  ///
  /// A chunk has up to 1 MiB; the next one is read when `receive` has returned. Cancelling the task stops reading.
  /// - Parameters:
  ///   - resource: a file of an asset.
  ///   - isNetworkAccessAllowed: whether a remote original may be downloaded.
  ///   - progressHandler: receives the completed fraction, from 0 to 1, on any thread; if the resource is
  ///     downloaded, that is the first half.
  ///   - receive: receives the chunks in order.
  /// - Throws: `AssetError` if the resource can't be read or changes meanwhile, or with the codes `networkRequired`,
  ///   `accessDenied` and `cancelled`; errors of `receive`.
  public func requestData(
    for resource: AssetResource, isNetworkAccessAllowed: Bool = false,
    progressHandler: (@Sendable (Double) -> Void)? = nil,
    receive: @Sendable ([UInt8]) async throws -> Void
  ) async throws {
    if let check {
      try await WorkerThread.value { Result { () throws(AssetError) in try check(resource) } }.get()
    }
    let isRemote = !store.isLocal(resource)
    if isRemote {
      try refuseNetwork(resource, unless: isNetworkAccessAllowed)
      store.hold(resource)
    }
    defer { if isRemote { store.release(resource) } }
    if isRemote {
      try await store.loadOriginal(
        of: resource,
        progressHandler: progressHandler.map { report in { @Sendable fraction in report(fraction / 2) } })
    }
    let source = try await store.loadReader(for: resource)
    let before = source.descriptor.flatMap(FileMoment.init)
    var offset = 0
    while offset < source.count {
      if Task.isCancelled { throw AssetError.cancelled }
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
    guard withExtendedLifetime(source, { source.descriptor.flatMap(FileMoment.init) }) == before else {
      throw Self.changed(resource)
    }
  }

  /// Reads a resource chunk by chunk in the background:
  /// PhotoKit's `requestData(for:options:dataReceivedHandler:completionHandler:)`.
  /// - Parameters:
  ///   - resource: a file of an asset.
  ///   - isNetworkAccessAllowed: whether a remote original may be downloaded.
  ///   - progressHandler: receives the completed fraction, from 0 to 1, on any thread.
  ///   - dataReceivedHandler: receives the chunks in order; if it throws, reading ends.
  ///   - completionHandler: called once at the end, with the error if there was one.
  /// - Returns: stops reading: PhotoKit's `cancelDataRequest(_:)`.
  @discardableResult
  public func requestData(
    for resource: AssetResource, isNetworkAccessAllowed: Bool = false,
    progressHandler: (@Sendable (Double) -> Void)? = nil,
    dataReceivedHandler: @escaping @Sendable ([UInt8]) throws -> Void,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) -> Cancellation {
    let cancellation = Cancellation()
    inBackground(completionHandler) {
      try read(resource, isNetworkAccessAllowed, cancellation, progressHandler) {
        bytes throws(ReceiverError) in
        do {
          try dataReceivedHandler(Array(bytes))
        } catch {
          throw ReceiverError(cause: error)
        }
      }
    }
    return cancellation
  }

  /// Writes a resource to a new file, without blocking the caller's thread: PhotoKit's
  /// `writeData(for:toFile:options:)`.
  ///
  /// The file appears complete, or not at all. Cancelling the task stops writing.
  /// - Parameters:
  ///   - resource: a file of an asset.
  ///   - path: the path of the new file, in an existing folder.
  ///   - isNetworkAccessAllowed: whether a remote original may be downloaded.
  ///   - progressHandler: receives the completed fraction, from 0 to 1, on any thread.
  /// - Throws: `AssetError` if the file exists, or can't be written, and as for `requestData`.
  public func writeData(
    for resource: AssetResource, toFile path: FilePath, isNetworkAccessAllowed: Bool = false,
    progressHandler: (@Sendable (Double) -> Void)? = nil
  ) async throws(AssetError) {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await WorkerThread.value {
        Result { () throws(AssetError) in
          try write(resource, path, isNetworkAccessAllowed, cancellation, progressHandler)
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    try result.get()
  }

  /// Writes a resource to a new file in the background: PhotoKit's
  /// `writeData(for:toFile:options:completionHandler:)`.
  /// - Parameters:
  ///   - resource: a file of an asset.
  ///   - path: the path of the new file, in an existing folder.
  ///   - isNetworkAccessAllowed: whether a remote original may be downloaded.
  ///   - progressHandler: receives the completed fraction, from 0 to 1, on any thread.
  ///   - completionHandler: called once at the end, with the error if there was one.
  /// - Returns: stops writing.
  @discardableResult
  public func writeData(
    for resource: AssetResource, toFile path: FilePath, isNetworkAccessAllowed: Bool = false,
    progressHandler: (@Sendable (Double) -> Void)? = nil,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) -> Cancellation {
    let cancellation = Cancellation()
    inBackground(completionHandler) {
      try write(resource, path, isNetworkAccessAllowed, cancellation, progressHandler)
    }
    return cancellation
  }

  /// An error of the receiver of chunks, which is no `AssetError`.
  private struct ReceiverError: Error {
    var cause: any Error
  }

  private func inBackground(
    _ completionHandler: @escaping @Sendable ((any Error)?) -> Void,
    _ work: @escaping @Sendable () throws -> Void
  ) {
    WorkerThread.run {
      do {
        try work()
        completionHandler(nil)
      } catch let error as ReceiverError {
        completionHandler(error.cause)
      } catch {
        completionHandler(error)
      }
    }
  }

  /// Reads on the calling thread.
  private func read(
    _ resource: AssetResource, _ mayDownload: Bool, _ cancellation: Cancellation,
    _ progressHandler: (@Sendable (Double) -> Void)?,
    _ receive: (UnsafeRawBufferPointer) throws(ReceiverError) -> Void
  ) throws {
    try check?(resource)
    let isRemote = !store.isLocal(resource)
    if isRemote {
      try refuseNetwork(resource, unless: mayDownload)
      store.hold(resource)
    }
    defer { if isRemote { store.release(resource) } }
    if isRemote {
      try store.download(resource) { fraction in
        progressHandler?(fraction / 2)
        return cancellation.isCancelled ? .stop : .proceed
      }
    }
    let source = try store.reader(for: resource)
    var (done, failure): (Int, ReceiverError?) = (0, nil)
    do throws(AssetError) {
      try copy(
        source, of: resource, cancellation,
        { bytes in
          done += bytes
          let fraction = Double(done) / Double(source.count)
          progressHandler?(isRemote ? (1 + fraction) / 2 : fraction)
        }
      ) { bytes throws(AssetError) in
        do throws(ReceiverError) {
          try receive(bytes)
        } catch {
          failure = error
          throw .cancelled
        }
      }
    } catch {
      if let failure { throw failure }
      throw error
    }
  }

  /// Writes on the calling thread.
  private func write(
    _ resource: AssetResource, _ path: FilePath, _ mayDownload: Bool, _ cancellation: Cancellation,
    _ progressHandler: (@Sendable (Double) -> Void)?
  ) throws(AssetError) {
    try check?(resource)
    if !store.isLocal(resource) { try refuseNetwork(resource, unless: mayDownload) }
    let parent = path.removingLastComponent()
    let folder = try TargetFolder(parent.isEmpty ? "." : parent, mode: nil)
    var done: Int64 = 0
    let file = try newFile(
      with: resource, in: folder, cancellation: cancellation,
      downloaded: { bytes, count in progressHandler?(count > 0 ? Double(bytes) / Double(count) : 0) },
      progress: { bytes in
        done += Int64(bytes)
        progressHandler?(resource.byteCount > 0 ? min(1, Double(done) / Double(resource.byteCount)) : 1)
      })
    if cancellation.isCancelled { throw .cancelled }
    guard try file.place(as: path.nameBytes) else {
      throw AssetError(path.string, "exists already")
    }
    folder.synchronize()
  }

  private func refuseNetwork(_ resource: AssetResource, unless mayDownload: Bool) throws(AssetError) {
    if mayDownload { return }
    throw AssetError(
      resource.subject, "its original is not on this machine, and the network may not be used",
      code: .networkRequired)
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
    let before = source.descriptor.flatMap(FileMoment.init)
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
    guard withExtendedLifetime(source, { source.descriptor.flatMap(FileMoment.init) }) == before else {
      throw Self.changed(resource)
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
