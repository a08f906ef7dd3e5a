import CAVFormat
import CodecProtocol

/// The facts of a video, by libavformat.
enum MovieReader {
  static func facts(of file: InputFile, demuxer: String) throws(CodecError) -> CodecFacts {
    try withExtendedLifetime(file) { () throws(CodecError) in
      let container = try MovieContainer(file, demuxer: demuxer)
      if container.isVague { container.probe() }
      var facts = container.facts
      guard facts.hasVideo || facts.hasAudio else { throw .unreadable("no video and no sound in it") }
      if demuxer == "mov" { MovieBoxes(file).fill(&facts) }
      return facts
    }
  }
}

extension MovieContainer {
  var facts: CodecFacts {
    var facts = CodecFacts()
    facts.duration = duration.isFinite ? max(0, duration) : 0
    facts.hasAudio = first(AVMEDIA_TYPE_AUDIO) != nil
    addTags(context.pointee.metadata, to: &facts)
    guard let video = first(AVMEDIA_TYPE_VIDEO) else { return facts }
    facts.hasVideo = true
    addTags(video.pointee.metadata, to: &facts)
    let quarters = Int((tpick_av_rotation(video) / 90).rounded(.toNearestOrEven).clamped)
    let size = (video.pointee.codecpar.pointee.width, video.pointee.codecpar.pointee.height)
    facts.width = Int(max(0, quarters % 2 == 0 ? size.0 : size.1))
    facts.height = Int(max(0, quarters % 2 == 0 ? size.1 : size.0))
    facts.frameRate = frameRate(of: video, lasting: facts.duration)
    return facts
  }

  private func frameRate(of video: UnsafeMutablePointer<AVStream>, lasting seconds: Double) -> Double {
    let rate = video.pointee.avg_frame_rate
    if rate.num > 0, rate.den > 0 { return Double(rate.num) / Double(rate.den) }
    return video.pointee.nb_frames > 1 && seconds > 0 ? Double(video.pointee.nb_frames) / seconds : 0
  }

  /// Adds what is not there already: the container's tags come before its streams'.
  private func addTags(_ tags: OpaquePointer?, to facts: inout CodecFacts) {
    var entry: UnsafePointer<AVDictionaryEntry>?
    while facts.tags.count < Limits.tags, let next = tpick_av_next_tag(tags, entry) {
      entry = next
      let name = String(cString: next.pointee.key)
      guard name.utf8.count <= Limits.tag, facts.tags[name] == nil else { continue }
      let value = UnsafeBufferPointer(
        start: next.pointee.value, count: strnlen(next.pointee.value, Limits.tag))
      facts.tags[name] = String(decoding: value.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}

extension Double {
  /// No angle, or a quarter turn at most four times.
  fileprivate var clamped: Double { isFinite ? min(4, max(-4, self)) : 0 }
}
