package import AssetLibrary
import CNcurses
import PickerUI
import System
import TerminalGraphics

/// Properties of the terminal from the terminfo database.
package enum TerminalDescription {
  /// Number of colors for text; 256, which nearly all terminals have, if the database lacks the terminal.
  ///
  /// Don't use it while ncurses has a screen, because both would use the same terminfo entry in memory.
  package static var colorCount: Int {
    var status: Int32 = 0
    guard setupterm(nil, 1, &status) == OK else { return 256 }
    return count(of: max(0, Int(tigetnum("colors"))))
  }

  /// Returns the number of colors for text, given terminfo's `colors` for the current terminal: true color if
  /// the entry has tmux's flag `Tc` or ncurses' `RGB` in any of its forms.
  static func count(of colors: Int) -> Int {
    guard colors >= 8 else { return colors }
    let says = tigetflag("Tc") > 0 || tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || hasString("RGB")
    return says ? max(colors, 1 << 24) : colors
  }

  private static func hasString(_ name: String) -> Bool {
    // -1 means not a string, NULL means missing.
    guard let text = tigetstr(name) else { return false }
    return Int(bitPattern: text) != -1
  }

  /// Opens a terminal that the database lacks with a built-in description: nearly all modern terminals
  /// support what xterm with 256 colors does.
  /// - Returns: nil if ncurses cannot open it.
  static func takeSubstitute(
    _ output: UnsafeMutablePointer<FILE>, _ input: UnsafeMutablePointer<FILE>
  ) -> OpaquePointer? {
    tpick_newterm_described(substituteName, "TERMINFO=" + substitute, output, input)
  }

  /// The terminal type that replaces one missing in the database.
  static let substituteName = "xterm-256color"

  /// Its compiled entry, which ncurses from 6.1 on accepts in place of a folder (`infocmp -q -Q2
  /// xterm-256color`, ncurses 6.4).
  private static let substitute = """
    b64:HgIlAB0ADwBxAVQGeHRlcm0tMjU2Y29sb3J8eHRlcm0gd2l0aCAyNTYgY29sb3JzAAABAAABAAAAAQAAAAAB\
    AQAAAAAAAAABAAABAAEBUAAAAAgAAAAYAAAA____________________________________________________\
    _wABAAAAAAEAAAAEAAYACAAZAB4AJgAqAC4A__85AEoATABQAFcA__9ZAGYA__9qAG4AeAB8AP____-AAIQAiQCO\
    AP__oAClAKoA__-vALQAuQC-AMcAywDSAP__5ADpAO8A9QD_______8HAf_______xkB__8dAf_______x8B__8k\
    Af__________KAEsATIBNgE6AT4BRAFKAVABVgFcAWAB__9lAf__aQFuAXMBdwF-Af__hQGJAZEB____________\
    _________________5kBogGrAf__rgG3AcAByQHSAdsB5AHtAfYB_wH_______8IAgwCEQIWAioCMwL_____RQJI\
    AlMCVgJYAlsCuAL__7sC__________-9AsECxQLJAs0C_____9EC__8GA_____8KAxAD_____________xYD____\
    _________xoDHgP__________________________________________________________________yID____\
    _ykD__________8wAzcDPgP_____RQP__0wD________UwP_____________WgNgA2YDbQN0A3sDggOKA5IDmgOi\
    A6oDsgO6A8IDyQPQA9cD3gPmA-4D9gP-AwYEDgQWBB4EJQQsBDMEOgRCBEoEUgRaBGIEagRyBHoEgQSIBI8ElgSe\
    BKYErgS2BL4ExgTOBNYE3QTkBOsE8AT_________________________________________________________\
    __cEAgUHBRoFHgUnBS4F_____________________________4wF________________________kQX_________\
    ____________________________________________lwWoBf____________________________-6Bf______\
    _74F_QX__________________z0GG1taAAcADQAbWyVpJXAxJWQ7JXAyJWRyABtbM2cAG1tIG1sySgAbW0sAG1tK\
    ABtbJWklcDElZEcAG1slaSVwMSVkOyVwMiVkSAAKABtbSAAbWz8yNWwACAAbWz8xMmwbWz8yNWgAG1tDABtbQQAb\
    Wz8xMjsyNWgAG1tQABtbTQAbKDAAG1s1bQAbWzFtABtbPzEwNDloG1syMjswOzB0ABtbMm0AG1s0aAAbWzhtABtb\
    N20AG1s3bQAbWzRtABtbJXAxJWRYABsoQgAbKEIbW20AG1s_MTA0OWwbWzIzOzA7MHQAG1s0bAAbWzI3bQAbWzI0\
    bQAbWz81aCQ8MTAwLz4bWz81bAAbWyFwG1s_Mzs0bBtbNGwbPgAbW0wAfwAbWzN-ABtPQgAbT1AAG1syMX4AG09R\
    ABtPUgAbT1MAG1sxNX4AG1sxN34AG1sxOH4AG1sxOX4AG1syMH4AG09IABtbMn4AG09EABtbNn4AG1s1fgAbT0MA\
    G1sxOzJCABtbMTsyQQAbT0EAG1s_MWwbPgAbWz8xaBs9ABtbPzEwMzRsABtbPzEwMzRoABtFABtbJXAxJWRQABtb\
    JXAxJWRNABtbJXAxJWRCABtbJXAxJWRAABtbJXAxJWRTABtbJXAxJWRMABtbJXAxJWREABtbJXAxJWRDABtbJXAx\
    JWRUABtbJXAxJWRBABtbaQAbWzRpABtbNWkAJXAxJWMbWyVwMiV7MX0lLSVkYgAbYxtdMTA0BwAbWyFwG1s_Mzs0\
    bBtbNGwbPgAbOAAbWyVpJXAxJWRkABs3AAoAG00AJT8lcDkldBsoMCVlGyhCJTsbWzAlPyVwNiV0OzElOyU_JXA1\
    JXQ7MiU7JT8lcDIldDs0JTslPyVwMSVwMyV8JXQ7NyU7JT8lcDQldDs1JTslPyVwNyV0OzglO20AG0gACQAbT3cA\
    G095ABtPdQAbT3EAG09zAGBgYWFmZmdnaWlqamtrbGxtbW5ub29wcHFxcnJzc3R0dXV2dnd3eHh5eXp6e3t8fH19\
    fn4AG1taABtbPzdoABtbPzdsABtPRQAbT0YAG09NABtbMzsyfgAbWzE7MkYAG1sxOzJIABtbMjsyfgAbWzE7MkQA\
    G1s2OzJ-ABtbNTsyfgAbWzE7MkMAG1syM34AG1syNH4AG1sxOzJQABtbMTsyUQAbWzE7MlIAG1sxOzJTABtbMTU7\
    Mn4AG1sxNzsyfgAbWzE4OzJ-ABtbMTk7Mn4AG1syMDsyfgAbWzIxOzJ-ABtbMjM7Mn4AG1syNDsyfgAbWzE7NVAA\
    G1sxOzVRABtbMTs1UgAbWzE7NVMAG1sxNTs1fgAbWzE3OzV-ABtbMTg7NX4AG1sxOTs1fgAbWzIwOzV-ABtbMjE7\
    NX4AG1syMzs1fgAbWzI0OzV-ABtbMTs2UAAbWzE7NlEAG1sxOzZSABtbMTs2UwAbWzE1OzZ-ABtbMTc7Nn4AG1sx\
    ODs2fgAbWzE5OzZ-ABtbMjA7Nn4AG1syMTs2fgAbWzIzOzZ-ABtbMjQ7Nn4AG1sxOzNQABtbMTszUQAbWzE7M1IA\
    G1sxOzNTABtbMTU7M34AG1sxNzszfgAbWzE4OzN-ABtbMTk7M34AG1syMDszfgAbWzIxOzN-ABtbMjM7M34AG1sy\
    NDszfgAbWzE7NFAAG1sxOzRRABtbMTs0UgAbWzFLABtbPzY5bAAbWyVpJWQ7JWRSABtbNm4AG1s_JVs7MDEyMzQ1\
    Njc4OV1jABtbYwAbWzM5OzQ5bQAbXTEwNAcAG100OyVwMSVkO3JnYjolcDIlezI1NX0lKiV7MTAwMH0lLyUyLjJY\
    LyVwMyV7MjU1fSUqJXsxMDAwfSUvJTIuMlgvJXA0JXsyNTV9JSolezEwMDB9JS8lMi4yWBtcABtbM20AG1syM20A\
    G1s_NjloG1slaSVwMSVkcwAbWz82OWgbWyVpOyVwMSVkcwAbWzwAG1slPyVwMSV7OH0lPCV0MyVwMSVkJWUlcDEl\
    ezE2fSU8JXQ5JXAxJXs4fSUtJWQlZTM4OzU7JXAxJWQlO20AG1slPyVwMSV7OH0lPCV0NCVwMSVkJWUlcDElezE2\
    fSU8JXQxMCVwMSV7OH0lLSVkJWU0ODs1OyVwMSVkJTttABtbPzY5aBtbJWklcDElZDslcDIlZHMA
    """
}

