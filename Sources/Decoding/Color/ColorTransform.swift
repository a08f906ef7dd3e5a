import CLCMS
import Pixels

/// Converts the colours of one profile to sRGB, by Little CMS.
///
/// Perceptual, as browsers do it. May be used from several threads at once.
// Unchecked because of the handle: it is only read after `init`, which lcms2 allows from several threads (its
// cache of the last pixel, which would be shared, is off).
final class ColorTransform: @unchecked Sendable {
  private enum Method {
    case handle(cmsHTRANSFORM)
    /// The colour of each level of grey.
    case greys([UInt32])
  }

  private let method: Method

  /// Nil where the profile is broken, is for other samples, or is sRGB by another name.
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

  /// Writes as many pixels as there are; both may be the same memory.
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

  /// Whether colours from all over the cube come out as they went in, give or take two levels.
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
