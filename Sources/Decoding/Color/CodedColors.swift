import CLCMS
import CMD5
import System

/// A color space by the code points of ITU-T H.273 (tables 2 and 3): primaries and transfer function.
///
/// Values brighter than SDR white are compressed into the upper range, as `canvas_set_coding` of the codec helper
/// does.
package struct CodedColors: Hashable, Sendable {
  private let primaries: UInt8
  private let transfer: UInt8

  /// Nil for unsupported code points; the file's other color information applies then.
  init?(primaries: UInt8, transfer: UInt8) {
    guard Self.chromaticities(primaries) != nil, Self.transfers.contains(transfer) else { return nil }
    self.primaries = primaries
    self.transfer = transfer
  }

  private static let transfers: Set<UInt8> = [1, 4, 5, 6, 8, 13, 14, 15, 16, 17, 18]

  /// Whether displays show it like sRGB, which is also how they show the transfer function of BT.709.
  var isSRGB: Bool { primaries == 1 && [1, 6, 13, 14, 15].contains(transfer) }

  private static func chromaticities(_ code: UInt8) -> Chromaticities? {
    var colors = Chromaticities(exponent: 2.2)
    switch code {
    case 1: break
    case 5: (colors.red, colors.green, colors.blue) = ([0.64, 0.33], [0.29, 0.60], [0.15, 0.06])
    case 6, 7: (colors.red, colors.green, colors.blue) = ([0.630, 0.340], [0.310, 0.595], [0.155, 0.070])
    case 9: (colors.red, colors.green, colors.blue) = ([0.708, 0.292], [0.170, 0.797], [0.131, 0.046])
    case 11, 12:
      (colors.red, colors.green, colors.blue) = ([0.680, 0.320], [0.265, 0.690], [0.150, 0.060])
      if code == 11 { colors.white = [0.314, 0.351] }
    default: return nil
    }
    return colors
  }

  /// Returns an equivalent ICC profile; the caller closes it.
  func profile() -> cmsHPROFILE? {
    guard let colors = Self.chromaticities(primaries), let curve else { return nil }
    defer { cmsFreeToneCurve(curve) }
    return colors.profile(curve)
  }

  private var curve: OpaquePointer? {
    switch transfer {
    case 4: return cmsBuildGamma(nil, 2.2)
    case 5: return cmsBuildGamma(nil, 2.8)
    case 8: return cmsBuildGamma(nil, 1)
    case 17: return cmsBuildGamma(nil, 2.6)
    case 16, 18:
      let light = transfer == 16 ? Self.perceptual : Self.hybrid
      let table = (0..<1024).map { Float(Self.pressed(light(Double($0) / 1023))) }
      return cmsBuildTabulatedToneCurveFloat(nil, UInt32(table.count), table)
    default:
      // IEC 61966-2-1.
      return cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    }
  }

  /// Luminance that is rendered as white in an HDR picture: ITU-R BT.2408 has 203 cd/m² for it.
  private static let white = 203.0

  /// Values up to this fraction of white are kept.
  private static let knee = 0.6

  private static func pressed(_ light: Double) -> Double {
    light <= knee ? light : knee + (1 - knee) * (1 - exp((knee - light) / (1 - knee)))
  }

  /// Perceptual quantizer (SMPTE ST 2084): luminance as a fraction of white.
  private static func perceptual(_ signal: Double) -> Double {
    let (m1, m2) = (2610.0 / 16384, 2523.0 / 32)
    let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 128, 2392.0 / 128)
    let power = pow(signal, 1 / m2)
    return pow(max(0, power - c1) / (c2 - c3 * power), 1 / m1) * 10000 / white
  }

  /// Hybrid log-gamma on a display of 1000 cd/m² (ITU-R BT.2100, table 5), applied to each channel separately.
  private static func hybrid(_ signal: Double) -> Double {
    let a = 0.17883277
    let (b, c) = (1 - 4 * a, 0.5 - a * log(4 * a))
    let scene = signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12
    return pow(scene, 1.2) * 1000 / white
  }
}

extension Chromaticities {
  /// Returns a profile of these primaries and one curve; the caller closes it.
  func profile(_ curve: OpaquePointer) -> cmsHPROFILE? {
    func point(_ place: SIMD2<Double>) -> cmsCIExyY { cmsCIExyY(x: place.x, y: place.y, Y: 1) }
    var white = point(white)
    var primaries = cmsCIExyYTRIPLE(Red: point(red), Green: point(green), Blue: point(blue))
    var curves: [OpaquePointer?] = [curve, curve, curve]
    return cmsCreateRGBProfile(&white, &primaries, &curves)
  }
}

/// The color space of a decoded picture, according to its file.
package enum ColorSource: Hashable, Sendable {
  /// sRGB, which is also assumed for files without color information.
  case sRGB
  /// An ICC profile.
  case profile(ColorProfile)
  /// Primaries and a gamma, from PNG's gAMA and cHRM.
  case chromaticities(Chromaticities)
  /// Code points of ITU-T H.273, from PNG's cICP.
  case coded(CodedColors)
}

extension ColorSource {
  /// Creates the source for an ICC profile; sRGB if there are no bytes, or more than a profile may have.
  init(profile bytes: UnsafeRawBufferPointer) { self = ColorProfile(bytes).map(Self.profile) ?? .sRGB }
}

/// Primaries and white point as CIE x and y, and the decoding gamma.
package struct Chromaticities: Hashable, Sendable {
  package var white: SIMD2<Double>
  package var red: SIMD2<Double>
  package var green: SIMD2<Double>
  package var blue: SIMD2<Double>
  package var exponent: Double

  /// Creates sRGB's primaries and white point (IEC 61966-2-1) with a gamma.
  package init(exponent: Double) {
    white = [0.3127, 0.3290]
    red = [0.64, 0.33]
    green = [0.30, 0.60]
    blue = [0.15, 0.06]
    self.exponent = exponent
  }

  /// Whether it is indistinguishable from sRGB, whose curve is close to a gamma of 2.2.
  var isSRGB: Bool {
    let usual = Chromaticities(exponent: 2.2)
    let corners = zip([white, red, green, blue], [usual.white, usual.red, usual.green, usual.blue])
    return abs(exponent - 2.2) < 0.05
      && corners.allSatisfy { abs($0.x - $1.x) < 0.005 && abs($0.y - $1.y) < 0.005 }
  }

  /// Whether the numbers describe possible colors.
  var isPossible: Bool {
    let isReal = [white, red, green, blue].allSatisfy { (0...1).contains($0.x) && $0.y > 0 && $0.y <= 1 }
    return isReal && (0.1...10).contains(exponent)
  }
}

/// An ICC profile from a file; profiles with the same bytes are equal.
///
/// The bytes are shared by all copies of a picture's source and compared by a digest (MD5, RFC 1321) that is
/// computed once. Two forged profiles with the same digest would be confused: no harm beyond wrong colors.
package final class ColorProfile: Hashable, Sendable {
  /// Upper bound of a profile's length; no camera or program writes a larger one.
  static let mostBytes = 8 << 20

  let bytes: [UInt8]
  let digest: SIMD16<UInt8>

  /// Copies the bytes; nil, without copying, if there are none or too many for a profile.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty, bytes.count <= Self.mostBytes else { return nil }
    self.bytes = Array(bytes)
    var context = MD5_CTX()
    MD5Init(&context)
    MD5Update(&context, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    var digest = [UInt8](repeating: 0, count: 16)
    MD5Final(&digest, &context)
    self.digest = SIMD16(digest)
  }

  package static func == (a: ColorProfile, b: ColorProfile) -> Bool { a.digest == b.digest }
  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
