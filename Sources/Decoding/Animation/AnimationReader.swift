package import AssetLibrary
import MediaFormats
package import Pixels
import Rendering

/// An animation of a light library's format as a reader of frames.
///
/// A file that is damaged after its first picture ends there, pass after pass; a pass without any picture is an
/// error.
package final class AnimationReader: FrameReader {
  private let decoder: any AnimationDecoder
  private let reader: any ResourceReader
  private let budget: DecodeBudget
  private let colors: ColorManager
  private let cancellation: any DecodeInterruption
  private let name: String
  private let orientation: Orientation
  private let target: PixelSize
  private var time = Duration.zero
  private var count = 0
  /// Whether this pass has no picture any more.
  private var isAtEnd = false

  /// - Parameters:
  ///   - name: what error messages call the file.
  ///   - target: the box that the upright picture fits in.
  /// - Throws: `AssetError` when the file is no animation, or is too large for one.
  package init(
    _ reader: any ResourceReader, name: String, orientation: Orientation, target: PixelSize,
    colors: ColorManager, cancellation: any DecodeInterruption
  ) throws(AssetError) {
    var budget = DecodeBudget()
    budget.time = AnimationBudget.time
    budget.heldFile = AnimationBudget.heldBytes
    self.budget = budget
    self.reader = reader
    self.colors = colors
    self.cancellation = cancellation
    self.name = name
    self.orientation = orientation
    self.target = orientation.upright(target)
    let job = DecodeJob(reader, budget: budget, colors: colors, cancellation: cancellation)
    do throws(DecodeStop) {
      decoder =
        switch PictureFormat(head: try job.head(PictureFormat.headLength)) {
        case .gif: try GIFAnimation(job)
        case .png: try PNGAnimation(job)
        case .webp: try WebPAnimation(job)
        case .jpeg, .bmp, nil: throw .failed("it does not move")
        }
    } catch {
      throw AssetError(error, of: name)
    }
  }

  private var job: DecodeJob {
    DecodeJob(reader, budget: budget, colors: colors, cancellation: cancellation)
  }

  package var playCount: Int? { decoder.playCount }

  /// The size of the canvas, as it is stored.
  package var canvasSize: PixelSize { decoder.size }

  package func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame? {
    var skipped = 0
    var last: (start: Duration, duration: Duration)?
    while !isAtEnd {
      let duration: Duration?
      do throws(DecodeStop) {
        duration = try decoder.advance(job)
      } catch {
        if error == .cancelled || cancellation.isCancelled { return nil }
        if count == 0 { throw AssetError(error, of: name) }
        duration = nil
      }
      guard let duration, count < AnimationBudget.frames else {
        isAtEnd = true
        break
      }
      last = (time, duration)
      time += duration
      count += 1
      guard skip.leavesOut(endingAt: time, after: skipped) else { break }
      skipped += 1
    }
    if cancellation.isCancelled { return nil }
    // Who plays it again and again would never come to an end.
    if count == 0 { throw AssetError(name, "there is no picture in it") }
    guard let last else { return nil }
    return MovingFrame(pixels: shown(decoder.canvas), start: last.start, duration: last.duration)
  }

  package func rewind() throws(AssetError) {
    time = .zero
    count = 0
    isAtEnd = false
    do throws(DecodeStop) {
      try decoder.rewind(job)
    } catch {
      throw AssetError(error, of: name)
    }
  }

  private func shown(_ canvas: PixelBuffer) -> PixelBuffer {
    let small = ReducedPicture(canvas, of: canvas.size).shown(at: target, .aspectFit)
    return colors.sRGB(small, from: decoder.colors).upright(from: orientation)
  }
}

/// Decodes the frames of one animation in order, each drawn over what was there before.
protocol AnimationDecoder: AnyObject {
  /// The size of the canvas.
  var size: PixelSize { get }
  /// What the colours of the canvas mean.
  var colors: ColorSource { get }
  /// How often all is shown; nil = again and again. Asked right after the last frame of a pass.
  var playCount: Int? { get }
  /// The whole picture after `advance`.
  var canvas: PixelBuffer { get }

  /// Goes on to the next frame.
  /// - Parameter job: how long that may take.
  /// - Returns: how long it is shown; nil where there is none any more.
  func advance(_ job: DecodeJob) throws(DecodeStop) -> Duration?

  /// Begins anew before the first frame.
  func rewind(_ job: DecodeJob) throws(DecodeStop)
}

/// One frame of an animation as its file stores it: a part of the canvas, and how it is put there.
struct AnimationFrame: Hashable, Sendable {
  /// What happens to the frame's part of the canvas before the next frame is drawn.
  enum Disposal: Hashable, Sendable {
    case keep
    /// Nothing stays there: as browsers do it, not even a background colour.
    case clear
    /// What was there before comes back.
    case restore
  }

  /// How the frame is drawn onto the canvas.
  enum Blending: Hashable, Sendable {
    /// In the place of what was there.
    case replace
    /// Over what was there, which shines through.
    case over
  }

  var pixels: PixelBuffer
  /// Where its top left pixel lies; parts beside the canvas are cut off.
  var left = 0
  var top = 0
  var disposal = Disposal.keep
  var blending = Blending.over
  /// How long it is shown, as the file says it.
  var delay: Duration

  /// How long it is shown.
  var displayDuration: Duration { Self.displayDuration(delay) }

  /// How long a frame is shown whose file says `delay`.
  ///
  /// Ten milliseconds and less are a mistake of old encoders, or ask for a speed that no program kept; browsers show
  /// such a frame for a tenth of a second.
  static func displayDuration(_ delay: Duration) -> Duration {
    delay <= .milliseconds(10) ? .milliseconds(100) : delay
  }
}

extension AnimationBudget {
  /// Refuses a canvas without pixels, or of too many.
  static func check(_ canvas: PixelSize) throws(DecodeStop) {
    guard !canvas.isEmpty else { throw .failed("there is no picture in it") }
    try DecodeBudget().checkSides(canvas)
    guard canvas.area <= canvasPixels else { throw .tooLarge(canvas) }
  }
}
