/// The mean colours of the parts of one row of cells, in planes: part by part, channel by channel, the cells
/// one after the other.
///
/// A view into the sampler's storage, valid only while the row is being drawn.
struct CellSamples {
  let planes: UnsafeMutablePointer<Float>
  /// From one plane to the next; a multiple of a vector's lanes, the surplus is zero.
  let stride: Int
  let columns: Int
  /// The parts of a cell.
  let parts: Int

  /// A channel (0 red, 1 green, 2 blue) of a part of eight cells side by side.
  func lanes(part: Int, channel: Int, from column: Int) -> SIMD8<Float> {
    UnsafeRawPointer(planes + ((part * 3 + channel) * stride + column))
      .loadUnaligned(as: SIMD8<Float>.self)
  }

  /// The colour of a part of one cell; the last lane is zero.
  func color(part: Int, column: Int) -> SIMD4<Float> {
    let red = planes + (part * 3 * stride + column)
    return SIMD4(red[0], red[stride], red[2 * stride], 0)
  }
}
