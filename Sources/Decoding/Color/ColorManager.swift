import CLCMS
import Pixels
import Synchronization

/// Converts pictures from the color spaces of their files to sRGB.
///
/// Transforms are created once per profile and cached, at most sixteen, by the digests of their profiles.
/// Safe to use from several threads; no thread waits while another creates a transform.
package final class ColorManager: Sendable {
  /// How to convert the colors of a source.
  private enum Conversion {
    /// No conversion: the source is sRGB, or its profile is unusable.
    case none
    case transform(ColorTransform)
  }

  private struct Key: Hashable {
    enum Source: Hashable {
      case profile(SIMD16<UInt8>)
      case chromaticities(Chromaticities)
      case coded(CodedColors)
    }

    var source: Source
    var layout: ColorLayout

    /// Nil if no conversion is needed.
    init?(_ source: ColorSource, _ layout: ColorLayout) {
      switch source {
      case .sRGB: return nil
      case .profile(let profile): self.source = .profile(profile.digest)
      case .chromaticities(let chromaticities): self.source = .chromaticities(chromaticities)
      case .coded(let colors): self.source = .coded(colors)
      }
      self.layout = layout
    }
  }

  private let conversions = Mutex<[Key: Conversion]>([:])
  private static let mostConversions = 16

  package init() {}

  /// Returns the picture in sRGB; unchanged if it is sRGB already or its profile is unusable.
  func sRGB(_ picture: PixelBuffer, from source: ColorSource) -> PixelBuffer {
    guard source != .sRGB, !picture.size.isEmpty, let transform = transform(from: source, .colors) else {
      return picture
    }
    return transform(picture)
  }

  /// Converts pixels of four inks to opaque sRGB, in place.
  ///
  /// Without a usable profile, each channel is the light that its ink and black let through.
  func mix(
    _ inks: UnsafeMutableBufferPointer<UInt8>, from source: ColorSource, isInverted: Bool
  ) {
    let pixels = UnsafeMutableRawBufferPointer(inks)
    if let transform = transform(from: source, isInverted ? .invertedInks : .inks) {
      transform(UnsafeRawBufferPointer(pixels), into: pixels)
      for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
    } else {
      Self.multiply(pixels, isInverted: isInverted)
    }
  }

  private static func multiply(_ pixels: UnsafeMutableRawBufferPointer, isInverted: Bool) {
    for offset in stride(from: 0, to: pixels.count - 3, by: 4) {
      var ink = SIMD4<UInt32>(
        truncatingIfNeeded: pixels.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt8>.self))
      if !isInverted { ink = 255 &- ink }
      // The exact quotient by 255, rounded (Blinn 1995, "Three wrongs make a right").
      let product = ink &* ink.w &+ 128
      var color = (product &+ (product &>> 8)) &>> 8
      color.w = 255
      pixels.storeBytes(
        of: SIMD4<UInt8>(truncatingIfNeeded: color), toByteOffset: offset, as: SIMD4<UInt8>.self)
    }
  }

  private func transform(from source: ColorSource, _ layout: ColorLayout) -> ColorTransform? {
    guard let key = Key(source, layout) else { return nil }
    let conversion = conversions.withLock { $0[key] } ?? make(key, from: source, layout)
    return if case .transform(let transform) = conversion { transform } else { nil }
  }

  /// Creates a conversion outside of the lock, so that a background thread does not block the others.
  ///
  /// Two threads may create the same conversion at once; the results are identical.
  private func make(_ key: Key, from source: ColorSource, _ layout: ColorLayout) -> Conversion {
    let conversion = ColorTransform(from: source, layout).map(Conversion.transform) ?? .none
    conversions.withLock { conversions in
      if conversions.count >= Self.mostConversions { conversions.removeAll() }
      conversions[key] = conversion
    }
    return conversion
  }
}

/// Converts the colors of one profile to sRGB with Little CMS.
///
/// Perceptual intent, as in browsers. May be used from several threads at once.
// Unchecked because of the handle: it is only read after `init`, which lcms2 allows from several threads (its cache
// of the last pixel, which would be shared, is off).
private final class ColorTransform: @unchecked Sendable {
  private enum Method {
    case handle(cmsHTRANSFORM)
    /// The color of each gray level.
    case greys([UInt32])
  }

  private let method: Method

