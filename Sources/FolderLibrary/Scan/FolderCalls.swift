import AssetLibrary
import Dispatch
import Synchronization
import SystemPackage

/// System calls on folders with a timeout, since a dead network disk never returns.
///
/// An abandoned call stays blocked until the system releases it; until then its folder is not accessed again.
/// Use from one thread at a time.
final class FolderCalls: Sendable {
  private struct State {
    var queue = FolderCalls.makeQueue()
    var stuck: Set<FilePath> = []
  }

  /// Longer than a sleeping disk takes to wake up.
  static let usualPatience = DispatchTimeInterval.seconds(10)

  private let prepare: @Sendable (FilePath) -> Void
  private let patience: @Sendable (FilePath) -> DispatchTimeInterval
  private let state = Mutex(State())

  /// - Parameters:
  ///   - prepare: called before each call on its thread, where it may block; tests use it to simulate a dead
  ///     disk.
  ///   - patience: returns the timeout of a call on a folder; tests are patient with folders that answer.
  init(
    prepare: @escaping @Sendable (FilePath) -> Void = { _ in },
    patience: @escaping @Sendable (FilePath) -> DispatchTimeInterval = { _ in usualPatience }
  ) {
    self.prepare = prepare
    self.patience = patience
  }

  private static func makeQueue() -> DispatchQueue { DispatchQueue(label: "tpick.scan.folders") }

  /// Runs a call on a folder and returns its result.
  /// - Throws: the error of the call; a transient `AssetError` on a timeout.
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
    if end.wait(timeout: .now() + patience(path)) == .timedOut {
      // The queue is blocked by the call, so later calls use a new one.
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

/// The result of one call, shared by two threads.
private final class CallEnding<Answer: Sendable>: Sendable {
  private struct State {
    var result: Result<Answer, AssetError>?
    var isGivenUp = false
  }

  private let state = Mutex(State())

  var result: Result<Answer, AssetError>? { state.withLock { $0.isGivenUp ? nil : $0.result } }

  /// - Returns: whether the caller is still waiting.
  func finish(_ result: Result<Answer, AssetError>) -> Bool {
    state.withLock { state in
      state.result = result
      return !state.isGivenUp
    }
  }

  /// - Returns: false if the result has arrived after all.
  func giveUp() -> Bool {
    state.withLock { state in
      state.isGivenUp = state.result == nil
      return state.isGivenUp
    }
  }
}
