import CCodecs
import CodecProtocol

/// Makes a picture: takes rows from a decoder, gives pixels for tpick.
final class Canvas {
  private let memory: PictureMemory
  private let canvas: OpaquePointer

  /// A canvas for rows of a stored picture.
  /// - Parameters:
  ///   - format: with a reduction of its own if the decoder has some; otherwise the request decides.
  ///   - source: pixels of the file's whole picture as it stands upright.
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

  /// What the colours mean; a profile that is damaged, or of other colours, is left out.
  func setProfile(_ profile: UnsafeRawBufferPointer) {
    _ = canvas_set_profile(canvas, profile.baseAddress, profile.count)
  }

  /// What the colours mean, by the code points of ITU-T H.273.
  func setCoding(primaries: Int32, transfer: Int32) {
    canvas_set_coding(canvas, primaries, transfer)
  }

  /// Puts the next rows, `stride` bytes from one to the next; nil for rows that are missing.
  func put(_ rows: UnsafeRawPointer?, count: Int, stride: Int) {
    for row in 0..<count { canvas_put(canvas, rows?.advanced(by: row * stride)) }
  }

  /// Puts a row of red, green and blue samples of so many bits, each in a plane of its own.
  func put(_ red: UnsafeRawPointer, _ green: UnsafeRawPointer, _ blue: UnsafeRawPointer, bits: Int) {
    let planes: [UnsafeRawPointer?] = [red, green, blue]
    canvas_put_planes(canvas, planes, Int32(bits))
  }

  /// The picture, with what is missing as words.
  func finish(note: String? = nil) -> PictureMemory {
    memory.facts.isOpaque = canvas_is_opaque(canvas)
    memory.facts.note = note
    return memory
  }
}

extension canvas_format {
  /// Samples of 8 bits, upright, without alpha, until something else is said.
  init(width: Int, height: Int, colours: UInt8) {
    self.init()
    self.width = UInt32(clamping: width)
    self.height = UInt32(clamping: height)
    self.colours = colours
    orientation = 1
  }
}
