import AssetLibrary
import Fixtures
import Pixels
import Testing
import Rendering

@testable import Decoding

/// How the decoders handle malformed files.
@Suite(.timeLimit(.minutes(120))) struct DamagedPictureTests {
  @Test(arguments: SmallPictures.kinds)
  func `A file truncated anywhere is rejected or shown with a note`(kind: String) throws {
    let bytes = try SmallPictures.bytes(kind)
    var notes = 0
    // Mostly within the headers.
    let ends =
      Array(stride(from: 0, to: min(bytes.count, 150), by: 3))
      + Array(stride(from: 150, to: bytes.count, by: 1 + bytes.count / 50))
    for end in ends {
      do {
        let picture = try #require(try decode(Array(bytes.prefix(end)), budget: .small))
        #expect(picture.sourceSize == SmallPictures.size)
        #expect((1...picture.pixels.height).contains(picture.visibleRows))
        notes += picture.complaint.isEmpty ? 0 : 1
      } catch let error as AssetError {
        #expect(error.subject == "IMG_1.JPG")
        #expect(!error.reason.isEmpty)
      }
    }
    // libspng reads its data 8192 bytes at a time, all or nothing.
    #expect(notes > 5 || kind.contains("PNG"), "\(notes) of \(ends.count)")
  }

  @Test(arguments: ["", "-interlace PNG"])
  func `A truncated PNG keeps the rows before its end`(way: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(TestScene.make(PixelSize(width: 200, height: 150)).pam, to: "scene.pam")
    let words = way.split(separator: " ").map(String.init)
    try folder.run(["convert", "scene.pam"] + words + ["PNG24:a.png"])
    let bytes = try folder.bytes(of: "a.png")
    let whole = try #require(try decode(bytes))
    let picture = try #require(try decode(Array(bytes.prefix(bytes.count / 2))))
    #expect(picture.complaint == "the file ends in the middle of the picture")
    #expect(way.isEmpty ? (30..<120).contains(picture.visibleRows) : picture.visibleRows == 150)
    #expect(picture.pixels[16, 16] == whole.pixels[16, 16])
    // An interlaced picture is at least coarse everywhere.
    if !way.isEmpty { #expect(picture.pixels.isOpaque) }
  }

  @Test(arguments: SmallPictures.kinds, [1, 2, 3] as [UInt64])
  func `Flipped bytes never crash a decoder`(kind: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let good = try SmallPictures.bytes(kind)
    for round in 0..<40 {
      var bytes = good
      // Half of the flips are in the headers.
      let end = round.isMultiple(of: 2) ? min(good.count, 80) : good.count
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 2..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let needed = PixelSize.square(Int.random(in: 1...60, using: &random))
      if let picture = try? decode(bytes, needed: { $0.scaled(toward: needed, .aspectFit) }, budget: .small) {
        #expect((1...picture.pixels.height).contains(picture.visibleRows))
        _ = picture.pixels
      }
    }
  }

  @Test(arguments: SmallPictures.kinds)
  func `A canceled decode returns nothing`(kind: String) throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(try decode(SmallPictures.bytes(kind), cancellation: cancellation) == nil)
  }

  @Test(arguments: SmallPictures.kinds)
  func `A decode that takes too long is aborted`(kind: String) throws {
    var budget = DecodeBudget()
    budget.time = .zero
    let expected = AssetError("IMG_1.JPG", "decoding it takes too long", isStall: true)
    #expect(throws: expected) { try decode(SmallPictures.bytes(kind), budget: budget) }
  }

  @Test(arguments: SmallPictures.kinds)
  func `A picture beyond the budget is rejected unless less of it is needed`(kind: String) throws {
    var budget = DecodeBudget()
    budget.decodedPixels = SmallPictures.size.area - 1
    let bytes = try SmallPictures.bytes(kind)
    let expected = AssetError("IMG_1.JPG", "the picture is 48 x 32 pixels, too large to be shown")
    #expect(throws: expected) { try decode(bytes, budget: budget) }
    let small = try decode(bytes, needed: { $0.scaled(toward: .square(12), .aspectFit) }, budget: budget)
    #expect(small?.pixels.size == PixelSize(width: 12, height: 8))
    budget.storedPixels = SmallPictures.size.area - 1
    #expect(throws: expected) { try decode(bytes, needed: { _ in .square(1) }, budget: budget) }
  }

  struct Header: Sendable, CustomTestStringConvertible {
    var kind: String
    /// Where the sizes are stored, and how.
    var place: Range<Int>
    var bytes: [UInt8]
    var testDescription: String { kind }
  }

  @Test(arguments: [
    Header(kind: "PNG24:a.png", place: 16..<24, bytes: MediaBytes.big(60000, 4) + MediaBytes.big(60000, 4)),
    Header(
      kind: "-interlace PNG PNG32:b.png", place: 16..<24,
      bytes: MediaBytes.big(60000, 4) + MediaBytes.big(60000, 4)),
    Header(kind: "a.gif", place: 6..<10, bytes: MediaBytes.little(60000, 2) + MediaBytes.little(60000, 2)),
    Header(
      kind: "BMP3:a.bmp", place: 18..<26, bytes: MediaBytes.little(60000, 4) + MediaBytes.little(60000, 4)),
  ])
  func `A header that announces too much is rejected`(header: Header) throws {
    var bytes = try SmallPictures.bytes(header.kind)
    bytes.replaceSubrange(header.place, with: header.bytes)
    let expected = AssetError("IMG_1.JPG", "the picture is 60,000 x 60,000 pixels, too large to be shown")
    #expect(throws: expected) { try decode(bytes, needed: { _ in .square(100) }) }
  }

  @Test func `A WebP that must be held in memory completely is rejected beyond the budget`() throws {
    let bytes = PictureFiles.webp(
      PictureFiles.webpChunk(
        "VP8L", [0x2F] + MediaBytes.little(16382 | 16382 << 14, 4) + [UInt8](repeating: 7, count: 64)))
    let expected = AssetError("IMG_1.JPG", "the picture is 16,383 x 16,383 pixels, too large to be shown")
    #expect(throws: expected) { try decode(bytes, needed: { _ in .square(100) }) }
  }

  @Test func `A long file is read in pieces`() throws {
    guard var decoder = ImageDecoder() else { throw FixtureError("no decoder") }
    for kind in SmallPictures.kinds where !kind.hasSuffix("webp") {
      let bytes = try SmallPictures.bytes(kind)
      _ = try decoder.decode(PieceReader(bytes: bytes, longest: 1 << 16), name: "x", needed: { $0 })
    }
    var budget = DecodeBudget()
    budget.streamedFile = 100
    budget.heldFile = 100
    for kind in SmallPictures.kinds {
      let expected = AssetError("IMG_1.JPG", "the file is too large to be shown")
      #expect(throws: expected) { try decode(SmallPictures.bytes(kind), budget: budget) }
    }
  }

  @Test(arguments: SmallPictures.kinds)
  func `An unreadable file reports the reader's error`(kind: String) throws {
    guard var decoder = ImageDecoder() else { throw FixtureError("no decoder") }
    let bytes = try SmallPictures.bytes(kind)
    let reader = PieceReader(bytes: bytes, longest: 1 << 20, failsFrom: 30)
    #expect(throws: AssetError("disk", "on fire", isTransient: true)) {
      try decoder.decode(reader, name: "x", needed: { $0 })
    }
  }
}

/// A reader that rejects long reads, and reads of later bytes.
private struct PieceReader: ResourceReader {
  var bytes: [UInt8]
  var longest: Int
  var failsFrom = Int.max

  var count: Int { bytes.count }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
    guard buffer.count <= longest, offset + min(buffer.count, 20) <= failsFrom, offset < failsFrom else {
      throw AssetError("disk", "on fire")
    }
    guard offset + buffer.count <= failsFrom || offset == 0 && buffer.count <= 64 || failsFrom == .max else {
      throw AssetError("disk", "on fire")
    }
    return try MemoryReader(bytes).read(at: offset, into: buffer)
  }
}
