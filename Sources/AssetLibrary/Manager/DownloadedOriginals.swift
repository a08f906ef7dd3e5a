import Dispatch
import Synchronization
import System
import SystemPackage

/// A store whose originals are fetched over a network by asynchronous code, as with `URLSession`.
///
/// Such a store says in ``DownloadedOriginals`` how one file is fetched, and inherits all of `OriginalAccess`:
/// files are remote until they were downloaded, so requests without `isNetworkAccessAllowed` don't use the network.
public protocol NetworkAssetStore: AssetStore {
  /// The originals that were downloaded, and how to fetch others.
  var originals: DownloadedOriginals { get }
}

extension NetworkAssetStore {
  /// Returns whether the resource was downloaded and is still here.
  public func isLocal(_ resource: AssetResource) -> Bool { originals.isLocal(resource) }

  /// Opens a downloaded resource; throws an error with the code `networkRequired` for others.
  public func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    try originals.reader(for: resource)
  }

  /// Fetches a resource; the calling thread waits, but no thread of Swift's pool.
  public func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError) { try originals.download(resource, progress: progress) }

  /// Fetches a resource into an open file; the calling thread waits, but no thread of Swift's pool.
  public func download(
    _ resource: AssetResource, into descriptor: Int32, progress: (Double) -> DownloadDecision
  ) throws(AssetError) { try originals.download(resource, into: descriptor, progress: progress) }

  /// Fetches a resource; no thread waits.
  public func loadOriginal(
    of resource: AssetResource, progressHandler: (@Sendable (Double) -> Void)?
  ) async throws(AssetError) { try await originals.load(resource, progressHandler: progressHandler) }

  /// Returns whether the resource fits into the limit of the downloaded originals.
  public func hasRoom(for resource: AssetResource) -> Bool { originals.hasRoom(for: resource) }

  /// Keeps a resource once it is downloaded.
  public func hold(_ resource: AssetResource) { originals.hold(resource) }

  /// Undoes one `hold`.
  public func release(_ resource: AssetResource) { originals.release(resource) }

  /// Returns no details: the default of stores that read no camera settings.
  public func details(of asset: Asset) throws(AssetError) -> AssetDetails { AssetDetails() }
}

/// Originals that asynchronous code fetches over a network, kept in unnamed temporary files while there is room.
///
/// The files end with the program. All methods may be called from any thread.
///
///     let originals = DownloadedOriginals { resource, file in
///       let (bytes, _) = try await URLSession.shared.data(from: address(of: resource))
///       try file.write(bytes)
///     }
public final class DownloadedOriginals: Sendable {
  /// Fetches a whole file and writes its bytes, in one part or several.
  ///
  /// It is called in a task, which is cancelled when the download is stopped. Errors other than `AssetError` count
  /// as transient.
  public typealias Fetch = @Sendable (_ resource: AssetResource, _ file: OriginalFile) async throws -> Void

  private struct Entry {
    var file: TemporaryOriginal
    var lastUse: UInt64
  }

  private struct State {
    var entries: [FilePath: Entry] = [:]
    var byteCount = 0
    var clock: UInt64 = 0
    var holds: [FilePath: Int] = [:]

    mutating func remove(_ path: FilePath) {
      guard let entry = entries.removeValue(forKey: path) else { return }
      byteCount -= entry.file.count
    }
  }

  /// The number of files kept at once: each needs a descriptor, of which a process often has only 1024.
  private static let mostFiles = 256
  /// How long a thread waits for progress before it asks again whether to go on.
  private static let patience = DispatchTimeInterval.milliseconds(200)

  /// The total size of the kept files in bytes; one file, or held files, may exceed it.
  public let limit: Int
  private let fetch: Fetch
  private let state = Mutex(State())

  /// Creates an empty set of originals.
  /// - Parameters:
  ///   - limit: the total size of the kept files in bytes; the files that were not used for the longest time are
  ///     removed first. No more than 256 files are kept, unless more are held.
  ///   - fetch: fetches a file.
  public init(limit: Int = 1 << 30, fetch: @escaping Fetch) {
    (self.limit, self.fetch) = (limit, fetch)
  }

