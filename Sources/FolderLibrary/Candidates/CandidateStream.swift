package import AssetLibrary
import Dispatch
import Synchronization
import System
package import SystemPackage

/// The paths that come through a descriptor, as they come: read, freed from repetitions and looked for on a thread of its
/// own, taken by the library.
///
/// The thread waits while many have not been taken, and so does whoever writes. It may be reading when the process ends.
package final class CandidateStream: Sendable {
  /// Why nothing can be made of the input.
  package enum Failure: Error, Equatable {
    /// NUL bytes where newlines are the separators.
    case holdsNUL
    case unreadable(String)
    /// Not one of the paths leads anywhere; the last of them.
    case nothingThere(AssetError)
  }

  /// What has come.
  struct Delivery {
    var candidates: ArraySlice<Candidate> = []
    /// Whether nothing more will come.
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

  /// So many wait to be taken.
  private static let mostPending = 1024
  private static let chunkSize = 1 << 16

  /// How many sources were named before the stream: they come first in the order of the sources.
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
  ///   - descriptor: stays the caller's, and open.
  ///   - isNulSeparated: NUL stands between the paths in place of a newline.
  ///   - place: how many sources were named before the stream.
  ///   - standsAlone: whether there is no other source.
  ///   - missing: other sources that are not there, counted with those of the stream; of each reason as many are kept by
  ///     name as it keeps.
  ///   - path: the path that bytes mean.
  ///   - files: the files that bytes mean otherwise, where there is nothing at their path.
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

  /// Why nothing can be made of the input; known when it is at its end.
  package var failure: Failure? { state.withLock { $0.failure } }

  /// What was named and is not there, so far.
  package var missing: IssueTally { state.withLock { $0.missing } }

  /// What is there and no picture, or can't be read, so far.
  package var skipped: IssueTally { state.withLock { $0.skipped } }

  /// Forgets what is not there, which was told.
  package func takeMissing() -> IssueTally {
    state.withLock { state in
      defer { state.missing = state.missing.emptied }
      return state.missing
    }
  }

  func noteSkipped(_ issue: AssetError) { state.withLock { $0.skipped.add(issue) } }

  /// How many the thread has read ahead, where it waits for them to be taken.
  var heldCount: Int? { state.withLock { $0.isReaderHeld ? $0.pending.count : nil } }

  // MARK: Taking

  /// Takes what has come, without waiting.
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

  /// Waits until something may have come.
  /// - Parameter deadline: nil = for as long as it takes.
  /// - Returns: false when the time is up.
  func wait(until deadline: ContinuousClock.Instant?) -> Bool {
    guard let deadline else {
      news.wait()
      return true
    }
    let time = max(.zero, ContinuousClock.now.duration(to: deadline))
    return news.wait(timeout: .now() + .microseconds(Int(time / .microseconds(1)))) == .success
  }

  /// Ends a wait, although nothing has come.
  func wake() { news.signal() }

  // MARK: Reading

  /// Begins to read.
  func start() { WorkerThread.run { [self] in end(with: read()) } }

  /// Reads to the end.
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

  /// - Returns: whether the path is new as it is written.
  private func take(_ piece: PathSplitter.Piece, by filter: inout CandidateFilter) -> Bool {
    switch filter.verdict(on: piece) {
    case .seen: return false
    case .known: return true
    case .missing(let issue): takeFiles(of: piece, by: &filter) ?? state.withLock { $0.missing.add(issue) }
    case .candidate(let candidate): put(candidate)
    }
    return true
  }

  /// Takes what a line without a file at its path stands for; nil if that is nothing.
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

/// How long a reader pauses between two pieces of its input: not at all while paths come that are new, longer and longer
/// while none does.
///
/// `yes FILE` writes as fast as it is read. Repetitions of a list that has an end are read before the pauses count.
struct ReadingPace {
  private static let step: Duration = .microseconds(20)
  static let longest: Duration = .milliseconds(5)

  private var pause: Duration = .zero

  /// What to wait after a piece.
  /// - Parameter hasNews: whether a path in it was new.
  mutating func pause(afterNews hasNews: Bool) -> Duration {
    pause = hasNews ? .zero : min(pause + Self.step, Self.longest)
    return pause
  }
}

/// A path that was named and leads somewhere.
struct Candidate: Sendable {
  enum Kind: Sendable {
    /// A file of the folder with this identity.
    case file(folder: FileIdentity)
    case folder(FileIdentity)
    /// What does not answer is taken for a folder, as which it is looked for again.
    case silent
  }

  var path: FilePath
  var kind: Kind
}

/// Takes a stream of bytes apart into paths, in whatever pieces the bytes come.
///
/// Keeps the beginning of one path at most, and no more of it than a path can be long.
struct PathSplitter {
  /// One path of the stream.
  enum Piece: Equatable {
    case path(ArraySlice<UInt8>)
    /// The beginning of what is longer than any path.
    case overlong(ArraySlice<UInt8>)
  }

  /// Linux takes paths of up to 4096 bytes; in a URI each of them may be three.
  static let longest = 16384

  private let separator: UInt8
  /// The beginning of a path whose end has not come.
  private(set) var beginning: [UInt8] = []

  /// - Parameter isNulSeparated: NUL stands between paths in place of a newline.
  init(isNulSeparated: Bool) {
    separator = isNulSeparated ? 0 : 0x0A
  }

  /// Takes the next bytes, and gives each path that ends in them; empty ones are left out.
  /// - Returns: false where a NUL stands among bytes that newlines separate. What stood before it was given.
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

  /// Gives the last path, which no separator need follow.
  mutating func finish(_ body: (Piece) -> Void) { give([], body) }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    // One byte more than a path has tells that it is none.
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
