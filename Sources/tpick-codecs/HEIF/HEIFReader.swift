import CodecProtocol

/// The facts of a HEIC or AVIF file, by libheif; what libheif does not tell, by the boxes themselves.
enum HEIFReader {
  static func facts(of file: InputFile) throws(CodecError) -> CodecFacts {
    let opened = try HEIFFile(file)
    let primary = try opened.primary()
    var facts = CodecFacts()
    facts.width = primary.width
    facts.height = primary.height
    guard facts.width > 0, facts.height > 0 else { throw .unreadable("a picture without a size") }
    facts.imageCount = opened.imageCount
    facts.auxiliaryTypes = primary.auxiliaryTypes
    (facts.exif, facts.xmp) = primary.metadata
    HEIFBoxes(file).fill(&facts)
    return facts
  }
}
