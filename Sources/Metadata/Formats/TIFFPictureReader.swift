import Pixels

/// Reads the first picture of a TIFF file.
///
/// Format: TIFF 6.0, and BigTIFF; tag 700 is XMP (XMP specification part 3, 1.1.5), 33723 IPTC.
enum TIFFPictureReader {
  static func read(_ window: inout ByteWindow) -> MediaFacts? {
    let whole = 0..<window.end
    guard let picture = EXIFReader(whole, in: &window)?.picture(in: &window),
      let width = picture.width, let height = picture.height,
      [width, height].allSatisfy({ (1...Int(UInt32.max)).contains($0) })
    else { return nil }
    var blocks = MetadataBlocks()
    blocks.readEXIF(whole, in: &window)
    blocks.facts.storedSize = PixelSize(width: width, height: height)
    if let xmp = picture.xmp { blocks.readXMP(xmp, in: &window) }
    if let iptc = picture.iptc { blocks.readIPTC(iptc, in: &window) }
    return blocks.resolved()
  }
}
