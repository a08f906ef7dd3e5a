import AssetLibrary
import Dispatch
import Synchronization

/// Prints the selection as it changes, on a separate queue so that a slow reader does not block the picker.
///
/// While one selection is being written, only the latest of the following ones is kept.
final class SelectionReport: Sendable {
  private struct State {
    var unsent: [Asset]?
    var isWriting = false
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "tpick.report")
  private let print: @Sendable ([Asset]) -> Void

  /// - Parameter print: called serially on the report's queue.
  init(print: @escaping @Sendable ([Asset]) -> Void) {
    self.print = print
  }

  /// Enqueues a selection without blocking.
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

  /// Waits until the last selection is written; `send` must not be called meanwhile.
  func finish() { queue.sync {} }
}
