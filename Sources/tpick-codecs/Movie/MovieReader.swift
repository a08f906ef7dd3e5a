import CodecProtocol

/// The facts of a video, by libavformat.
enum MovieReader {
  static func facts(of file: InputFile, demuxer: String) throws(CodecError) -> CodecFacts {
    if demuxer == "mov" { try BoxReader(file: file).requireMovie() }
    let container = try MovieContainer(file, demuxer: demuxer)
    if container.isVague { container.probe() }
    var facts = container.facts
    guard facts.hasVideo || facts.hasAudio else { throw .unreadable("no video and no sound in it") }
    if demuxer == "mov" { MovieBoxes(file).fill(&facts) }
    return facts
  }
}
