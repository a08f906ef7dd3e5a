import CSPNG

/// What a PNG says of its colours.
///
/// A cICP chunk goes before iCCP, that before sRGB, that before gAMA and cHRM (PNG third edition, 4.3).
enum PNGColors {
  /// Chunks before the palette and the picture that are looked at; the standard knows no twenty of them.
  private static let most = 64

  /// What cICP says (PNG third edition, 11.3.2.6), which libspng does not know; nil where it says nothing that is
  /// known here.
  static func coded(_ job: DecodeJob) throws(DecodeStop) -> ColorSource? {
    var chunks = PNGChunks()
    for _ in 0..<most {
      guard let chunk = try chunks.next(job), chunk.type != "PLTE", chunk.type != "IDAT" else { return nil }
      guard chunk.type == "cICP" else { continue }
      // Primaries, transfer, matrix, range; a PNG's samples are red, green and blue.
      guard let bytes = try chunks.bytes(of: chunk, count: 4, job), bytes[2] == 0,
        let colors = CodedColors(primaries: bytes[0], transfer: bytes[1])
      else { return nil }
      return colors.isSRGB ? .sRGB : .coded(colors)
    }
    return nil
  }

  /// What the chunks say that libspng knows.
  static func source(of context: OpaquePointer) -> ColorSource {
    var profile = spng_iccp()
    if spng_get_iccp(context, &profile) == 0, let start = profile.profile {
      return ColorSource(
        profile: UnsafeRawBufferPointer(start: UnsafeRawPointer(start), count: profile.profile_len))
    }
    var intent: UInt8 = 0
    var gamma = 0.0
    guard spng_get_srgb(context, &intent) != 0, spng_get_gama(context, &gamma) == 0, gamma > 0 else {
      return .sRGB
    }
    var colors = Chromaticities(exponent: 1 / gamma)
    var primaries = spng_chrm()
    if spng_get_chrm(context, &primaries) == 0 {
      colors.white = [primaries.white_point_x, primaries.white_point_y]
      colors.red = [primaries.red_x, primaries.red_y]
      colors.green = [primaries.green_x, primaries.green_y]
      colors.blue = [primaries.blue_x, primaries.blue_y]
    }
    return colors.isSRGB ? .sRGB : .chromaticities(colors)
  }
}
