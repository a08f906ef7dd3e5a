import FileChooser
import System

/// A call of the file chooser that waits for its answer.
final class ChooserCall {
  /// What another process finds out about files first.
  struct Question {
    var process: ChildProgram
    /// When no answer is waited for any more.
    var deadline: UInt64
    /// Goes on with the answer; no answer is none that says yes.
    var then: (Bool) -> Void
  }

  /// Who serves it.
  enum Server {
    case question(Question)
    case window(TerminalWindow)
    /// Another service, with what takes its answer.
    case backend(String, BusSlot)
  }

  let message: BusMessage
  let request: ChooserRequest
  var server: Server?
  /// The other file choosers that are still to be asked.
  var backends: ArraySlice<String>
  /// The object by which it can be ended; it goes with the call.
  var slot: BusSlot?

  init(_ message: BusMessage, _ request: ChooserRequest, backends: [String]) {
    self.message = message
    self.request = request
    self.backends = backends[...]
  }

  var question: Question? { if case .question(let question) = server { question } else { nil } }
  var window: TerminalWindow? { if case .window(let window) = server { window } else { nil } }
}
