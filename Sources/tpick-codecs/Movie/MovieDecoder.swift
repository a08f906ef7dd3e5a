import CAVFormat
import CodecProtocol
import HelperMetadata
import Metadata
import Pixels
import System

/// Decodes the poster of a video: its cover if it has one, otherwise the first key frame after a tenth of its
/// duration that is neither black nor blurred.
enum MovieDecoder {
  /// Upper bounds of the key frames that are examined, the second for a file that is being fetched.
  private static let most = 12
  private static let mostFetched = 3
  /// Upper bound of the key frames that are examined although they are not black.
  private static let mostBlurred = 3
  /// The contrast of neighboring pixels, from 0 to 255, that a picture has in its sharpest places.
  private static let leastSharpness = 12

  static func picture(
    of file: InputFile, demuxer: String, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    guard request.source != .embedded else { throw .nothingEmbedded }
    if demuxer == "mov" { try file.requireMovie() }
    let video = try VideoDecoder(file, demuxer: demuxer, maxPixels: request.maxPixels, .keys)
    let scaler = FrameScaler()
    if let (cover, frame) = video.cover(maxPixels: request.maxPixels) {
      return try scaler.picture(of: frame, cover, size: size(of: frame, cover, request), for: request)
    }
    video.seekToTenth()
    var darkest: PictureMemory?
    var blurred: (picture: PictureMemory, sharpness: Int)?
    var blurredCount = 0
    for index in 0..<(file.isPartial ? mostFetched : most) {
      var next = video.nextFrame()
      if next == nil, index == 0 {
        // The only key frame may be the first.
        video.seekToStart()
        next = video.nextFrame()
      }
      guard let frame = next else { break }
      let picture = try scaler.picture(
        of: frame, video.video, size: size(of: frame, video.video, request), for: request)
      if isBlack(picture) {
        darkest = darkest ?? picture
        continue
      }
      let sharpness = sharpness(of: picture)
      if sharpness >= leastSharpness || file.isPartial { return picture }
      if sharpness > blurred?.sharpness ?? -1 { blurred = (picture, sharpness) }
      blurredCount += 1
      // A sky, a wall or fog stays as it is.
      if blurredCount == mostBlurred { break }
    }
    // A night scene, or a video that never gets bright.
    guard let darkest = blurred?.picture ?? darkest else {
      throw .unreadable("no picture in the video can be decoded")
    }
    return darkest
  }

  /// Returns the frame's size before orientation, in square pixels, reduced by an integer factor.
  fileprivate static func size(
    of frame: VideoFrame, _ video: MovieContainer.Video, _ request: DecodeRequest
  ) -> (width: Int, height: Int) {
    let (width, height) = frame.size(in: video.pixelShape)
    let upright = video.orientation >= 5 ? (width: height, height: width) : (width: width, height: height)
    let reduction = max(1, request.reduction(ofWidth: upright.width, height: upright.height))
    return ((width + reduction - 1) / reduction, (height + reduction - 1) / reduction)
  }

  /// The difference between neighboring pixels, from 0 to 255, that one pair in fifty of a grid exceeds.
  private static func sharpness(of picture: PictureMemory) -> Int {
    let pixels = picture.bytes
    let (width, height) = (picture.facts.width, picture.facts.height)
    // Large frames have the same contrast over more pixels.
    let step = max(1, width / 320)
    guard width > step else { return 255 }
    let points = 60
    var counts = [Int](repeating: 0, count: 256)
    for y in 0..<points {
      for x in 0..<points {
        let column = min(width - 1 - step, (x * 2 + 1) * width / (points * 2))
        let pixel = ((y * 2 + 1) * height / (points * 2) * width + column) * 4
        counts[abs(Int(pixels[pixel + 1]) - Int(pixels[pixel + step * 4 + 1]))] += 1
      }
    }
    var above = 0
    for difference in (0..<256).reversed() {
      above += counts[difference]
      if above * 50 > points * points { return difference }
    }
    return 0
  }

