import AssetLibrary
import Dispatch
import Synchronization

/// Prints the selection as it changes, on a thread of its own: whoever reads may be busy, the picker is not.
///
/// While one selection is being written, only the newest of those that come waits.
final class SelectionReport: Sendable {
  private struct State {
    var unsent: [Asset]?
    var isWriting = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "tpick.report")
  private let print: @Sendable ([Asset]) -> Void

  /// - Parameter print: called on the thread of the report, once at a time.
  init(print: @escaping @Sendable ([Asset]) -> Void) {
    self.print = print
  }

  /// Takes a selection, and returns at once.
  func send(_ assets: [Asset]) {
    let isIdle = state.withLock { state in
      state.unsent = assets
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isIdle {
      queue.async { [self] in
        while let assets = next() { print(assets) }
      }
    }
  }

  private func next() -> [Asset]? {
    state.withLock { state in
      defer { state.unsent = nil }
      state.isWriting = state.unsent != nil
      return state.unsent
    }
  }

  /// Waits until the last selection is written; none may be sent meanwhile.
  func finish() { queue.sync {} }
}
