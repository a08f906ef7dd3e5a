import Fixtures

/// ICC profiles with three primaries and a curve, or of gray (ICC.1:2001-04, sections 6 and 9).
enum HandmadeICC {
  private static func fixed(_ value: Double) -> [UInt8] { Boxes.number(Int32((value * 65536).rounded())) }

  private static func place(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    Array("XYZ ".utf8) + Boxes.zeros(4) + fixed(x) + fixed(y) + fixed(z)
  }

  /// The curve of IEC 61966-2-1 in 1024 steps; a gamma of 1 as the curve without steps.
  private static func curve(isLinear: Bool) -> [UInt8] {
    let steps: [UInt16] =
      isLinear
      ? []
      : (0..<1024).map { step in
        let value = Double(step) / 1023
        let light = value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
        return UInt16((light * 65535).rounded())
      }
    return Array("curv".utf8) + Boxes.zeros(4) + Boxes.number(UInt32(steps.count))
      + steps.flatMap { Boxes.number($0) }
  }

  /// `base` to the power of 2.4, as the fifth root of its twelfth power, by Newton's method.
  private static func power(_ base: Double) -> Double {
    let wanted = (0..<12).reduce(1) { product, _ in product * base }
    return (0..<200).reduce(max(wanted, 1e-3)) { root, _ in
      let fourth = root * root * root * root
      return fourth > 0 ? root - (fourth * root - wanted) / (5 * fourth) : 0
    }
  }

  private static func profile(space: String, _ tags: [(String, [UInt8])]) -> [UInt8] {
    var table = Boxes.number(UInt32(tags.count))
    var data: [UInt8] = []
    let start = 128 + 4 + tags.count * 12
    for (name, content) in tags {
      table += Array(name.utf8) + Boxes.number(UInt32(start + data.count))
      table += Boxes.number(UInt32(content.count))
      data += content + Boxes.zeros((4 - content.count % 4) % 4)
    }
    let length = start + data.count
    let white = fixed(0.9642) + fixed(1) + fixed(0.8249)
    let head =
      Boxes.number(UInt32(length)) + Boxes.zeros(4) + [2, 0x40, 0, 0] + Array("mntr\(space)XYZ ".utf8)
      + Boxes.zeros(12) + Array("acsp".utf8) + Boxes.zeros(28) + white + Boxes.zeros(48)
    return head + table + data
  }

  private static let description: [UInt8] =
    Array("desc".utf8) + Boxes.zeros(4) + Boxes.number(UInt32(5)) + Array("test\0".utf8) + Boxes.zeros(78)

  /// Display P3: the primaries of SMPTE EG 432-1 adapted to D50, the curve of sRGB.
  static var displayP3: [UInt8] {
    let curve = curve(isLinear: false)
    return profile(
      space: "RGB ",
      [
        ("desc", description), ("wtpt", place(0.9642, 1, 0.8249)),
        ("rXYZ", place(0.51512, 0.2412, -0.00105)), ("gXYZ", place(0.29198, 0.69225, 0.04189)),
        ("bXYZ", place(0.1571, 0.06657, 0.78407)), ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
      ])
  }

  /// Gray with linear values.
  static var linearGrey: [UInt8] {
    profile(
      space: "GRAY",
      [("desc", description), ("wtpt", place(0.9642, 1, 0.8249)), ("kTRC", curve(isLinear: true))])
  }
}
