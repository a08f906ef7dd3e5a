import CGIF
import Pixels

/// An open GIF, read with giflib block by block and line by line.
///
/// Belongs to one decode; the C library's handle is closed with the last reference.
final class GIFFile {
  /// The colors of a picture, as RGBA in memory.
  struct Palette {
    /// Indices without a color are black.
    fileprivate var colors = [UInt32](repeating: UInt32(bigEndian: 0x0000_00FF), count: 256)

    /// Writes the colors of a line at the picture's position in the row.
    func look(up indices: [UInt8], into row: inout [UInt32], _ frame: GIFFrame) {
      let columns = frame.columns
      // Checks the bounds once instead of for each pixel.
      precondition(
        columns.upperBound <= row.count && columns.upperBound - frame.left <= indices.count
          && colors.count == 256)
      row.withUnsafeMutableBufferPointer { row in
        indices.withUnsafeBufferPointer { indices in
          colors.withUnsafeBufferPointer { colors in
            for x in columns { row[x] = colors[Int(indices[x - frame.left])] }
          }
        }
      }
    }
  }

  let stream: ByteStream
  private let file: UnsafeMutablePointer<GifFileType>
  /// The graphic control of the next picture; without one, a picture is opaque, stays on the canvas and has
  /// no delay.
  private(set) var control = GIFFile.noControl
  /// Number of repetitions after the first pass; 0 means endlessly, nil none.
  ///
  /// Format: the application extension NETSCAPE2.0, and ANIMEXTS1.0, which is the same.
  private(set) var repetitions: Int?

  /// Size of the canvas: the logical screen, or the first picture if that is larger, as in browsers.
  private(set) var canvas = PixelSize.zero
  /// Whether the file has a first picture, which `init` looks for; nil once `findPicture` has returned it.
  private var wasFirstFound: Bool?
  private var usesFirstAsCanvas = false
  private var pictureCount = 0

  private static let noControl = GraphicsControlBlock(
    DisposalMode: 0, UserInputFlag: false, DelayTime: 0, TransparentColor: NO_TRANSPARENT_COLOR)

  init(_ job: DecodeJob) throws(DecodeStop) {
    let stream = try ByteStream(job)
    var status: Int32 = 0
    let user = Unmanaged.passUnretained(stream).toOpaque()
    let file = DGifOpen(
      user,
      { file, target, count in
        guard let user = file?.pointee.UserData, count > 0 else { return 0 }
        let stream = Unmanaged<ByteStream>.fromOpaque(user).takeUnretainedValue()
        return Int32(stream.read(into: UnsafeMutableRawBufferPointer(start: target, count: Int(count))))
      }, &status)
    guard let file else { throw Self.stop(status, stream) }
    self.file = file
    self.stream = stream
    canvas = PixelSize(width: Int(file.pointee.SWidth), height: Int(file.pointee.SHeight))
    wasFirstFound = try findNext()
    let first = PixelSize(width: Int(file.pointee.Image.Width), height: Int(file.pointee.Image.Height))
    if wasFirstFound == true, first.width > canvas.width || first.height > canvas.height {
      (canvas, usesFirstAsCanvas) = (first, true)
    }
  }

  deinit {
    var status: Int32 = 0
    DGifCloseFile(file, &status)
  }

  /// Whether the data ended early, after a line that could not be read.
  var isCut: Bool {
    file.pointee.Error == D_GIF_ERR_READ_FAILED || file.pointee.Error == D_GIF_ERR_EOF_TOO_SOON
  }

  // MARK: Blocks

  /// Reads up to the next picture's lines; false at the end of the file.
  func findPicture() throws(DecodeStop) -> Bool {
    let found: Bool
    if let wasFirstFound { found = wasFirstFound } else { found = try findNext() }
    wasFirstFound = nil
    if found { pictureCount += 1 }
    return found
  }

  private func findNext() throws(DecodeStop) -> Bool {
    control = Self.noControl
    while true {
      try stream.job.checkStopped()
      var kind = UNDEFINED_RECORD_TYPE
      try check(DGifGetRecordType(file, &kind))
      switch kind {
      case IMAGE_DESC_RECORD_TYPE:
        try check(DGifGetImageDesc(file))
        forgetImages()
        return true
      case EXTENSION_RECORD_TYPE: try readExtension()
      case TERMINATE_RECORD_TYPE: return false
      default: break
      }
    }
  }

