import CodecProtocol

/// A picture that stands for a video: the first of its key frames after a tenth of its time that is not black.
enum MovieDecoder {
  /// Key frames that are looked at.
  private static let most = 12

  static func picture(
    of file: InputFile, demuxer: String, _ request: DecodeRequest
  ) throws(CodecError) -> PictureMemory {
    guard request.source != .embedded else { throw .nothingEmbedded }
    file.budget = Limits.search
    return try withExtendedLifetime(file) { () throws(CodecError) in
      let container = try MovieContainer(file, demuxer: demuxer)
      if container.isVague { container.probe() }
      let stills = try StillReader(container, maxPixels: request.maxPixels)
      var darkest: PictureMemory?
      for index in 0..<most {
        var next = stills.next()
        if next == nil, index == 0 {
          // The only key frame may be the first.
          stills.turnBack()
          next = stills.next()
        }
        guard let frame = next else { break }
        let picture = try FrameConverter.picture(of: frame, stills.orientation, request)
        if !isBlack(picture) { return picture }
        darkest = darkest ?? picture
      }
      // A night, or a video that never gets bright.
      guard let darkest else { throw .unreadable("no picture in the video that can be decoded") }
      return darkest
    }
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
