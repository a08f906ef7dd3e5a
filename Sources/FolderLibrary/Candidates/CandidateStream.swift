package import AssetLibrary
import Dispatch
import Synchronization
import System
package import SystemPackage

/// The paths read from a descriptor.
///
/// A thread of its own reads them, removes duplicates and checks them; the library takes the results.
///
/// Applies backpressure: the thread waits while many results are pending, and with it the writing program.
/// The thread may still be reading when the process exits.
package final class CandidateStream: Sendable {
  /// Why the input can't be used.
  package enum Failure: Error, Equatable {
    /// NUL bytes in newline-separated input.
    case holdsNUL
    case unreadable(String)
    /// None of the paths exists; the error of the last one.
    case nothingThere(AssetError)
  }

  /// The candidates taken at once.
  struct Delivery {
    var candidates: ArraySlice<Candidate> = []
    /// Whether the input has ended and all candidates have been taken.
    var isLast = false
  }

  private struct State {
    var pending: ArraySlice<Candidate> = []
    var isAtEnd = false
    var isReaderHeld = false
    var found = 0
    var failure: Failure?
    var missing: IssueTally
    var skipped: IssueTally
  }

  /// The maximum number of pending candidates.
  private static let mostPending = 1024
  private static let chunkSize = 1 << 16

  /// The number of sources before the stream, in the order in which the sources were given.
  let place: Int
  private let descriptor: Int32
  private let isNulSeparated: Bool
  private let standsAlone: Bool
  private let path: @Sendable ([UInt8]) -> FilePath
  private let files: @Sendable ([UInt8]) -> [FilePath]
  private let probes: MountProbes
  private let news = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)
  private let state: Mutex<State>

  /// - Parameters:
  ///   - descriptor: remains owned by the caller, and stays open.
  ///   - isNulSeparated: whether paths are separated by NUL instead of newline.
  ///   - place: the number of sources named before the stream.
  ///   - standsAlone: whether there is no other source.
  ///   - missing: the other sources that don't exist, to which those of the stream are added. Its limit of
  ///     names per reason also applies to `skipped`.
  ///   - path: converts bytes of the input to a path.
  ///   - files: returns the files that the bytes stand for if they are not the path of a file, such as an
  ///     identifier.
  package convenience init(
    reading descriptor: Int32, isNulSeparated: Bool = false, place: Int = 0, standsAlone: Bool = true,
    missing: IssueTally, path: @escaping @Sendable ([UInt8]) -> FilePath,
    files: @escaping @Sendable ([UInt8]) -> [FilePath]
  ) {
    self.init(
      reading: descriptor, isNulSeparated: isNulSeparated, place: place, standsAlone: standsAlone,
      missing: missing, probes: .shared, path: path, files: files)
  }

  init(
    reading descriptor: Int32, isNulSeparated: Bool = false, place: Int = 0, standsAlone: Bool = true,
    missing: IssueTally = IssueTally(namesKept: 3), probes: MountProbes,
    path: @escaping @Sendable ([UInt8]) -> FilePath = { FilePath(bytes: $0) },
    files: @escaping @Sendable ([UInt8]) -> [FilePath] = { _ in [] }
  ) {
    self.descriptor = descriptor
    self.isNulSeparated = isNulSeparated
    self.place = place
    self.standsAlone = standsAlone
    self.path = path
    self.files = files
    self.probes = probes
    state = Mutex(State(missing: missing, skipped: missing.emptied))
  }

  /// Why the input can't be used; set at its end.
  package var failure: Failure? { state.withLock { $0.failure } }

  /// The named paths that don't exist, so far.
  package var missing: IssueTally { state.withLock { $0.missing } }

  /// The files that are not pictures or can't be read, so far.
  package var skipped: IssueTally { state.withLock { $0.skipped } }

  /// Returns and clears the missing paths, which the caller reports.
  package func takeMissing() -> IssueTally {
    state.withLock { state in
      defer { state.missing = state.missing.emptied }
      return state.missing
    }
  }

  func noteSkipped(_ issue: AssetError) { state.withLock { $0.skipped.add(issue) } }

  /// The number of pending candidates while the thread waits for them to be taken; nil otherwise.
  var heldCount: Int? { state.withLock { $0.isReaderHeld ? $0.pending.count : nil } }

  // MARK: Taking

  /// Takes pending candidates without waiting.
  func take(atMost most: Int) -> Delivery {
    let (delivery, isHeld) = state.withLock { state in
      let taken = state.pending.prefix(most)
      state.pending = state.pending.dropFirst(most)
      if state.pending.isEmpty { state.pending = [] }
      let isHeld = state.isReaderHeld && state.pending.count < Self.mostPending
      if isHeld { state.isReaderHeld = false }
      return (Delivery(candidates: taken, isLast: state.isAtEnd && state.pending.isEmpty), isHeld)
    }
    if isHeld { room.signal() }
    return delivery
  }

  /// Waits until something may have arrived.
  /// - Parameter deadline: nil = no time limit.
  /// - Returns: false if the deadline has passed.
  func wait(until deadline: ContinuousClock.Instant?) -> Bool {
    guard let deadline else {
      news.wait()
      return true
    }
    let time = max(.zero, ContinuousClock.now.duration(to: deadline))
    return news.wait(timeout: .now() + .microseconds(Int(time / .microseconds(1)))) == .success
  }

  /// Ends a wait although nothing has arrived.
  func wake() { news.signal() }

  // MARK: Reading

  /// Starts the reading thread.
  func start() { WorkerThread.run { [self] in end(with: read()) } }

  /// Reads the input to its end.
  private func read() -> Failure? {
    var splitter = PathSplitter(isNulSeparated: isNulSeparated)
    var filter = CandidateFilter(probes: probes, path: path)
    var pace = ReadingPace()
    var buffer = [UInt8](repeating: 0, count: Self.chunkSize)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 {
        let cause = Errno(rawValue: errno)
        switch cause {
        case .interrupted: continue
        case .resourceTemporarilyUnavailable:
          var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          _ = poll(&input, 1, -1)
          continue
        default: return .unreadable("\(cause)")
        }
      }
      if count == 0 { break }
      var hasNews = false
      let isWhole = splitter.take(buffer[..<count]) { hasNews = take($0, by: &filter) || hasNews }
      if !isWhole { return .holdsNUL }
      let pause = pace.pause(afterNews: hasNews)
      if pause > .zero { Waiting.pause(pause) }
    }
    splitter.finish { _ = take($0, by: &filter) }
    return nil
  }

  /// - Returns: whether the path as written is new.
  private func take(_ piece: PathSplitter.Piece, by filter: inout CandidateFilter) -> Bool {
    switch filter.verdict(on: piece) {
    case .seen: return false
    case .known: return true
    case .missing(let issue): takeFiles(of: piece, by: &filter) ?? state.withLock { $0.missing.add(issue) }
    case .candidate(let candidate): put(candidate)
    }
    return true
  }

  /// Adds the files that an entry stands for without being their path (`files`); nil if there are none.
  private func takeFiles(of piece: PathSplitter.Piece, by filter: inout CandidateFilter) -> Void? {
    guard case .path(let bytes) = piece else { return nil }
    let found = files(Array(bytes))
    guard !found.isEmpty else { return nil }
    for file in found {
      switch filter.verdict(on: file) {
      case .candidate(let candidate): put(candidate)
      case .missing(let issue): state.withLock { $0.missing.add(issue) }
      case .seen, .known: break
      }
    }
    return ()
  }

  private func put(_ candidate: Candidate) {
    let (isFirst, isFull) = state.withLock { state in
      state.pending.append(candidate)
      state.found += 1
      state.isReaderHeld = state.pending.count >= Self.mostPending
      return (state.pending.count == 1, state.isReaderHeld)
    }
    if isFirst { news.signal() }
    if isFull { room.wait() }
  }

  private func end(with failure: Failure?) {
    state.withLock { state in
      state.failure = failure
      if failure == nil, standsAlone, state.found == 0, let last = state.missing.popLast() {
        state.failure = .nothingThere(last)
      }
      state.isAtEnd = true
    }
    news.signal()
  }
}

