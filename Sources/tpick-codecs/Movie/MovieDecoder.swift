import CodecProtocol

/// A picture that stands for a video: the first of its key frames after a tenth of its time that is not black.
enum MovieDecoder {
  /// Key frames that are looked at, and of a file of which each has to be fetched.
  private static let most = 12
  private static let mostFetched = 3

  static func picture(
    of file: InputFile, demuxer: String, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    guard request.source != .embedded else { throw .nothingEmbedded }
    if demuxer == "mov" { try BoxReader(file: file).requireMovie() }
    let video = try VideoDecoder(file, demuxer: demuxer, maxPixels: request.maxPixels, .keys)
    video.seekToTenth()
    let scaler = FrameScaler()
    var darkest: PictureMemory?
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
      if !isBlack(picture) { return picture }
      darkest = darkest ?? picture
    }
    // A night, or a video that never gets bright.
    guard let darkest else { throw .unreadable("no picture in the video that can be decoded") }
    return darkest
  }

  /// The frame's size before it is turned, in square pixels, shrunk by a whole number.
  private static func size(
    of frame: VideoFrame, _ video: MovieContainer.Video, _ request: DecodeRequest
  ) -> (width: Int, height: Int) {
    let (width, height) = frame.size(in: video.pixelShape)
    let upright = video.orientation >= 5 ? (width: height, height: width) : (width: width, height: height)
    let reduction = max(1, request.reduction(ofWidth: upright.width, height: upright.height))
    return ((width + reduction - 1) / reduction, (height + reduction - 1) / reduction)
  }

  /// Whether next to nothing is to be seen: of points all over the picture one in fifty is not dark.
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