  /// Returns whether the file of a resource is here.
  public func isLocal(_ resource: AssetResource) -> Bool {
    state.withLock { $0.entries[resource.path] != nil }
  }

  /// Opens the file of a resource.
  /// - Throws: `AssetError` with the code `networkRequired` if it is not here.
  public func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader {
    let file = state.withLock { state -> TemporaryOriginal? in
      state.clock += 1
      state.entries[resource.path]?.lastUse = state.clock
      return state.entries[resource.path]?.file
    }
    guard let file else {
      throw AssetError(
        resource.subject, "its original is not on this machine", code: .networkRequired, isTransient: true)
    }
    return resource.byteRange.map { ResourcePart(of: file, $0) } ?? file
  }

  /// Fetches the file of a resource unless it is here, without blocking a thread.
  ///
  /// Cancelling the task stops the download.
  /// - Parameters:
  ///   - resource: the resource; if it is a part of a file, the whole file is fetched.
  ///   - progressHandler: receives the downloaded fraction, from 0 to 1, on any thread.
  /// - Throws: `AssetError` if the download fails, or with the code `cancelled`.
  public func load(
    _ resource: AssetResource, progressHandler: (@Sendable (Double) -> Void)? = nil
  ) async throws(AssetError) {
    if isLocal(resource) { return }
    let file = try TemporaryOriginal(for: resource)
    try await run(resource, OriginalFile(file.descriptorOfFile, for: resource, progress: progressHandler))
    insert(file, for: resource)
  }

  /// Removes the file of a resource that has changed on the server.
  public func invalidate(_ resource: AssetResource) { state.withLock { $0.remove(resource.path) } }

  // MARK: For threads

  func download(_ resource: AssetResource, progress: (Double) -> DownloadDecision) throws(AssetError) {
    if isLocal(resource) { return }
    let file = try TemporaryOriginal(for: resource)
    try download(resource, into: file.descriptorOfFile, progress: progress)
    insert(file, for: resource)
  }

  /// Runs the fetch in a task, and calls `progress` on the calling thread: also several times with the same fraction
  /// while nothing arrives, so that a download without progress can be stopped.
  func download(
    _ resource: AssetResource, into descriptor: Int32, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {
    let relay = Relay()
    let file = OriginalFile(descriptor, for: resource) { fraction in
      relay.news.withLock { $0.fraction = fraction }
      relay.signal.signal()
    }
    // On Swift's pool, like all code of the program that embeds the library; tpick has no such stores.
    let task = Task {
      let result: Result<Void, AssetError>
      do throws(AssetError) {
        result = .success(try await self.run(resource, file))
      } catch {
        result = .failure(error)
      }
      relay.news.withLock { $0.result = result }
      relay.signal.signal()
    }
    var fraction = 0.0
    while true {
      _ = relay.signal.wait(timeout: .now() + Self.patience)
      let news = relay.news.withLock { news in
        defer { news.fraction = nil }
        return news
      }
      if let result = news.result { return try result.get() }
      fraction = news.fraction ?? fraction
      if progress(fraction) == .stop {
        // The fetch may go on for a while, but writes nothing any more.
        file.close()
        task.cancel()
        throw .cancelled(resource.subject)
      }
    }
  }

  /// What the task of a download tells the thread that waits for it.
  private final class Relay: Sendable {
    struct News {
      var fraction: Double?
      var result: Result<Void, AssetError>?
    }

    let news = Mutex(News())
    let signal = DispatchSemaphore(value: 0)
  }

  private func run(_ resource: AssetResource, _ file: OriginalFile) async throws(AssetError) {
    var whole = resource
    whole.byteRange = nil
    defer { file.close() }
    do {
      try await fetch(whole, file)
      if Task.isCancelled { throw CancellationError() }
    } catch let error as AssetError {
      throw error
    } catch {
      if Task.isCancelled || error is CancellationError { throw .cancelled(resource.subject) }
      throw AssetError(resource.subject, "\(error)", isTransient: true)
    }
  }

  private func insert(_ file: TemporaryOriginal, for resource: AssetResource) {
    state.withLock { state in
      state.remove(resource.path)
      state.clock += 1
      state.entries[resource.path] = Entry(file: file, lastUse: state.clock)
      state.byteCount += file.count
      let removable = state.entries.filter { $0.key != resource.path && state.holds[$0.key] == nil }
      for (path, _) in removable.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        if state.byteCount <= limit, state.entries.count <= Self.mostFiles { break }
        state.remove(path)
      }
    }
  }

