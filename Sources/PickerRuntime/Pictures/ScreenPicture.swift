import TerminalGraphics

/// The bytes of a picture for the screen, and which ones they are.
struct ScreenPicture: Hashable, Sendable {
  /// Other bytes have another number.
  var version: UInt64
  var encoded: EncodedPicture
  /// Whether it stands for a moment only.
  var isTransient = false
}
