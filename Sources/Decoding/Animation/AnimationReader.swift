package import AssetLibrary
import MediaFormats
package import Pixels
import Rendering

/// Reads the frames of a GIF, PNG or WebP animation.
///
/// A file that is damaged after its first picture ends there, in every pass; a pass without any picture is an
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
  /// Whether this pass has ended.
  private var isAtEnd = false
  /// The time to skip to; zero once it is reached.
  private var soughtTime = Duration.zero

  /// - Parameters:
  ///   - name: name of the file in error messages.
  ///   - target: box in pixels that the upright picture fits inside.
  /// - Throws: `AssetError` if the file is not an animation, or too large.
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
        case .jpeg, .bmp, nil: throw .failed("not an animation or a video")
        }
    } catch {
      throw AssetError(error, of: name)
    }
  }

  private var job: DecodeJob {
    DecodeJob(reader, budget: budget, colors: colors, cancellation: cancellation)
  }

  package var playCount: Int? { decoder.playCount }

  /// Not stated: only all frames together have it.
  package var length: Duration? { nil }

  /// Size of the canvas as stored, before orientation.
  package var canvasSize: PixelSize { decoder.size }

  package func next(_ skip: FrameSkip) throws(AssetError) -> MovingFrame? {
    let skip = soughtTime > .zero ? FrameSkip(until: soughtTime, most: .max) : skip
    soughtTime = .zero
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
    // Without this error, endless playback would never yield a picture.
    if count == 0 { throw AssetError(name, "it contains no picture") }
    guard let last else { return nil }
    return MovingFrame(pixels: shown(decoder.canvas), start: last.start, duration: last.duration)
  }

  package func seek(to time: Duration) throws(AssetError) {
    soughtTime = time
    self.time = .zero
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

/// Decodes the frames of an animation in order, each drawn over the previous ones.
protocol AnimationDecoder: AnyObject {
  /// Size of the canvas in pixels.
  var size: PixelSize { get }
  /// Color space of the canvas.
  var colors: ColorSource { get }
  /// How often the animation is played; nil means endlessly.
  ///
  /// Read right after the last frame of a pass.
  var playCount: Int? { get }
  /// The whole picture after `advance`.
  var canvas: PixelBuffer { get }

  /// Decodes the next frame.
  /// - Parameter job: its deadline and cancellation.
  /// - Returns: the frame's duration; nil after the last frame.
  func advance(_ job: DecodeJob) throws(DecodeStop) -> Duration?

  /// Rewinds to before the first frame.
  func rewind(_ job: DecodeJob) throws(DecodeStop)
}

/// A frame of an animation as stored: an area of the canvas, and how it is drawn.
struct AnimationFrame: Hashable, Sendable {
  /// What happens to the frame's area before the next frame is drawn.
  enum Disposal: Hashable, Sendable {
    case keep
    /// The area becomes transparent, without a background color, as in browsers.
    case clear
    /// The previous content is restored.
    case restore
  }

  /// How the frame is drawn onto the canvas.
  enum Blending: Hashable, Sendable {
    /// Replaces the previous content.
    case replace
    /// Composited over the previous content.
    case over
  }

  var pixels: PixelBuffer
  /// Position of its top left pixel; parts outside the canvas are cut off.
  var left = 0
  var top = 0
  var disposal = Disposal.keep
  var blending = Blending.over
  /// Its duration according to the file.
  var delay: Duration

  /// The duration for which it is shown.
  var displayDuration: Duration { Self.displayDuration(delay) }

  /// Returns the duration for which a frame with the stored `delay` is shown.
  ///
  /// Ten milliseconds and less are a mistake of old encoders, or ask for a speed that no program reached; browsers
  /// show such a frame for a tenth of a second.
  static func displayDuration(_ delay: Duration) -> Duration {
    delay <= .milliseconds(10) ? .milliseconds(100) : delay
  }
}

extension AnimationBudget {
  /// Rejects an empty canvas, and one with too many pixels.
  static func check(_ canvas: PixelSize) throws(DecodeStop) {
    guard !canvas.isEmpty else { throw .failed("it contains no picture") }
    try DecodeBudget().checkSides(canvas)
    guard canvas.area <= canvasPixels else { throw .tooLarge(canvas) }
  }
}