  func hasRoom(for resource: AssetResource) -> Bool { resource.byteCount <= limit }

  func hold(_ resource: AssetResource) { state.withLock { $0.holds[resource.path, default: 0] += 1 } }

  func release(_ resource: AssetResource) {
    state.withLock { state in
      guard let count = state.holds[resource.path] else { return }
      state.holds[resource.path] = count > 1 ? count - 1 : nil
    }
  }
}

/// The file that receives a download.
public final class OriginalFile: Sendable {
  private struct State {
    var descriptor: Int32?
    var byteCount: Int64 = 0
  }

  private let resource: AssetResource
  private let progress: (@Sendable (Double) -> Void)?
  private let state: Mutex<State>

  init(_ descriptor: Int32, for resource: AssetResource, progress: (@Sendable (Double) -> Void)?) {
    state = Mutex(State(descriptor: descriptor))
    (self.resource, self.progress) = (resource, progress)
  }

  /// Appends bytes, and reports the progress, derived from the length of the resource.
  /// - Parameter bytes: such as Foundation's `Data`.
  /// - Throws: `AssetError` if the disk is full, or with the code `cancelled` if the download was stopped.
  public func write(_ bytes: some Sequence<UInt8>) throws(AssetError) {
    let bytes = Array(bytes)
    let result = state.withLock { state -> Result<Int64, AssetError> in
      guard let descriptor = state.descriptor else { return .failure(.cancelled(resource.subject)) }
      if let error = PrivateFile.write(bytes, to: descriptor) {
        return .failure(AssetError(resource.subject, "\(error)", isTransient: true))
      }
      state.byteCount += Int64(bytes.count)
      return .success(state.byteCount)
    }
    let byteCount = try result.get()
    // The range is a part of the file, whose length is unknown then.
    guard resource.byteRange == nil, resource.byteCount > 0 else { return }
    progress?(min(1, Double(byteCount) / Double(resource.byteCount)))
  }

  /// Later writes fail.
  func close() { state.withLock { $0.descriptor = nil } }
}

/// A file without a name, which is gone with its last reference.
private final class TemporaryOriginal: ResourceReader {
  let descriptorOfFile: Int32
  private let subject: String

  init(for resource: AssetResource) throws(AssetError) {
    let named = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    let folder = named.isEmpty ? "/tmp" : named
    let path = FilePath(folder).appending("original-\(UInt64.random(in: 0 ... .max))")
    subject = resource.subject
    do throws(Errno) {
      descriptorOfFile = try PrivateFile.open(path, O_RDWR | O_CREAT | O_EXCL)
    } catch {
      throw AssetError(folder, "\(error)", isTransient: true)
    }
    // The file exists as long as it is open.
    _ = path.withPlatformString { unlink($0) }
  }

  deinit { close(descriptorOfFile) }

  var descriptor: Int32? { descriptorOfFile }

  var count: Int {
    var facts = stat()
    return fstat(descriptorOfFile, &facts) == 0 ? Int(facts.st_size) : 0
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptorOfFile, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw AssetError(subject, "\(Errno(rawValue: errno))", isTransient: true) }
      if count == 0 { break }
      done += count
    }
    return done
  }
}
