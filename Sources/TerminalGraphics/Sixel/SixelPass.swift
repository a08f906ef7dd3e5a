/// One way from left to right through a band.
struct SixelPass {
  /// The colour painted last.
  var color: UInt8 = 0
  /// The sixel that is being repeated, without its offset; 0 = the pass is free.
  var mask: UInt8 = 0
  /// The column where the sixel began, or where the pass became free.
  var start: Int32 = 0
  /// Where its next byte goes.
  var end = 0
}
