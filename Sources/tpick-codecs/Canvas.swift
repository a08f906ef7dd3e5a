import CCodecs
import CodecProtocol

/// Converts a decoder's rows to a picture for tpick.
final class Canvas {
  private let memory: PictureMemory
  private let canvas: OpaquePointer

  /// Creates a canvas for rows of a stored picture.
  /// - Parameters:
  ///   - format: a reduction of 0 is chosen by the request; otherwise the decoder's own applies.
  ///   - source: size in pixels of the file's whole upright picture.
  init(
    _ format: canvas_format, source: (width: Int, height: Int), for request: DecodeRequest
  ) throws(CodecError) {
    var format = format
    try Limits.check(Int(format.width), Int(format.height), request)
    if format.reduction == 0 {
      let isTurned = format.orientation >= 5
      let (width, height) = (Int(format.width), Int(format.height))
      let reduction = request.reduction(ofWidth: isTurned ? height : width, height: isTurned ? width : height)
      format.reduction = UInt32(clamping: max(1, reduction))
    }
    var (width, height): (UInt32, UInt32) = (0, 0)
    canvas_size(&format, &width, &height)
    var facts = PictureFacts(width: Int(width), height: Int(height))
    (facts.sourceWidth, facts.sourceHeight) = source
    guard facts.width <= request.maxDecodedPixels / max(1, facts.height) else {
      throw .tooLarge(width: source.width, height: source.height)
    }
    memory = try PictureMemory(facts)
    guard let canvas = canvas_create(&format, memory.bytes.baseAddress) else {
      throw .unreadable("an unusual kind of picture")
    }
    self.canvas = canvas
  }

  deinit {
    canvas_destroy(canvas)
  }

  /// Sets the ICC profile of the rows; ignores one that is damaged or for another color space.
  func setProfile(_ profile: UnsafeRawBufferPointer) {
    _ = canvas_set_profile(canvas, profile.baseAddress, profile.count)
  }

  /// Sets the color space by the code points of ITU-T H.273.
  func setCoding(primaries: Int32, transfer: Int32) {
    canvas_set_coding(canvas, primaries, transfer)
  }

  /// Adds the next rows, `stride` bytes apart; nil for missing rows.
  func put(_ rows: UnsafeRawPointer?, count: Int, stride: Int) {
    for row in 0..<count { canvas_put(canvas, rows?.advanced(by: row * stride)) }
  }

  /// Adds a row from separate planes of red, green and blue with `bits` bits per sample.
  func put(_ red: UnsafeRawPointer, _ green: UnsafeRawPointer, _ blue: UnsafeRawPointer, bits: Int) {
    let planes: [UnsafeRawPointer?] = [red, green, blue]
    canvas_put_planes(canvas, planes, Int32(bits))
  }

  /// Returns the picture; `note` says what is missing from it.
  func finish(note: String? = nil) -> PictureMemory {
    memory.facts.isOpaque = canvas_is_opaque(canvas)
    memory.facts.note = note
    return memory
  }
}

extension canvas_format {
  /// Creates a format of 8-bit samples, upright, without alpha.
  init(width: Int, height: Int, colours: UInt8) {
    self.init()
    self.width = UInt32(clamping: width)
    self.height = UInt32(clamping: height)
    self.colours = colours
    orientation = 1
  }
}
