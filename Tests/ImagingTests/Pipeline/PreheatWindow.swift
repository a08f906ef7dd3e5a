/// What of a long list of pictures should be ready: what is in sight, and half a screen each way.
///
/// Pure: positions go in, ranges come out.
struct PreheatWindow: Hashable {
  /// The positions in sight.
  var visible: Range<Int>
  /// The positions to be ready before they come into sight, the ones after it first: most go forward.
  var ahead: Range<Int>
  var behind: Range<Int>

  /// - Parameters:
  ///   - first: the first position in sight.
  ///   - columns: positions in a row.
  ///   - rows: rows in sight.
  ///   - count: how many positions there are; ranges end there.
  init(first: Int, columns: Int, rows: Int, count: Int) {
    let all = 0..<max(0, count)
    let end = first + columns * rows
    let around = columns * ((rows + 1) / 2)
    visible = (first..<max(first, end)).clamped(to: all)
    ahead = (end..<end + around).clamped(to: all)
    behind = (first - around..<first).clamped(to: all)
  }
}
