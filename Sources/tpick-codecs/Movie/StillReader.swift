import CodecProtocol

/// Files of one picture that libavcodec decodes: JPEG 2000, Netpbm, QOI.
enum StillReader {
  static func facts(of file: InputFile, demuxer: String) throws(CodecError) -> CodecFacts {
    let container = try MovieContainer(file, demuxer: demuxer)
    // The demuxers of single pictures tell nothing by themselves.
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
    // None of them has a small picture, and all of the file is decoded.
    guard request.source != .embedded, !file.isPartial else { throw .nothingEmbedded }
    let decoder = try VideoDecoder(file, demuxer: demuxer, maxPixels: request.maxPixels, .all)
    guard let frame = decoder.nextFrame() else { throw .unreadable("no picture that can be decoded") }
    let (width, height) = frame.size(in: decoder.video.pixelShape)
    let reduction = max(1, request.reduction(ofWidth: width, height: height))
    return try FrameScaler().picture(
      of: frame, decoder.video,
      size: ((width + reduction - 1) / reduction, (height + reduction - 1) / reduction), for: request)
  }
}
