import CLCMS

/// How the samples of pixels lie that are to be brought to sRGB.
enum ColorLayout: Hashable, Sendable {
  /// RGBA; greys are given as colours, too.
  case colors
  /// CMYK, a full sample for full ink.
  case inks
  /// CMYK, a full sample for no ink.
  case invertedInks

  /// Little CMS's name for it.
  var format: UInt32 {
    switch self {
    case .colors: CLCMS_RGBA.rawValue
    case .inks: CLCMS_CMYK.rawValue
    case .invertedInks: CLCMS_INVERTED_CMYK.rawValue
    }
  }
}
