import AssetLibrary
import SystemPackage
import Synchronization

/// Adds the candidates of a stream to the library as they arrive.
///
/// Used only by the scan thread.
final class CandidateIntake: Sendable {
  /// The sources added so far.
  struct Taken {
    var folders: [FilePath] = []
    var files: [LibrarySources.NamedFiles] = []
  }

  private struct State {
    var folders: [FileIdentity: NamedFolder] = [:]
    /// The folders of named files, in the order of their first file.
    var order: [FileIdentity] = []
    /// Folders that were named and have been walked.
    var walked: [FilePath] = []
    /// Paths that did not respond or could not be opened for the moment.
    var late: [FilePath] = []
    /// The number of candidates added.
    var count = 0
    var isOver = false
  }

  /// The first batch is small so that photos appear at once; later batches grow.
  private static let firstPiece = 32
  private static let largestPiece = 512

  /// The input counts as paused after this time without data.
  private static let pause: Duration = .milliseconds(500)

  private let stream: CandidateStream
  private let state = Mutex(State())

  init(_ stream: CandidateStream) {
    self.stream = stream
  }

  /// Starts reading.
  func start() { stream.start() }

  /// Wakes the scan thread while it waits for input, because the scan was stopped.
  func wake() { stream.wake() }

  /// The sources to scan again.
  ///
  /// Paths that did not respond are not included; `run` retries them.
  var taken: Taken {
    state.withLock { state in
      Taken(
        folders: state.walked,
        files: state.order.compactMap { state.folders[$0]?.files }.filter { !$0.spellings.isEmpty })
    }
  }

  /// Adds all candidates until the end of the input or until the scan is stopped.
  /// - Parameter finish: called when the input pauses, for work that is not done file by file.
  func run(_ context: ScanContext, _ walk: inout FolderWalk, finish: () -> Void) {
    let model = context.model
    retryLate(context, &walk)
    var isUnfinished = false
    var most = Self.firstPiece
    while !context.control.isCancelled, !state.withLock({ $0.isOver }) {
      let delivery = stream.take(atMost: most)
      if !delivery.candidates.isEmpty {
        take(delivery.candidates, context, &walk)
        model.announce()
        isUnfinished = true
        most = min(most * 2, Self.largestPiece)
      } else if delivery.isLast {
        end(context, &walk)
      } else if let due = model.nextNotificationDate {
        if !stream.wait(until: due) { model.announce() }
      } else if !stream.wait(until: isUnfinished ? .now + Self.pause : nil) {
        finish()
        isUnfinished = false
      }
    }
  }

  private func end(_ context: ScanContext, _ walk: inout FolderWalk) {
    if let failure = stream.failure {
      context.model.change { $0.unavailabilityReason = AssetError("standard input", failure.reason) }
      context.model.announce(now: true)
    }
    retryLate(context, &walk)
    state.withLock { $0.isOver = true }
  }

  /// Retries the paths that did not respond; each one may block up to its own timeout.
  private func retryLate(_ context: ScanContext, _ walk: inout FolderWalk) {
    let late = state.withLock { state in
      defer { state.late = [] }
      return state.late
    }
    var candidates: [Candidate] = []
    for path in late {
      let folder = path.removingLastComponent()
      if !context.probes.answers(path, within: MountProbes.shortPatience) {
        state.withLock { $0.late.append(path) }
        walk.walk(path, parent: nil, depth: 0, isHidden: false)
      } else if path.isFolder, let identity = FileIdentity(of: path) {
        candidates.append(Candidate(path: path, kind: .folder(identity)))
      } else if path.fileType != nil, let identity = FileIdentity(of: folder.isEmpty ? "." : folder) {
        candidates.append(Candidate(path: path, kind: .file(folder: identity)))
      }
    }
    if !candidates.isEmpty { take(candidates[...], context, &walk) }
  }

  private func take(
    _ candidates: ArraySlice<Candidate>, _ context: ScanContext, _ walk: inout FolderWalk
  ) {
    var files: [(folder: FileIdentity, paths: [FilePath])] = []
    var places: [FileIdentity: Int] = [:]
    var folders: [FilePath] = []
    let count = state.withLock { state in
      defer { state.count += candidates.count }
      return state.count
    }
    context.model.change { state in
      for (place, candidate) in candidates.enumerated() {
        state.given.add(candidate.path.bytes, place: stream.place + count + place)
      }
    }
    for candidate in candidates {
      switch candidate.kind {
      case .file(let folder):
        if let place = places[folder] {
          files[place].paths.append(candidate.path)
        } else {
          places[folder] = files.count
          files.append((folder, [candidate.path]))
        }
      case .folder(let identity): if !walk.hasVisited(identity) { folders.append(candidate.path) }
      case .silent:
        state.withLock { $0.late.append(candidate.path) }
        context.model.change { $0.note(MountProbes.silence(of: candidate.path).description) }
      }
    }
    for (index, (folder, paths)) in files.enumerated() {
      add(paths, of: folder, context, isAwaited: count == 0 && index == 0)
    }
    for path in folders {
      state.withLock { $0.walked.append(path) }
      if context.control.isCancelled { continue }
      context.loadIndex(below: [path])
      walk.walk(path, parent: nil, depth: 0, isHidden: false)
    }
  }

  private func add(_ paths: [FilePath], of identity: FileIdentity, _ context: ScanContext, isAwaited: Bool) {
    state.withLock { state in
      if state.folders[identity] == nil { state.order.append(identity) }
      do throws(AssetError) {
        try state.folders[identity, default: NamedFolder()].add(paths, context, isAwaited: isAwaited) {
          [stream] in stream.noteSkipped($0)
        }
      } catch {
        if error.isTransient { state.late += paths }
        context.model.change { $0.issues[nil, default: []].append(error) }
      }
    }
  }
}

extension CandidateStream.Failure {
  /// The reason as it appears after the subject and a colon.
  fileprivate var reason: String {
    switch self {
    case .holdsNUL: "contains NUL bytes; use --read0"
    case .unreadable(let reason): reason
    case .nothingThere(let last): last.description
    }
  }
}
