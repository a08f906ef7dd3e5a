package import CodecProtocol
import Pixels

// The wire format of metadata requests and responses between processes.

extension MetadataRequest {
  /// The maximum length of an identifier in bytes; a UUID has 36.
  package static let longestIdentifier = 128

  /// Writes the request.
  package func write(to wire: inout WireWriter) {
    wire.put(policy.stripping.rawValue)
    wire.put(policy.removesCaptions)
    wire.put(policy.newSize) { wire, size in
      wire.put(size.width)
      wire.put(size.height)
    }
    for number in [byteCount, longestXMP, motionVideoByteCount, motionPhotoTime] {
      wire.put(number) { $0.put($1) }
    }
    wire.put(contentIdentifier) { $0.put($1, upTo: Self.longestIdentifier) }
  }

  /// Reads a request that `write` wrote.
  package init(from wire: inout WireReader) throws(WireError) {
    guard let stripping = MetadataPolicy.Stripping(rawValue: try wire.byte()) else { throw WireError() }
    let removesCaptions = try wire.bool()
    let sides = 0...MediaFacts.longestSide
    let size = try wire.optional { wire throws(WireError) in
      PixelSize(width: try wire.number(in: sides), height: try wire.number(in: sides))
    }
    let byteCount = try wire.optional { wire throws(WireError) in try wire.number(in: 0 ... .max) }
    let longestXMP = try wire.optional { wire throws(WireError) in try wire.number(in: 0 ... .max) }
    let motionVideo = try wire.optional { wire throws(WireError) in try wire.number(in: 0 ... .max) }
    let motionPhotoTime = try wire.optional { wire throws(WireError) in try wire.number(in: 0 ... .max) }
    let identifier = try wire.optional { wire throws(WireError) in
      try wire.string(upTo: Self.longestIdentifier)
    }
    self.init(
      MetadataPolicy(stripping: stripping, removesCaptions: removesCaptions, newSize: size),
      byteCount: byteCount, longestXMP: longestXMP)
    (motionVideoByteCount, contentIdentifier) = (motionVideo, identifier)
    self.motionPhotoTime = motionPhotoTime
  }
}

extension MetadataOutput {
  /// The maximum length of a block in bytes; longer ones fit into no file.
  private static let longestBlock = 1 << 26

  /// Writes the blocks and the losses.
  package func write(to wire: inout WireWriter) {
    wire.put(losses.reduce(UInt8(0)) { $0 | 1 << UInt8($1.rawValue) })
    wire.put(hasEXIF)
    for block in [exif, xmp, extendedXMP, iptc] { wire.put(block) }
  }

  /// Reads blocks that `write` wrote.
  package init(from wire: inout WireReader) throws(WireError) {
    let mask = try wire.byte()
    guard mask < 1 << 4 else { throw WireError() }
    losses = Set(MetadataLoss.allCases.filter { mask & 1 << UInt8($0.rawValue) != 0 })
    hasEXIF = try wire.bool()
    exif = try wire.byteString(upTo: EXIFTree.longest)
    xmp = try wire.byteString(upTo: Self.longestBlock)
    extendedXMP = try wire.byteString(upTo: Self.longestBlock)
    iptc = try wire.byteString(upTo: Self.longestBlock)
  }
}
