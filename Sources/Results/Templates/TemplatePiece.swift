/// A part of a template.
enum TemplatePiece: Hashable, Sendable {
  /// Printed as it is.
  case text([UInt8])
  /// What a field says, and how a date is written.
  case field(TemplateField, DateFormat?)
}