extension LocaleFormat {
  /// Format of numbers and dates in the locale of the process.
  static var ofProcess: LocaleFormat {
    var format = LocaleFormat()
    if let facts = localeconv()?.pointee {
      format.groupingSeparator = String(cString: facts.thousands_sep)
      format.decimalSeparator = String(cString: facts.decimal_point)
    }
    format.months = words(
      [
        ABMON_1, ABMON_2, ABMON_3, ABMON_4, ABMON_5, ABMON_6, ABMON_7, ABMON_8, ABMON_9, ABMON_10, ABMON_11,
        ABMON_12,
      ], else: format.months)
    format.monthNames = words(
      [MON_1, MON_2, MON_3, MON_4, MON_5, MON_6, MON_7, MON_8, MON_9, MON_10, MON_11, MON_12],
      else: format.monthNames)
    format.weekdays = words([DAY_1, DAY_2, DAY_3, DAY_4, DAY_5, DAY_6, DAY_7], else: format.weekdays)
    return format
  }

  /// Returns the locale's names of some days or months.
  private static func words(_ items: [Int], else standard: [String]) -> [String] {
    zip(items, standard).map { item, word in
      let text = nl_langinfo(Int32(item)).map { String(cString: $0) } ?? ""
      return text.isEmpty ? word : text
    }
  }
}

