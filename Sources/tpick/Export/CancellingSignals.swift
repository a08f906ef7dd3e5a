import AssetLibrary
import Dispatch
import Synchronization
import System

/// Has the signals that end a process cancel what it does first; a second one ends it at once.
///
/// Used by one thread; signals arrive on another.
final class CancellingSignals {
  let cancellation = Cancellation()
  private let came: Came
  private let sources: [any DispatchSourceSignal]
  private let before: [(Int32, sighandler_t?)]

  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// The signal that came, 0 = none.
  private final class Came: Sendable {
    let number = Atomic<Int32>(0)
  }

  init() {
    let came = Came()
    self.came = came
    before = Self.numbers.map { ($0, signal($0, SIG_IGN)) }
    let queue = DispatchQueue(label: "tpick.cancelling")
    sources = Self.numbers.map { [cancellation] number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if came.number.exchange(number, ordering: .relaxed) != 0 {
          // What it does waits for something that does not come.
          signal(number, SIG_DFL)
          kill(getpid(), number)
        }
        cancellation.cancel()
      }
      source.resume()
      return source
    }
  }

  /// Signals do again what they did before.
  func end() {
    sources.forEach { $0.cancel() }
    for (number, handler) in before { signal(number, handler) }
  }

  /// Ends the process as the signal would have done that came.
  func dieIfCame() {
    let number = came.number.load(ordering: .relaxed)
    guard number != 0 else { return }
    end()
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }
}