  /// Nil if the profile is broken, is for other samples, or is equivalent to sRGB.
  init?(from source: ColorSource, _ layout: ColorLayout) {
    guard let profile = Self.open(source) else { return nil }
    defer { cmsCloseProfile(profile) }
    guard let target = cmsCreate_sRGBProfile() else { return nil }
    defer { cmsCloseProfile(target) }
    let kind = cmsGetColorSpace(profile)
    let flags = UInt32(cmsFLAGS_NOCACHE | cmsFLAGS_COPY_ALPHA)
    func make(_ format: UInt32, _ flags: UInt32) -> cmsHTRANSFORM? {
      cmsCreateTransform(
        profile, format, target, CLCMS_RGBA.rawValue, UInt32(INTENT_PERCEPTUAL), flags)
    }
    switch (kind, layout) {
    case (cmsSigRgbData, .colors):
      guard let handle = make(layout.format, flags) else { return nil }
      if Self.changesNothing(handle) {
        cmsDeleteTransform(handle)
        return nil
      }
      method = .handle(handle)
    case (cmsSigGrayData, .colors):
      guard let handle = make(CLCMS_GREY.rawValue, UInt32(cmsFLAGS_NOCACHE)) else { return nil }
      defer { cmsDeleteTransform(handle) }
      var greys = [UInt32](repeating: 0, count: 256)
      cmsDoTransform(handle, (0...255).map { UInt8($0) }, &greys, 256)
      method = .greys(greys)
    case (cmsSigCmykData, .inks), (cmsSigCmykData, .invertedInks):
      guard let handle = make(layout.format, UInt32(cmsFLAGS_NOCACHE)) else { return nil }
      method = .handle(handle)
    default: return nil
    }
  }

  deinit {
    if case .handle(let handle) = method { cmsDeleteTransform(handle) }
  }

  func callAsFunction(_ picture: PixelBuffer) -> PixelBuffer {
    picture.withUnsafeBytes { source in
      PixelBuffer(size: picture.size) { self(source, into: UnsafeMutableRawBufferPointer($0)) }
    }
  }

  /// Converts as many pixels as both buffers hold; they may be the same memory.
  func callAsFunction(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
    let count = min(source.count, target.count) / 4
    switch method {
    case .handle(let handle): cmsDoTransform(handle, source.baseAddress, target.baseAddress, UInt32(count))
    case .greys(let greys):
      let alpha = UInt32(littleEndian: 0xFF00_0000)
      for offset in stride(from: 0, to: count * 4, by: 4) {
        let pixel = source.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let color = greys[Int(source[offset])] & ~alpha | pixel & alpha
        target.storeBytes(of: color, toByteOffset: offset, as: UInt32.self)
      }
    }
  }

  // MARK: Profiles

  private static func open(_ source: ColorSource) -> cmsHPROFILE? {
    switch source {
    case .sRGB: return nil
    case .profile(let profile): return cmsOpenProfileFromMem(profile.bytes, UInt32(profile.bytes.count))
    case .chromaticities(let colors):
      guard colors.isPossible, !colors.isSRGB, let curve = cmsBuildGamma(nil, colors.exponent) else {
        return nil
      }
      defer { cmsFreeToneCurve(curve) }
      return colors.profile(curve)
    case .coded(let colors): return colors.isSRGB ? nil : colors.profile()
    }
  }

  /// Whether colors from all over the cube stay the same, within two levels.
  private static func changesNothing(_ handle: cmsHTRANSFORM) -> Bool {
    let levels: [UInt8] = [0, 16, 48, 96, 144, 192, 232, 255]
    var colors: [UInt8] = []
    for red in levels {
      for green in levels { for blue in levels { colors += [red, green, blue, 255] } }
    }
    var result = [UInt8](repeating: 0, count: colors.count)
    cmsDoTransform(handle, colors, &result, UInt32(colors.count / 4))
    return zip(colors, result).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
  }
}

/// The sample layout of pixels to convert.
private enum ColorLayout: Hashable, Sendable {
  /// RGBA, also for grayscale pictures.
  case colors
  /// CMYK, a full sample for full ink.
  case inks
  /// CMYK, a full sample for no ink.
  case invertedInks

  /// The format constant of Little CMS.
  var format: UInt32 {
    switch self {
    case .colors: CLCMS_RGBA.rawValue
    case .inks: CLCMS_CMYK.rawValue
    case .invertedInks: CLCMS_INVERTED_CMYK.rawValue
    }
  }
}
