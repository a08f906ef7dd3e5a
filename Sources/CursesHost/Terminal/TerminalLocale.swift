#if canImport(Glibc)
  import Glibc
#endif

/// The characters of the process's locale.
package enum TerminalLocale {
  /// Takes the environment's locale.
  ///
  /// Without one, or with one that is not installed, the terminal is taken for one that speaks UTF-8, as practically
  /// all do; `LC_ALL=C` asks for ASCII. Not safe beside other threads that use the locale: call it first.
  package static func adopt() {
    setlocale(LC_ALL, "")
    let standard = ["C", "POSIX"]
    if let asked = getenv("LC_ALL"), standard.contains(String(cString: asked)) { return }
    if !isUTF8, standard.contains(String(cString: setlocale(LC_CTYPE, nil))) {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
  }

  /// Whether the characters are Unicode's in UTF-8.
  package static var isUTF8: Bool {
    nl_langinfo(Int32(CODESET)).map { String(cString: $0) } == "UTF-8"
  }
}