  /// Clears giflib's list of pictures, which would grow with the length of the file.
  private func forgetImages() {
    GifFreeSavedImages(file)
    // Otherwise giflib would write beyond the new list.
    file.pointee.ImageCount = 0
  }

  private func readExtension() throws(DecodeStop) {
    var code: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    try check(DGifGetExtension(file, &code, &block))
    var isLooping = false
    var isFirst = true
    while let bytes = block {
      // The first byte is the block's length.
      let count = Int(bytes[0])
      if code == GRAPHICS_EXT_FUNC_CODE {
        var control = GraphicsControlBlock()
        if DGifExtensionToGCB(count, bytes + 1, &control) == GIF_OK { self.control = control }
      } else if code == APPLICATION_EXT_FUNC_CODE, isFirst {
        let name = UnsafeBufferPointer(start: bytes + 1, count: count)
        isLooping = name.elementsEqual("NETSCAPE2.0".utf8) || name.elementsEqual("ANIMEXTS1.0".utf8)
      } else if isLooping, count >= 3, bytes[1] & 7 == 1 {
        repetitions = Int(bytes[2]) | Int(bytes[3]) << 8
      }
      isFirst = false
      try stream.job.checkStopped()
      try check(DGifGetExtensionNext(file, &block))
    }
  }

  // MARK: The current picture

  var isInterlaced: Bool { file.pointee.Image.Interlace }

  /// Returns the picture's position on the canvas.
  func frame() throws(DecodeStop) -> GIFFrame {
    let description = file.pointee.Image
    let isScreen = usesFirstAsCanvas && pictureCount == 1
    let frame = GIFFrame(
      canvas: canvas, left: isScreen ? 0 : Int(description.Left), top: isScreen ? 0 : Int(description.Top),
      size: PixelSize(width: Int(description.Width), height: Int(description.Height)))
    guard !frame.size.isEmpty, !frame.canvas.isEmpty else { throw .failed("it contains no picture") }
    return frame
  }

  func palette() -> Palette {
    var palette = Palette()
    let map = file.pointee.Image.ColorMap ?? file.pointee.SColorMap
    if let map, let colors = map.pointee.Colors {
      for index in 0..<min(256, max(0, Int(map.pointee.ColorCount))) {
        let color = colors[index]
        palette.colors[index] = UInt32(
          bigEndian: UInt32(color.Red) << 24 | UInt32(color.Green) << 16 | UInt32(color.Blue) << 8 | 255)
      }
    }
    if (0..<256).contains(control.TransparentColor) {
      palette.colors[Int(control.TransparentColor)] = 0
    }
    return palette
  }

  /// Decodes the next line; false after the last line.
  func readLine(into indices: inout [UInt8]) throws(DecodeStop) -> Bool {
    try stream.job.checkStopped()
    return DGifGetLine(file, &indices, Int32(indices.count)) == GIF_OK
  }

  // MARK: Errors

  private func check(_ status: Int32) throws(DecodeStop) {
    guard status != GIF_OK else { return }
    throw Self.stop(file.pointee.Error, stream)
  }

  private static func stop(_ status: Int32, _ stream: ByteStream) -> DecodeStop {
    if let failure = stream.failure { return .unreadable(failure) }
    return switch status {
    case D_GIF_ERR_READ_FAILED, D_GIF_ERR_EOF_TOO_SOON: .noEnd
    case D_GIF_ERR_NOT_ENOUGH_MEM: .noMemory
    default: .failed(GifErrorString(status).map { String(cString: $0) } ?? "the picture is damaged")
    }
  }
}

/// Position and size of a picture on the canvas of a GIF.
struct GIFFrame {
  var canvas: PixelSize
  var left: Int
  var top: Int
  var size: PixelSize

  /// The columns of the canvas that the picture covers.
  var columns: Range<Int> {
    let first = min(max(0, left), canvas.width)
    return first..<min(canvas.width, max(first, left + size.width))
  }

  /// The picture's lines in the order in which an interlaced one stores them (GIF89a, appendix E).
  var interlacedLines: [Int] {
    [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
      Array(stride(from: first, to: size.height, by: step))
    }
  }
}
