/// Follows a sixel sequence pixel by pixel, and counts how often each is set.
///
/// Format: DEC VT330/VT340 Programmer Reference, volume 2, chapter 14.
struct SixelCanvas {
  let width: Int
  let height: Int
  /// How often each pixel is set, row by row.
  private(set) var times: [Int]
  /// Whether all colors were defined before use and nothing was painted outside.
  private(set) var isTidy = true

  init?(_ sequence: [UInt8]) {
    let text = String(decoding: sequence, as: UTF8.self)
    guard let head = text.prefixMatch(of: /\u{1B}P0;1;0q"1;1;(\d+);(\d+)/),
      let width = Int(head.1), let height = Int(head.2)
    else { return nil }
    (self.width, self.height) = (width, height)
    times = Array(repeating: 0, count: width * height)
    var (x, top) = (0, 0)
    var defined: Set<Int> = []
    for token in text[head.range.upperBound...].dropLast(2).matches(of: /#(\d+)(;2;\d+;\d+;\d+)?|!(\d+)(.)|./)
    {
      if let register = token.1.flatMap({ Int($0) }) {
        if token.2 != nil { defined.insert(register) }
        isTidy = isTidy && defined.contains(register)
      } else if let count = token.3.flatMap({ Int($0) }), let sixel = token.4?.utf8.first {
        paint(sixel, count: count, x: &x, top: top)
      } else if token.0 == "$" {
        x = 0
      } else if token.0 == "-" {
        (x, top) = (0, top + 6)
      } else if let sixel = token.0.utf8.first {
        paint(sixel, count: 1, x: &x, top: top)
      }
    }
  }

  private mutating func paint(_ sixel: UInt8, count: Int, x: inout Int, top: Int) {
    guard (63...126).contains(sixel), x + count <= width else {
      isTidy = false
      return
    }
    for row in 0..<6 where (sixel - 63) >> row & 1 == 1 {
      guard top + row < height else {
        isTidy = false
        continue
      }
      for column in x..<x + count { times[(top + row) * width + column] += 1 }
    }
    x += count
  }
}
