import Pixels
import Synchronization

/// Brings pictures from the colours of their files to sRGB.
///
/// Transforms are made once for each profile and kept, sixteen at most; of the profiles themselves only digests. Used
/// from all workers, none of which waits while another makes a transform.
package final class ColorManager: Sendable {
  /// What has to be done with the colours of a source.
  private enum Conversion {
    /// Nothing: they are sRGB, or the profile can't be used.
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

    /// Nil where nothing has to be done.
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

  /// The picture in sRGB; the picture itself where it is that already or its profile can't be used.
  func sRGB(_ picture: PixelBuffer, from source: ColorSource) -> PixelBuffer {
    guard source != .sRGB, !picture.size.isEmpty, let transform = transform(from: source, .colors) else {
      return picture
    }
    return transform(picture)
  }

  /// Brings pixels of four inks to sRGB, where they stand; colours are opaque.
  ///
  /// Without a profile that can be used, light is what each ink and black let through.
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
      // Exactly the quotient by 255, rounded (Blinn 1995, "Three wrongs make a right").
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

  /// Makes a conversion outside of the lock: a background thread that held it would hold up the others.
  ///
  /// What two threads make at once is the same.
  private func make(_ key: Key, from source: ColorSource, _ layout: ColorLayout) -> Conversion {
    let conversion = ColorTransform(from: source, layout).map(Conversion.transform) ?? .none
    conversions.withLock { conversions in
      if conversions.count >= Self.mostConversions { conversions.removeAll() }
      conversions[key] = conversion
    }
    return conversion
  }
}