  /// Whether a frame is nearly black: of a grid of points, no more than one in fifty is brighter than dark.
  private static func isBlack(_ picture: PictureMemory) -> Bool {
    let pixels = picture.bytes
    let (width, height) = (picture.facts.width, picture.facts.height)
    let points = 40
    var bright = 0
    for y in 0..<points {
      for x in 0..<points {
        let pixel = ((y * 2 + 1) * height / (points * 2) * width + (x * 2 + 1) * width / (points * 2)) * 4
        if pixels[pixel] > 40 || pixels[pixel + 1] > 40 || pixels[pixel + 2] > 40 { bright += 1 }
      }
    }
    return bright * 50 < points * points
  }
}

/// The frames of a video or of an AVIF or HEIC sequence, from first to last.
final class MovieFrames: FrameSequence {
  let playCount: UInt32
  let length: Int64
  private let decoder: VideoDecoder
  private let request: FramesRequest
  private let scaler = FrameScaler()
  private var clock: FrameClock
  private var isAtEnd = false
  /// Microseconds before the end in which all frames are decoded.
  private static let ending: Int64 = 1_000_000

  /// - Parameter loops: whether it plays endlessly: an animated picture rather than a film.
  init(
    _ file: InputFile, demuxer: String, loops: Bool, _ request: FramesRequest
  ) throws(CodecError) {
    self.request = request
    playCount = loops ? 0 : 1
    decoder = try VideoDecoder(file, demuxer: demuxer, maxPixels: request.maxPixels, .all)
    clock = decoder.video.clock
    length = decoder.length
    if request.start > 0, let time = clock.units(ofMicroseconds: request.start),
      let origin = decoder.seek(to: time)
    {
      clock.seek(origin: origin)
    }
  }

  func next(_ skip: FrameTimes) throws(CodecError) -> CodedFrame? {
    // Frames that may be left out are those of a playback; others are wanted as they are.
    decoder.adapt(toWidth: max(request.targetWidth, request.targetHeight), isInMotion: skip.most > 0)
    var skipped: UInt32 = 0
    var last: (start: Int64, duration: Int64)?
    // The last frame must be decoded, whichever it is.
    let mayLeaveOut = skip.most > 0 && skip.until < length - Self.ending
    let late = mayLeaveOut ? clock.stamp(at: skip.until) : nil
    while !isAtEnd {
      guard let frame = decoder.nextFrame(leavingOutUntil: late) else {
        isAtEnd = true
        break
      }
      last = clock.next(stamp: frame.timestamp, duration: frame.duration)
      guard clock.end <= skip.until, skipped < skip.most else { break }
      skipped += 1
    }
    guard let last, let frame = decoder.lastFrame else { return nil }
    let picture = try scaler.picture(
      of: frame, decoder.video, size: size(of: frame),
      for: DecodeRequest(maxPixels: request.maxPixels))
    return CodedFrame(picture: picture, start: last.start, duration: last.duration)
  }

  /// Returns the size that fits into the request's box, before orientation.
  private func size(of frame: VideoFrame) -> (width: Int, height: Int) {
    let (width, height) = frame.size(in: decoder.video.pixelShape)
    let isTurned = decoder.video.orientation >= 5
    let target =
      isTurned ? (request.targetHeight, request.targetWidth) : (request.targetWidth, request.targetHeight)
    let scale = min(1, Double(target.0) / Double(width), Double(target.1) / Double(height))
    let side = { (length: Int) in max(1, Int((Double(length) * scale).rounded())) }
    return (side(width), side(height))
  }
}

/// Reads the metadata of a video with libavformat.
enum MovieReader {
  static func facts(of file: InputFile, demuxer: String) throws(CodecError) -> CodecFacts {
    if demuxer == "mov" { try file.requireMovie() }
    let container = try MovieContainer(file, demuxer: demuxer)
    if container.needsProbing { container.probe() }
    guard container.hasVideoOrSound else { throw .unreadable("it contains neither video nor sound") }
    var facts = container.facts
    if demuxer == "mov" { MovieBoxes(file).fill(&facts) }
    return facts
  }
}

