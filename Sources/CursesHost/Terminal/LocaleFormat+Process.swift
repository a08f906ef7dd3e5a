import PickerUI
import System

extension LocaleFormat {
  /// How numbers and dates are written in the locale of the process.
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

  /// What the locale calls some days or months.
  private static func words(_ items: [Int], else standard: [String]) -> [String] {
    zip(items, standard).map { item, word in
      let text = nl_langinfo(Int32(item)).map { String(cString: $0) } ?? ""
      return text.isEmpty ? word : text
    }
  }
}
