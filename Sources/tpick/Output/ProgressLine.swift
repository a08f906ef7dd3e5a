import Dispatch
import Synchronization

/// A line on standard error that shows the progress of long work if that is a terminal.
///
/// Calls may come from any thread.
final class ProgressLine: Sendable {
  private struct State {
    var width = 0
    var shown: ContinuousClock.Instant?
  }

  /// The minimum time between two updates of the line.
  private static let interval: Duration = .milliseconds(100)

  private let isShown: Bool
  private let state = Mutex(State())

  init(isQuiet: Bool) { isShown = !isQuiet && StandardStream.error.isTerminal }

  /// Shows a text with the completed fraction, unless the line was updated a moment ago.
  func show(_ text: String, _ fraction: Double) {
    guard isShown else { return }
    state.withLock { state in
      let now = ContinuousClock.now
      if let shown = state.shown, now - shown < Self.interval { return }
      state.shown = now
      write("\(text) (\(Int(fraction * 100)) %)", &state)
    }
  }

  /// Performs work and shows its progress meanwhile.
  /// - Parameter fraction: returns the completed fraction; nil if unknown.
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

  /// Removes the line, and shows no more.
  func clear() {
    guard isShown else { return }
    state.withLock { state in
      if state.width > 0 { write("", &state) }
      // An update in progress must not show the line again.
      state.shown = .now + .seconds(1 << 30)
    }
  }

  /// Overwrites the line; an empty text leaves the cursor at its start.
  private func write(_ text: String, _ state: inout State) {
    let padding = String(repeating: " ", count: max(0, state.width - text.count))
    StandardStream.error.write(Array("\r\(text)\(padding)\(text.isEmpty ? "\r" : "")".utf8))
    state.width = text.count
  }
}
