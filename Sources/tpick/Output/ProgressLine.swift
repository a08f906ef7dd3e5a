import Dispatch
import Synchronization

/// A line on standard error that says how far long work has come, where that is a terminal.
///
/// Calls may come from any thread.
final class ProgressLine: Sendable {
  private struct State {
    var width = 0
    var shown: ContinuousClock.Instant?
  }

  /// The shortest time between two changes of the line.
  private static let interval: Duration = .milliseconds(100)

  private let isShown: Bool
  private let state = Mutex(State())

  init(isQuiet: Bool) { isShown = !isQuiet && StandardStream.error.isTerminal }

  /// Shows a text with what part of the work is done, unless another was shown a moment ago.
  func show(_ text: String, _ fraction: Double) {
    guard isShown else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if let shown = state.shown, now - shown < Self.interval { return }
      state.shown = now
      write("\(text) (\(Int(fraction * 100)) %)", &state)
    }
  }

  /// Does something and shows meanwhile how far it has come.
  /// - Parameter fraction: what part is done; nil where that is not known.
  func follow(
    _ text: String, _ fraction: @escaping @Sendable () -> Double?, _ work: () -> Void
  ) {
    guard isShown else { return work() }
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "tpick.progress"))
    timer.schedule(deadline: .now() + .milliseconds(100), repeating: .milliseconds(100))
    timer.setEventHandler { [self] in if let fraction = fraction() { show(text, fraction) } }
    timer.resume()
    work()
    timer.cancel()
  }

  /// Removes the line, and shows no other.
  func clear() {
    guard isShown else { return }
    state.withLock { state in
      if state.width > 0 { write("", &state) }
      // A change that is still under way comes too early for ever.
      state.shown = .now + .seconds(1 << 30)
    }
  }

  /// Writes over what stands in the line; an empty text leaves the cursor at its beginning.
  private func write(_ text: String, _ state: inout State) {
    let padding = String(repeating: " ", count: max(0, state.width - text.count))
    StandardStream.error.write(Array("\r\(text)\(padding)\(text.isEmpty ? "\r" : "")".utf8))
    state.width = text.count
  }
}
