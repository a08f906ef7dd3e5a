#if canImport(Glibc)
  import Glibc
#endif

extension ExitStatus {
  /// Ends the program.
  func end() -> Never {
    PopupGuest.current?.answer(.status(rawValue))
    exit(rawValue)
  }
}
