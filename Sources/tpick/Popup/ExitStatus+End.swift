import System

extension ExitStatus {
  /// Ends the program.
  func end() -> Never {
    PopupGuest.current?.answer(.status(rawValue))
    exit(rawValue)
  }
}