/// Throttles a reader: no pause while new paths arrive, growing pauses while only repetitions do.
///
/// `yes FILE` writes as fast as it is read. A finite list with repetitions is read before the pauses become
/// noticeable.
struct ReadingPace {
  private static let step: Duration = .microseconds(20)
  static let longest: Duration = .milliseconds(5)

  private var pause: Duration = .zero

  /// Returns the pause after a chunk of input.
  /// - Parameter hasNews: whether the chunk contained a new path.
  mutating func pause(afterNews hasNews: Bool) -> Duration {
    pause = hasNews ? .zero : min(pause + Self.step, Self.longest)
    return pause
  }
}

/// A named path that exists.
struct Candidate: Sendable {
  enum Kind: Sendable {
    /// A file in the folder with this identity.
    case file(folder: FileIdentity)
    case folder(FileIdentity)
    /// A path that does not respond.
    ///
    /// It is treated as a folder and retried.
    case silent
  }

  var path: FilePath
  var kind: Kind
}

/// Splits a byte stream, which arrives in arbitrary chunks, into paths.
///
/// Buffers at most one partial path, up to the maximum length of a path.
struct PathSplitter {
  /// One path of the stream.
  enum Piece: Equatable {
    case path(ArraySlice<UInt8>)
    /// The first bytes of an entry that is longer than any path.
    case overlong(ArraySlice<UInt8>)
  }

  /// Linux allows paths of up to 4096 bytes; in a URI, each byte may take three.
  static let longest = 16384

  private let separator: UInt8
  /// The buffered part of a path whose end has not arrived.
  private(set) var beginning: [UInt8] = []

  /// - Parameter isNulSeparated: whether paths are separated by NUL instead of newline.
  init(isNulSeparated: Bool) {
    separator = isNulSeparated ? 0 : 0x0A
  }

  /// Processes a chunk and passes each completed path to `body`; skips empty ones.
  /// - Returns: false if newline-separated input contains a NUL. Paths before it were passed on.
  mutating func take(_ bytes: ArraySlice<UInt8>, _ body: (Piece) -> Void) -> Bool {
    var rest = bytes
    while let end = rest.firstIndex(where: { $0 == separator || $0 == 0 }) {
      if rest[end] != separator { return false }
      give(rest[..<end], body)
      rest = rest[(end + 1)...]
    }
    keep(rest)
    return true
  }

  /// Passes on the last path, which may lack a separator.
  mutating func finish(_ body: (Piece) -> Void) { give([], body) }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    // One byte more than the maximum shows that it is too long.
    beginning += bytes.prefix(Self.longest + 1 - beginning.count)
  }

  private mutating func give(_ end: ArraySlice<UInt8>, _ body: (Piece) -> Void) {
    var path = end
    if !beginning.isEmpty {
      keep(end)
      path = beginning[...]
      beginning = []
    }
    if path.isEmpty { return }
    body(path.count > Self.longest ? .overlong(path.prefix(Self.longest)) : .path(path))
  }
}
