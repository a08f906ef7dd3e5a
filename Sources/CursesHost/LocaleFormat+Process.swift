import PickerUI

#if canImport(Glibc)
  import Glibc
#endif

extension LocaleFormat {
  /// How numbers and dates are written in the locale of the process.
  static var ofProcess: LocaleFormat {
    var format = LocaleFormat()
    if let facts = localeconv()?.pointee {
      format.groupingSeparator = String(cString: facts.thousands_sep)
      format.decimalSeparator = String(cString: facts.decimal_point)
    }
    let names = [
      ABMON_1, ABMON_2, ABMON_3, ABMON_4, ABMON_5, ABMON_6, ABMON_7, ABMON_8, ABMON_9, ABMON_10, ABMON_11,
      ABMON_12,
    ]
    format.months = names.enumerated().map { index, name in
      let text = nl_langinfo(Int32(name)).map { String(cString: $0) } ?? ""
      return text.isEmpty ? format.months[index] : text
    }
    return format
  }
}
