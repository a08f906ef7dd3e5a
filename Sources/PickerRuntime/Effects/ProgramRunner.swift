import Dispatch
package import PickerUI

/// Runs programs of the caller's.
package struct ProgramRunner: Sendable {
  private let run: @Sendable (ProgramRun) -> String?
  /// Programs without the terminal run one after the other.
  private let queue = DispatchQueue(label: "tpick.programs")

  /// - Parameter run: runs a program to its end on any thread, and gives what the user is told if it fails.
  package init(_ run: @escaping @Sendable (ProgramRun) -> String?) {
    self.run = run
  }

  /// Runs a program that has the terminal, to its end.
  /// - Returns: what comes of it.
  func execute(_ run: ProgramRun) -> PickerMessage? { self.run(run).map { .programFailed($0) } }

  /// Runs a program behind the picker.
  func executeSilently(_ run: ProgramRun, deliver: @escaping @Sendable (PickerMessage) -> Void) {
    queue.async { [self] in
      if let message = execute(run) { deliver(message) }
    }
  }
}
