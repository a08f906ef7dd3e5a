/// How much is spent on pictures, from all that the terminal shows to what nearly any link carries.
package enum PictureQuality: Int, CaseIterable, Comparable, Hashable, Sendable {
  /// Text in colours in place of pictures.
  case blocks
  /// Pictures, but none larger than a fraction of a screen.
  case small
  /// Pictures of full size, with the encoder's fastest settings.
  case speed
  /// Pictures as good as they get.
  case full

  package static func < (a: PictureQuality, b: PictureQuality) -> Bool { a.rawValue < b.rawValue }
}
