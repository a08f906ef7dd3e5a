/// What is drawn in one cell: a pattern and its two colours.
struct BlockCell: Equatable {
  /// A bit for every part in front, as in `BlockGlyphs`; 0 = the cell is all back.
  var pattern: UInt32 = 0
  /// Red, green and blue from the lowest byte on, or an index into the palette.
  var front: UInt32 = 0
  var back: UInt32 = 0
}
