/// What a number in a date is filled up with, by the flag that GNU's `strftime` has for it.
enum DatePadding: UInt8, Hashable, Sendable {
  /// `-`
  case none = 0x2D
  /// `_`
  case blanks = 0x5F
  /// `0`
  case zeros = 0x30
}
