#if canImport(Glibc)
  import Glibc
#endif

/// The characters of the process's locale.
package enum TerminalLocale {
  /// Takes the environment's locale.
  ///
  /// Without one ("C") the terminal is taken for one that speaks UTF-8, as practically all do. Not safe beside
  /// other threads that use the locale: call it first.
  package static func adopt() {
    setlocale(LC_ALL, "")
    if !isUTF8, ["C", "POSIX"].contains(String(cString: setlocale(LC_CTYPE, nil))) {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
  }

  /// Whether the characters are Unicode's in UTF-8.
  package static var isUTF8: Bool {
    nl_langinfo(Int32(CODESET)).map { String(cString: $0) } == "UTF-8"
  }
}
