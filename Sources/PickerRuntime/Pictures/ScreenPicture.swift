import TerminalGraphics

/// The bytes of a picture for the screen, and which ones they are.
struct ScreenPicture: Hashable, Sendable {
  /// A picture as coarse as it may be for a moment, in few bytes.
  struct Draft: Hashable, Sendable {
    var version: UInt64
    var encoded: EncodedPicture
  }

  /// Other bytes have another number.
  var version: UInt64
  var encoded: EncodedPicture
  /// What goes before it over a slow link; nil = nothing does.
  var draft: Draft?
  /// Whether it stands for a moment only.
  var isTransient = false

  /// What it costs in a cache, in bytes.
  var cost: Int { encoded.cost + (draft?.encoded.cost ?? 0) }
}