/// Reads files with one picture that libavcodec decodes: JPEG 2000, Netpbm, QOI.
enum StillReader {
  static func facts(of file: InputFile, demuxer: String) throws(CodecError) -> CodecFacts {
    let container = try MovieContainer(file, demuxer: demuxer)
    // The demuxers of single pictures report nothing without probing.
    container.probe()
    let found = container.facts
    guard found.width > 0, found.height > 0 else { throw .unreadable("a picture without a size") }
    var facts = CodecFacts()
    (facts.width, facts.height) = (found.width, found.height)
    return facts
  }

  static func picture(
    of file: InputFile, demuxer: String, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    // None of these formats has an embedded thumbnail, and decoding needs the whole file.
    guard request.source != .embedded, !file.isPartial else { throw .nothingEmbedded }
    let orientation = orientation(of: file)
    let decoder = try VideoDecoder(file, demuxer: demuxer, maxPixels: request.maxPixels, .all)
    guard let frame = decoder.nextFrame() else { throw .unreadable("no picture that can be decoded") }
    var picture = decoder.video
    picture.orientation = orientation
    return try FrameScaler().picture(
      of: frame, picture, size: MovieDecoder.size(of: frame, picture, request), for: request)
  }

  /// Returns the EXIF orientation of a picture, 1 to 8, from its metadata: the formats themselves have none.
  private static func orientation(of file: InputFile) -> UInt8 {
    let reading = MediaReader.read(from: Source(file: file), byteCount: file.byteCount)
    if case .media(_, let facts?) = reading { return facts.orientation.rawValue }
    return 1
  }

  private struct Source: ByteSource {
    let file: InputFile

    func read(at offset: Int, count: Int) throws(Never) -> [UInt8] { file.bytes(at: offset, count: count) }
  }
}

/// A file as libavformat's input; owns the buffer and the I/O context.
final class MovieInput {
  /// Bytes per read: a header, seldom more.
  private static let readSize: Int32 = 32 << 10

  private let file: InputFile
  private let io: UnsafeMutablePointer<AVIOContext>

  init(_ file: InputFile) throws(CodecError) {
    guard let buffer = av_malloc(Int(Self.readSize)) else { throw .noMemory }
    let pointer = Unmanaged.passUnretained(file).toOpaque()
    guard
      let io = avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Self.readSize, 0, pointer, Self.read, nil, Self.seek)
    else {
      av_free(buffer)
      throw .noMemory
    }
    self.io = io
    self.file = file
  }

  deinit {
    // libavformat may have replaced our buffer.
    av_free(io.pointee.buffer)
    var releasing: UnsafeMutablePointer<AVIOContext>? = io
    avio_context_free(&releasing)
  }

  /// Makes a container read from this input; both must stay alive.
  func attach(to context: UnsafeMutablePointer<AVFormatContext>) {
    context.pointee.pb = io
    context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
  }

  private static let read:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int32) -> Int32 = {
      guard let file = InputFile.from($0), let buffer = $1 else { return tpick_av_input_error() }
      let room = UnsafeMutableRawBufferPointer(start: buffer, count: Int($2))
      // A partial read will do: libavformat asks for as much as its buffer holds.
      let count = file.read(at: file.position, into: room, needing: 1)
      guard count > 0 else { return count == 0 ? tpick_av_end_of_file() : tpick_av_input_error() }
      file.position += count
      return Int32(count)
    }

  private static let seek: @convention(c) (UnsafeMutableRawPointer?, Int64, Int32) -> Int64 = {
    guard let file = InputFile.from($0) else { return -1 }
    let base: Int
    switch $2 & ~AVSEEK_FORCE {
    case AVSEEK_SIZE: return Int64(file.byteCount)
    case SEEK_SET: base = 0
    case SEEK_CUR: base = file.position
    case SEEK_END: base = file.byteCount
    default: return -1
    }
    let (target, overflow) = base.addingReportingOverflow(Int($1))
    guard !overflow, target >= 0 else { return -1 }
    file.position = target
    return Int64(target)
  }
}
