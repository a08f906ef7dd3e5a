import System

/// The characters of the process's locale.
package enum TerminalLocale {
  /// The locales that have ASCII alone.
  private static let standard = ["C", "POSIX"]

  /// Takes the environment's locale.
  ///
  /// Without one, or with one that is not installed, the terminal is taken for one that speaks UTF-8, as practically
  /// all do; `LC_ALL=C` asks for ASCII. Not safe beside other threads that use the locale: call it first.
  package static func adopt() {
    setlocale(LC_ALL, "")
    if let asked = getenv("LC_ALL"), standard.contains(String(cString: asked)) { return }
    if !isUTF8, standard.contains(String(cString: setlocale(LC_CTYPE, nil))) {
      setlocale(LC_CTYPE, "C.UTF-8")
    }
  }

  /// Whether the characters would be Unicode's in UTF-8 once the environment's locale were adopted.
  ///
  /// The process's locale stays as it is: safe on any thread.
  package static var environmentIsUTF8: Bool {
    if let asked = getenv("LC_ALL"), standard.contains(String(cString: asked)) { return false }
    guard let locale = newlocale(LC_CTYPE_MASK, "", nil) else { return true }
    defer { freelocale(locale) }
    let characters = nl_langinfo_l(Int32(CODESET), locale).map { String(cString: $0) }
    // The locale of no name is the standard one.
    return characters == "UTF-8" || characters == "ANSI_X3.4-1968"
  }

  /// Whether the characters are Unicode's in UTF-8.
  package static var isUTF8: Bool {
    nl_langinfo(Int32(CODESET)).map { String(cString: $0) } == "UTF-8"
  }
}
