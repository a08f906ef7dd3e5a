import CodecProtocol

/// Reads the facts of a file with the library that knows its format.
enum FactsReader {
  static func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    switch CodecLibrary(head: file.bytes(at: 0, count: CodecLibrary.headLength)) {
    case .heif: try HEIFReader.facts(of: file)
    case .raw: try RAWReader.facts(of: file)
    case .movie(let demuxer): try MovieReader.facts(of: file, demuxer: demuxer)
    case nil: throw .unreadable(file.byteCount == 0 ? "the file is empty" : "an unknown format")
    }
  }
}
