import CCodecs
import CodecProtocol
import System

/// Decodes the picture of a TIFF file with libtiff.
enum TIFFDecoder {
  static func picture(of file: InputFile, _ request: DecodeRequest) throws(CodecError) -> PictureMemory {
    let source = UnsafeMutablePointer<ctiff_source>.allocate(capacity: 1)
    defer { source.deallocate() }
    return try withExtendedLifetime(file) { () throws(CodecError) in
      source.initialize(
        to: ctiff_source(
          context: Unmanaged.passUnretained(file).toOpaque(), read: Self.read, size: Int64(file.byteCount)))
      var reason: UnsafePointer<CChar>?
      guard let opened = ctiff_open(source, Limits.working, &reason) else { throw error(reason) }
      defer { ctiff_close(opened) }
      return try picture(of: opened, request)
    }
  }

  private static let read:
    @convention(c) (UnsafeMutableRawPointer?, Int64, UnsafeMutableRawPointer?, Int) -> Int = {
      guard let file = InputFile.from($0), let buffer = $2 else { return -1 }
      return file.read(at: Int($1), into: UnsafeMutableRawBufferPointer(start: buffer, count: $3))
    }

  private static func error(_ reason: UnsafePointer<CChar>?) -> CodecError {
    .unreadable(reason.map { String(cString: $0) } ?? "a damaged TIFF file")
  }

  private static func picture(
    of opened: OpaquePointer, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    var places = [UInt64](repeating: 0, count: Int(CTIFF_DIRECTORIES))
    let count = ctiff_directories(opened, &places)
    var reason: UnsafePointer<CChar>?
    var first: ctiff_picture?
    var main: (place: UInt64, picture: ctiff_picture)?
    var smaller: [(place: UInt64, picture: ctiff_picture)] = []
    for place in places.prefix(count) {
      var found = ctiff_picture()
      guard ctiff_turn_to(opened, place, &found, &reason), !found.is_mask else { continue }
      first = first ?? found
      if found.is_reduced {
        smaller.append((place, found))
      } else if main == nil {
        main = (place, found)
      }
    }
    guard let main else {
      throw first == nil ? error(reason) : .unreadable("it contains no whole picture")
    }
    let orientation = max(1, main.picture.orientation)
    let source = upright(main.picture, orientation)
    try Limits.check(source.width, source.height, request)
    // Smallest first; a version without an orientation of its own has that of the picture.
    smaller = smaller.filter {
      AspectRatio.match(
        Int($0.picture.width), Int($0.picture.height), Int(main.picture.width), Int(main.picture.height))
    }.sorted { $0.picture.width < $1.picture.width }
    let covering = smaller.first { candidate in
      let size = upright(candidate.picture, orientation)
      return request.targetWidth + request.targetHeight > 0
        && request.reduction(ofWidth: size.width, height: size.height) >= 1
    }
    var chosen = covering ?? main
    if request.source == .embedded {
      guard let embedded = covering ?? smaller.last else { throw .nothingEmbedded }
      chosen = embedded
    }
    return try decode(opened, chosen.place, orientation, source, request)
  }

  private static func upright(_ picture: ctiff_picture, _ orientation: UInt8) -> (width: Int, height: Int) {
    let (width, height) = (Int(picture.width), Int(picture.height))
    let own = picture.orientation == 0 ? orientation : picture.orientation
    return own >= 5 ? (height, width) : (width, height)
  }

  private static func decode(
    _ opened: OpaquePointer, _ place: UInt64, _ orientation: UInt8, _ source: (width: Int, height: Int),
    _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    var picture = ctiff_picture()
    var reason: UnsafePointer<CChar>?
    guard ctiff_turn_to(opened, place, &picture, &reason) else { throw error(reason) }
    guard picture.band_cost <= UInt64(Limits.working) else {
      throw .tooLarge("decoding it needs too much memory")
    }
    var format = canvas_format(
      width: Int(picture.width), height: Int(picture.height), colours: picture.colours)
    format.extras = picture.extras
    format.has_alpha = picture.has_alpha
    format.is_premultiplied = picture.is_premultiplied
    format.is_inverted = picture.is_inverted
    format.is_wide = picture.is_wide
    format.orientation = picture.orientation == 0 ? orientation : picture.orientation
    let canvas = try Canvas(format, source: source, for: request)
    var profile: UnsafeRawPointer?
    var length = 0
    if ctiff_profile(opened, &profile, &length) {
      canvas.setProfile(UnsafeRawBufferPointer(start: profile, count: length))
    }
    let isWhole = try put(opened, picture, on: canvas)
    return canvas.finish(note: isWhole ? nil : "parts of the picture are damaged or missing")
  }

  /// Adds all bands to the canvas.
  /// - Returns: whether all of them were intact.
  private static func put(
    _ opened: OpaquePointer, _ picture: ctiff_picture, on canvas: Canvas
  ) throws(CodecError) -> Bool {
    var picture = picture
    let rows = Int(min(picture.band_rows, picture.height))
    let byteCount = rows * picture.row_bytes
    guard let band = malloc(byteCount) else { throw .noMemory }
    defer { free(band) }
    let bytes = band.assumingMemoryBound(to: UInt8.self)
    var (whole, any) = (true, false)
    for first in stride(from: 0, to: Int(picture.height), by: rows) {
      memset(band, 0, byteCount)
      let isThere = ctiff_read_band(opened, &picture, UInt32(first / rows), bytes)
      // A damaged band may still have its first rows, or some of its tiles.
      let count = min(rows, Int(picture.height) - first)
      let shows = isThere || (0..<byteCount).contains { bytes[$0] != 0 }
      (whole, any) = (whole && isThere, any || shows)
      canvas.put(shows ? UnsafeRawPointer(band) : nil, count: count, stride: picture.row_bytes)
    }
    guard any || whole else {
      let words = String(cString: ctiff_message(opened))
      throw .unreadable(words.isEmpty ? "a damaged TIFF file" : words)
    }
    return whole
  }
}
