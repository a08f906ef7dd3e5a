/// Who reads files of a format.
package enum FormatReader: Hashable, Sendable {
  case builtIn
  /// `tpick-codecs`, because it takes a heavy library.
  case helper
}
