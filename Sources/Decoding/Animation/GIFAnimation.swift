import CGIF
import Pixels
import Rendering

/// Decodes the frames of an animated GIF.
///
/// Format: GIF89a, 20 (image descriptor) and 23 (graphic control extension).
final class GIFAnimation: AnimationDecoder {
  let size: PixelSize
  let colors = ColorSource.sRGB
  private var file: GIFFile
  private var state: AnimationCanvas

  init(_ job: DecodeJob) throws(DecodeStop) {
    file = try GIFFile(job)
    size = file.canvas
    try AnimationBudget.check(size)
    state = AnimationCanvas(size: size)
  }

  var canvas: PixelBuffer { state.pixels }

  /// Once, plus the repetitions that the file states, as browsers count them; the same for a truncated file.
  var playCount: Int? { file.repetitions.map { $0 == 0 ? nil : $0 + 1 } ?? 1 }

  func rewind(_ job: DecodeJob) throws(DecodeStop) {
    file = try GIFFile(job)
    state = AnimationCanvas(size: size)
  }

  func advance(_ job: DecodeJob) throws(DecodeStop) -> Duration? {
    file.stream.job = job
    guard try file.findPicture() else { return nil }
    let frame = try frame()
    state.add(frame)
    return frame.displayDuration
  }

  private func frame() throws(DecodeStop) -> AnimationFrame {
    let frame = try file.frame()
    guard frame.size.area <= AnimationBudget.canvasPixels else { throw .tooLarge(frame.size) }
    let control = file.control
    let palette = file.palette()
    // In its own coordinates.
    let own = GIFFrame(canvas: frame.size, left: 0, top: 0, size: frame.size)
    let order = file.isInterlaced ? own.interlacedLines : Array(0..<frame.size.height)
    var indices = [UInt8](repeating: 0, count: frame.size.width)
    var row = [UInt32](repeating: 0, count: frame.size.width)
    var pixels = AnimationCanvas(size: frame.size).pixels
    let rowBytes = frame.size.width * PixelBuffer.bytesPerPixel
    for (count, line) in order.enumerated() {
      guard try file.readLine(into: &indices) else {
        if let failure = file.stream.failure { throw .unreadable(failure) }
        // Keep the lines of a damaged picture that could be decoded.
        if count == 0 { throw file.isCut ? .noEnd : .damaged }
        break
      }
      palette.look(up: indices, into: &row, own)
      pixels.withBytes { bytes in
        row.withUnsafeBytes {
          UnsafeMutableRawBufferPointer(rebasing: bytes[line * rowBytes..<(line + 1) * rowBytes])
            .copyMemory(from: $0)
        }
      }
    }
    return AnimationFrame(
      pixels: pixels, left: frame.left, top: frame.top, disposal: Self.disposal(control.DisposalMode),
      delay: .milliseconds(10 * Int(max(0, control.DelayTime))))
  }

  private static func disposal(_ mode: Int32) -> AnimationFrame.Disposal {
    switch mode {
    case DISPOSE_BACKGROUND: .clear
    // Some encoders write 4 instead of 3.
    case DISPOSE_PREVIOUS, 4: .restore
    default: .keep
    }
  }
}