extension SearchVocabulary {
  /// The vocabulary of the environment's language.
  ///
  /// Queries the locale without setting it, so that runs without a screen can use it too.
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
    // Month names as used without a day, in languages that distinguish the two.
    let alone = words((0..<12).map { Int(__ALTMON_1) + $0 })
    let short = words([
      ABMON_1, ABMON_2, ABMON_3, ABMON_4, ABMON_5, ABMON_6, ABMON_7, ABMON_8, ABMON_9, ABMON_10, ABMON_11,
      ABMON_12,
    ])
    guard names.count == 12, short.count == 12 else { return SearchVocabulary(language: language) }
    return SearchVocabulary(
      monthNames: alone.count == 12 ? alone + names : names, shortMonthNames: short, language: language)
  }

  /// Returns the language code in the name of a locale: "de" for "de_AT.UTF-8".
  static func language(_ locale: String) -> String {
    String(locale.prefix { $0.isASCII && $0.isLetter }).lowercased()
  }
}

private enum ProcessEnvironment {
  /// Returns the first of some variables that is set and not empty; otherwise an empty string.
  static func value(_ names: String...) -> String {
    names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty } ?? ""
  }
}

extension TerminalError {
  static func unknownTerminal(_ name: String) -> TerminalError {
    .unusable(
      name.isEmpty
        ? "TERM is not set, and the terminal does not answer; try TERM=xterm-256color tpick"
        : "terminal '\(name)': not known to ncurses, and it does not answer; try TERM=xterm-256color tpick")
  }

  static func poorTerminal(_ name: String) -> TerminalError {
    .unusable("terminal '\(name)': it cannot move the cursor")
  }
}
