import AssetLibrary
import Dispatch
import Synchronization

/// Prints changes while the picker is open, on a separate queue so that a slow reader does not block the picker.
///
/// While one state is being written, only the latest of the following ones is kept.
final class SelectionReport: Sendable {
  private struct State {
    var unsent: [Asset]?
    /// Whether the queue is busy.
    var isBusy = false
    var isPrinting = false
    var printed: [Asset] = []
  }

  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "tpick.report")
  private let awaitsReader: Bool
  private let print: @Sendable ([Asset]) -> Bool

  /// - Parameters:
  ///   - awaitsReader: whether each write waits until the reader of standard output has read the previous one.
  ///   - print: called serially on the report's queue; returns false if printing failed.
  init(awaitsReader: Bool = false, print: @escaping @Sendable ([Asset]) -> Bool) {
    self.awaitsReader = awaitsReader
    self.print = print
  }

  /// The assets that were printed last; empty if that failed.
  var lastPrinted: [Asset] { state.withLock(\.printed) }

  /// Enqueues assets without blocking.
  func send(_ assets: [Asset]) {
    let isIdle = state.withLock { state in
      state.unsent = assets
      defer { state.isBusy = true }
      return !state.isBusy
    }
    if isIdle {
      queue.async { [self] in
        repeat {
          // The latest state is chosen only when the reader is ready.
          if awaitsReader { StandardStream.output.waitUntilTaken() }
        } while printNext()
      }
    }
  }

  /// Prints the latest unsent state.
  /// - Returns: whether there is another one.
  private func printNext() -> Bool {
    let next = state.withLock { state in
      defer { state.unsent = nil }
      state.isPrinting = state.unsent != nil
      state.isBusy = state.isPrinting
      return state.unsent
    }
    guard let next else { return false }
    let isPrinted = print(next)
    return state.withLock { state in
      state.printed = isPrinted ? next : []
      state.isPrinting = false
      state.isBusy = state.unsent != nil
      return state.isBusy
    }
  }

  /// Waits until everything is written; `send` must not be called meanwhile.
  /// - Parameter discardsUnsent: whether states that wait for the reader are dropped.
  func finish(discardsUnsent: Bool = false) {
    let isOver = state.withLock { state in
      if discardsUnsent { state.unsent = nil }
      return discardsUnsent && !state.isPrinting
    }
    if !isOver { queue.sync {} }
  }
}
