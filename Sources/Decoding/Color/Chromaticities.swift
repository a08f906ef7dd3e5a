/// Primaries and white as CIE x and y, and the exponent that makes light of numbers.
package struct Chromaticities: Hashable, Sendable {
  package var white: SIMD2<Double>
  package var red: SIMD2<Double>
  package var green: SIMD2<Double>
  package var blue: SIMD2<Double>
  package var exponent: Double

  /// sRGB's primaries and white (IEC 61966-2-1).
  package init(exponent: Double) {
    white = [0.3127, 0.3290]
    red = [0.64, 0.33]
    green = [0.30, 0.60]
    blue = [0.15, 0.06]
    self.exponent = exponent
  }

  /// Whether it can't be told from sRGB, whose curve is close to an exponent of 2.2.
  var isSRGB: Bool {
    let usual = Chromaticities(exponent: 2.2)
    let corners = zip([white, red, green, blue], [usual.white, usual.red, usual.green, usual.blue])
    return abs(exponent - 2.2) < 0.05
      && corners.allSatisfy { abs($0.x - $1.x) < 0.005 && abs($0.y - $1.y) < 0.005 }
  }

  /// Whether the numbers describe colours that can exist.
  var isPossible: Bool {
    let isReal = [white, red, green, blue].allSatisfy { (0...1).contains($0.x) && $0.y > 0 && $0.y <= 1 }
    return isReal && (0.1...10).contains(exponent)
  }
}
