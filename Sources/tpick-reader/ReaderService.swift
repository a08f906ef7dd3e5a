import AssetLibrary
import CConfinement
import CodecProtocol
import Decoding
import HelperMetadata
import Pixels
import Rendering

/// Decodes pictures of light formats and reads metadata.
///
/// Used by one thread.
final class ReaderService: HelperService {
  private var decoder: ImageDecoder
  private let colors: ColorManager
  private let interruption: RequestInterruption
  private var reports = ReportService()

  /// - Parameter interruption: reports whether a request was cancelled.
  /// - Returns: nil if memory for a decoder is short.
  init?(_ interruption: RequestInterruption) {
    colors = ColorManager()
    guard let decoder = ImageDecoder(colors: colors) else { return nil }
    self.decoder = decoder
    self.interruption = interruption
  }

  func rendering(
    of file: Int32, _ request: RenderingRequest, into output: PictureOutput
  ) throws(CodecError) -> RenderingFacts {
    let reader = DescriptorReader(file, range: request.range)
    var budget = DecodeBudget()
    budget.decodedPixels = request.maxDecodedPixels
    budget.workingBytes = request.maxWorkingBytes
    decoder.budget = budget
    let orientation = Orientation(rawValue: request.orientation) ?? .topLeft
    let rendering: Rendering?
    do throws(DecodeStop) {
      rendering =
        switch request.source {
        case .picture:
          try decoder.picture(
            PictureShape(request), orientation: orientation, from: reader,
            keeping: request.keptSide > 0 ? request.keptSide : nil, cancellation: interruption)
        case .embeddedThumbnail:
          try decoder.thumbnail(
            PictureShape(request), orientation: orientation,
            storedSize: PixelSize(width: request.storedWidth, height: request.storedHeight), from: reader,
            cancellation: interruption)
        }
    } catch {
      throw CodecError(error)
    }
    guard let rendering else { throw .unknownFormat }
    return try output.put(rendering)
  }

  func thumbnail(
    of file: Int32, _ request: ThumbnailRequest, into output: PictureOutput
  ) throws(CodecError) -> ThumbnailFacts {
    let reader = DescriptorReader(file)
    guard reader.count <= request.longestFile else { throw .unreadable("too large for a thumbnail") }
    let bytes: [UInt8]
    do throws(AssetError) {
      bytes = try reader.bytes(in: 0..<reader.count)
    } catch {
      throw .readError(error.reason)
    }
    return try bytes.withUnsafeBytes { bytes in
      Result { () throws(CodecError) in try Self.thumbnail(in: bytes, request, into: output) }
    }.get()
  }

  private static func thumbnail(
    in bytes: UnsafeRawBufferPointer, _ request: ThumbnailRequest, into output: PictureOutput
  ) throws(CodecError) -> ThumbnailFacts {
    guard var reader = ThumbnailReader(bytes, longestSide: request.longestSide) else {
      throw .unreadable("not a thumbnail")
    }
    guard request.wantsPicture else { return ThumbnailFacts(words: reader.words) }
    guard let picture = reader.picture() else { throw .unreadable("the thumbnail is damaged") }
    return ThumbnailFacts(words: reader.words, picture: try output.put(picture))
  }

  func report(on file: Int32, _ request: ReportRequest, to wire: inout WireWriter) {
    reports.report(on: file, request, to: &wire)
  }

  func giveUp(after seconds: UInt32) { give_up_after(seconds) }

  func frames(of file: Int32, _ request: FramesRequest) throws(CodecError) -> any FrameSequence {
    do throws(AssetError) {
      let reader = try AnimationReader(
        DescriptorReader(file, range: request.range), name: "",
        orientation: Orientation(rawValue: request.orientation) ?? .topLeft,
        target: PixelSize(width: request.targetWidth, height: request.targetHeight), colors: colors,
        cancellation: interruption)
      return AnimationSequence(reader, orientation: Orientation(rawValue: request.orientation) ?? .topLeft)
    } catch {
      throw CodecError(error)
    }
  }
}

extension PictureShape {
  /// Creates the shape from its wire form.
  fileprivate init(_ request: RenderingRequest) {
    let crop = request.crop
    let resizeMode: ImageRequestOptions.ResizeMode =
      switch request.resizing {
      case .none: .none
      case .fast: .fast
      case .exact: .exact
      }
    self.init(
      targetSize: PixelSize(width: request.targetWidth, height: request.targetHeight),
      contentMode: request.fills ? .aspectFill : .aspectFit, resizeMode: resizeMode,
      crop: NormalizedRect(x: crop[0], y: crop[1], width: crop[2], height: crop[3]) ?? .whole)
  }
}

extension RequestInterruption: DecodeInterruption {}

extension CodecError {
  /// Creates an error for tpick from the reason why a decode ended.
  init(_ stop: DecodeStop) {
    self =
      switch stop {
      case .cancelled: .cancelled
      case .failed(let reason): .unreadable(reason)
      case .unreadable(let error): .readError(error.reason)
      case .noMemory: .noMemory
      case .late: .late
      }
  }

  /// Creates an error for tpick from the reason why there is no frame.
  init(_ error: AssetError) {
    self = error.isStall ? .late : error.isTransient ? .readError(error.reason) : .unreadable(error.reason)
  }
}

/// The frames of an animation for tpick.
private final class AnimationSequence: FrameSequence {
  private let reader: AnimationReader
  private let orientation: Orientation

  init(_ reader: AnimationReader, orientation: Orientation) {
    (self.reader, self.orientation) = (reader, orientation)
  }

  var playCount: UInt32 { UInt32(clamping: reader.playCount ?? 0) }
  var length: Int64 { reader.length?.microseconds ?? 0 }

  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
    let frame: MovingFrame?
    do throws(AssetError) {
      frame = try reader.next(
        FrameSkip(until: .microseconds(skip.until), most: Int(skip.most)))
    } catch {
      throw CodecError(error)
    }
    guard let frame else { return nil }
    let canvas = orientation.upright(reader.canvasSize)
    var facts = PictureFacts(frame.pixels)
    (facts.sourceWidth, facts.sourceHeight) = (canvas.width, canvas.height)
    let memory = try PictureMemory(facts)
    frame.pixels.withUnsafeBytes { memory.bytes.copyMemory(from: $0) }
    return CodedFrame(
      picture: memory, start: frame.start.microseconds, duration: frame.duration.microseconds)
  }
}

extension Duration {
  /// Whole microseconds.
  fileprivate var microseconds: Int64 { Int64(clamping: Int(self / .microseconds(1))) }
}
