/// What the numbers of a decoded picture mean, as its file says.
package enum ColorSource: Hashable, Sendable {
  /// Colours of sRGB, or nothing said, which is taken for the same.
  case sRGB
  /// An ICC profile.
  case profile(ColorProfile)
  /// Colours by their primaries and a power law, as PNG's gAMA and cHRM give them.
  case chromaticities(Chromaticities)
  /// Code points of ITU-T H.273, as PNG's cICP gives them.
  case coded(CodedColors)
}

extension ColorSource {
  /// What an ICC profile says; sRGB where there are no bytes, or more than a profile has.
  init(profile bytes: UnsafeRawBufferPointer) { self = ColorProfile(bytes).map(Self.profile) ?? .sRGB }
}
