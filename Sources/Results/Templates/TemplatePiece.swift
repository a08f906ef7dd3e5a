/// A part of a template.
enum TemplatePiece: Hashable, Sendable {
  /// Printed as it is.
  case text([UInt8])
  /// What a field says, how a date is written, and for whom it is quoted.
  case field(TemplateField, DateFormat?, TemplateQuoting?)
}

/// Who reads a value: it is quoted so that this one gets it as it is, whatever is in it.
package enum TemplateQuoting: String, CaseIterable, Sendable {
  /// A POSIX shell: one word.
  case sh
  /// As `--format json` has the value: a string, a number, true or false, a list; null where it is not known.
  case json
  /// RFC 4180: one field of a line.
  case csv
}
