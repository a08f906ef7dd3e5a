package import AssetLibrary
import System

extension SearchVocabulary {
  /// The words of the environment's language.
  ///
  /// Asks for the locale without adopting it, so that runs without a screen may have it too.
  package static var ofProcess: SearchVocabulary {
    let language = language(ProcessEnvironment.value("LC_ALL", "LC_MESSAGES", "LANG"))
    guard let locale = newlocale(LC_CTYPE_MASK | LC_TIME_MASK, "", nil) else {
      return SearchVocabulary(language: language)
    }
    defer { freelocale(locale) }
    func words(_ items: [Int]) -> [String] {
      items.compactMap { item in
        nl_langinfo_l(Int32(item), locale).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
      }
    }
    let names = words([
      MON_1, MON_2, MON_3, MON_4, MON_5, MON_6, MON_7, MON_8, MON_9, MON_10, MON_11, MON_12,
    ])
    // As they are called without a day, in languages that tell the two apart.
    let alone = words((0..<12).map { Int(__ALTMON_1) + $0 })
    let short = words([
      ABMON_1, ABMON_2, ABMON_3, ABMON_4, ABMON_5, ABMON_6, ABMON_7, ABMON_8, ABMON_9, ABMON_10, ABMON_11,
      ABMON_12,
    ])
    guard names.count == 12, short.count == 12 else { return SearchVocabulary(language: language) }
    return SearchVocabulary(
      monthNames: alone.count == 12 ? alone + names : names, shortMonthNames: short, language: language)
  }

  /// The code of the language in the name of a locale: "de" of "de_AT.UTF-8".
  static func language(_ locale: String) -> String {
    String(locale.prefix { $0.isASCII && $0.isLetter }).lowercased()
  }
}

private enum ProcessEnvironment {
  /// The first of some variables that is set and not empty; empty if none is.
  static func value(_ names: String...) -> String {
    names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty } ?? ""
  }
}
