import AssetLibrary
import Dispatch
import Synchronization
import SystemPackage

/// Calls to the system about folders, for which nobody waits for ever: a dead network disk answers none.
///
/// A call that is given up stays where it is until the system lets it go; its folder is not asked about again before.
/// Used by one thread at a time.
final class FolderCalls: Sendable {
  private struct State {
    var queue = FolderCalls.makeQueue()
    var stuck: Set<FilePath> = []
  }

  /// Longer than a disk takes that has to wake up.
  static let usualPatience = DispatchTimeInterval.seconds(10)

  private let patience: DispatchTimeInterval
  private let prepare: @Sendable (FilePath) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - patience: how long a call is waited for.
  ///   - prepare: is called before each call, where it may block; tests stand in for a dead disk with it.
  init(
    patience: DispatchTimeInterval = usualPatience, prepare: @escaping @Sendable (FilePath) -> Void = { _ in }
  ) {
    self.patience = patience
    self.prepare = prepare
  }

  private static func makeQueue() -> DispatchQueue { DispatchQueue(label: "tpick.scan.folders") }

  /// What a call about a folder answers.
  /// - Throws: what it throws; a transient `AssetError` where it does not answer.
  func answer<Answer: Sendable>(
    about path: FilePath, _ call: @escaping @Sendable () throws(AssetError) -> Answer
  ) throws(AssetError) -> Answer {
    let silence = AssetError(path.displayString, "does not answer", isTransient: true)
    let (queue, isStuck) = state.withLock { ($0.queue, $0.stuck.contains(path)) }
    if isStuck { throw silence }
    let ending = CallEnding<Answer>()
    let end = DispatchSemaphore(value: 0)
    queue.async { [self] in
      prepare(path)
      let result: Result<Answer, AssetError>
      do throws(AssetError) {
        result = .success(try call())
      } catch {
        result = .failure(error)
      }
      if !ending.finish(result) { state.withLock { _ = $0.stuck.remove(path) } }
      end.signal()
    }
    if end.wait(timeout: .now() + patience) == .timedOut {
      // The queue behind the call is lost until it comes back.
      state.withLock { state in
        if ending.giveUp() {
          state.stuck.insert(path)
          state.queue = Self.makeQueue()
        }
      }
    }
    guard let result = ending.result else { throw silence }
    return try result.get()
  }
}

/// What became of one call; asked and told from two threads.
private final class CallEnding<Answer: Sendable>: Sendable {
  private struct State {
    var result: Result<Answer, AssetError>?
    var isGivenUp = false
  }

  private let state = Mutex(State())

  var result: Result<Answer, AssetError>? { state.withLock { $0.isGivenUp ? nil : $0.result } }

  /// - Returns: whether somebody still waits.
  func finish(_ result: Result<Answer, AssetError>) -> Bool {
    state.withLock { state in
      state.result = result
      return !state.isGivenUp
    }
  }

  /// - Returns: false where the answer came after all.
  func giveUp() -> Bool {
    state.withLock { state in
      state.isGivenUp = state.result == nil
      return state.isGivenUp
    }
  }
}
