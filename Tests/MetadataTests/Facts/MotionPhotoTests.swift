import Fixtures
import MediaFormats
import Metadata
import Testing

@Suite struct MotionPhotoTests {
  private func file(xmp attributes: String, _ elements: String = "", behind: [UInt8]) -> [UInt8] {
    let packet = MetadataSegments.xmp(attributes: attributes, elements: elements)
    return MetadataSegments.jpeg(MetadataSegments.xmpSegment(packet)) + behind
  }

  private func video(_ bytes: [UInt8]) -> Range<Int>? {
    guard
      case .media(.jpeg, let facts) = MediaReader.read(from: MemoryByteSource(bytes), byteCount: bytes.count)
    else { return nil }
    return facts?.motionVideo
  }

  private func directory(_ items: String) -> String {
    let items = items.split(separator: "|").map {
      "<rdf:li rdf:parseType=\"Resource\"><Container:Item \($0)/></rdf:li>"
    }
    return "<Container:Directory><rdf:Seq>\(items.joined())</rdf:Seq></Container:Directory>"
  }

  private let length = MetadataSegments.video.count
  private let primary = "Item:Semantic=\"Primary\" Item:Length=\"0\" Item:Padding=\"0\""

  @Test func `The video is located by the lengths of the items after the picture`() {
    let claim = "Camera:MotionPhoto=\"1\""
    let item = "Item:Semantic=\"MotionPhoto\" Item:Length=\"\(length)\" Item:Padding=\"0\""
    let bytes = file(xmp: claim, directory("\(primary)|\(item)"), behind: MetadataSegments.video)
    #expect(video(bytes) == bytes.count - length..<bytes.count)
    let more = file(
      xmp: claim, directory("\(primary)|\(item)|Item:Semantic=\"Other\" Item:Length=\"5\""),
      behind: MetadataSegments.video + [1, 2, 3, 4, 5])
    #expect(video(more) == more.count - 5 - length..<more.count - 5)
  }

  @Test func `The older form counts from the end`() {
    let bytes = file(
      xmp: "Camera:MicroVideo=\"1\" Camera:MicroVideoOffset=\"\(length)\"", behind: MetadataSegments.video)
    #expect(video(bytes) == bytes.count - length..<bytes.count)
  }

  @Test(arguments: [(7, false), (8, true), (60, true), (61, false), (0x7FFF_FFFF, false)])
  func `A video's first box is within the video`(size: Int, isVideo: Bool) {
    let behind = MediaBytes.big(size, 4) + MetadataSegments.video.dropFirst(4)
    let claim = "Camera:MotionPhoto=\"1\" Camera:MicroVideoOffset=\"\(length)\""
    let bytes = file(xmp: claim, behind: Array(behind))
    #expect(video(bytes) == (isVideo ? bytes.count - length..<bytes.count : nil))
  }

  @Test(arguments: ["999999", "9223372036854775807"])
  func `Lengths that exceed the file are ignored`(more: String) {
    let item = "Item:Semantic=\"MotionPhoto\" Item:Length=\"\(length)\" Item:Padding=\"0\""
    for (items, isBelieved) in [
      ("\(item)", true), ("\(item)|Item:Semantic=\"Other\" Item:Length=\"\(more)\"", false),
      ("\(item)|Item:Semantic=\"Other\" Item:Length=\"1\" Item:Padding=\"\(more)\"", false),
    ] {
      // The older form states the real position: a contradictory one counts as nothing.
      let claim = "Camera:MotionPhoto=\"1\" Camera:MicroVideoOffset=\"\(length)\""
      let bytes = file(xmp: claim, directory("\(primary)|\(items)"), behind: MetadataSegments.video)
      #expect(video(bytes) == (isBelieved ? bytes.count - length..<bytes.count : nil))
    }
  }

  @Test func `The flag alone proves nothing`() {
    let claim = "Camera:MotionPhoto=\"1\" Camera:MicroVideoOffset"
    for behind in [[], [UInt8](repeating: 1, count: length)] {
      #expect(video(file(xmp: "\(claim)=\"\(length)\"", behind: behind)) == nil)
    }
    for offset in ["0", "-5", "999999999999", "9223372036854775807", "x", "\(length - 1)"] {
      #expect(video(file(xmp: "\(claim)=\"\(offset)\"", behind: MetadataSegments.video)) == nil)
    }
    let unclaimed = "Camera:MotionPhoto=\"0\" Camera:MicroVideoOffset=\"\(length)\""
    #expect(video(file(xmp: unclaimed, behind: MetadataSegments.video)) == nil)
  }

  @Test func `A video is found in Samsung's trailer`() {
    var exif = TIFFFile()
    exif.text(0x010F, "samsung")
    let picture = MetadataSegments.jpeg(MetadataSegments.exifSegment(exif))
    let good = picture + MetadataSegments.samsungTrailer(MetadataSegments.video)
    let start = picture.count + 24
    #expect(video(good) == start..<start + length)
    #expect(video(picture + MetadataSegments.samsungTrailer([1, 2, 3, 4, 5, 6, 7, 8, 9])) == nil)
    var random = SeededGenerator(seed: 3)
    for place in picture.count..<good.count {
      var bytes = good
      bytes[place] = .random(in: 0...255, using: &random)
      if let range = video(bytes) { #expect(range.upperBound <= bytes.count) }
      if let range = video(Array(good.prefix(place))) { #expect(range.upperBound <= place) }
    }
  }

  // Smart Switch writes the trailer after iPhone photos, and some editors leave a claim without its item.
  @Test(
    arguments: [("samsung", "", true), ("Apple", "", true), ("Canon", "", false), ("", "", false)]
      + [("", "Camera:MotionPhoto=\"1\"", true), ("Canon", "Camera:MotionPhoto=\"1\"", true)])
  func `Samsung's trailer is read after photos that may have one, with or without an item in XMP`(
    make: String, claim: String, isRead: Bool
  ) {
    var exif = TIFFFile()
    if !make.isEmpty { exif.text(0x010F, make) }
    let packet = MetadataSegments.xmp(attributes: claim)
    let picture = MetadataSegments.jpeg(
      MetadataSegments.exifSegment(exif) + (claim.isEmpty ? [] : MetadataSegments.xmpSegment(packet)))
    let bytes = picture + MetadataSegments.samsungTrailer(MetadataSegments.video)
    #expect(video(bytes) == (isRead ? picture.count + 24..<picture.count + 24 + length : nil))
  }

  @Test func `A HEIC file's video box counts only if it contains a video`() throws {
    let source = MemoryByteSource([UInt8](repeating: 1, count: 50) + MetadataSegments.video)
    var missing: Range<Int>?
    func video(_ box: Range<Int>) -> Range<Int>? {
      MediaReader.motionVideo(
        claimedBy: [], inBox: box, from: source, byteCount: 50 + length, missing: &missing)
    }
    #expect(video(50..<50 + length) == 50..<50 + length)
    #expect(video(49..<50 + length) == nil)
    #expect(video(50..<51 + length) == nil)
    #expect(video(60..<60) == nil)
  }

  // An entry of the directory: the second byte of its type, the distance back to its block, and the block's length.
  @Test(
    arguments: [(0x0B, 84, 84), (0x0A, 0x7FFF_FFFF, 100), (0x0A, 84, 8), (0x0A, 84, 85)]
      as [(UInt8, Int, Int)])
  func `An impossible entry of Samsung's trailer is skipped`(type: UInt8, back: Int, size: Int) {
    var exif = TIFFFile()
    exif.text(0x010F, "samsung")
    let picture = MetadataSegments.jpeg(MetadataSegments.exifSegment(exif))
    let good = MetadataSegments.samsungTrailer(MetadataSegments.video)
    let block = good.prefix(24 + length)
    let entries =
      [0, 0, 0x30, type] + MediaBytes.little(back, 4) + MediaBytes.little(size, 4)
      + good.dropFirst(block.count + 12).prefix(12)
    let table = Array("SEFH".utf8) + MediaBytes.little(101, 4) + MediaBytes.little(2, 4) + entries
    let bytes = picture + block + table + MediaBytes.little(table.count, 4) + Array("SEFT".utf8)
    #expect(video(bytes) == picture.count + 24..<picture.count + 24 + length)
  }

  @Test func `A packet from a sidecar is checked against the file in the same way`() {
    let packet = MetadataSegments.xmp(
      attributes: "Camera:MotionPhoto=\"1\" Camera:MicroVideoOffset=\"\(length)\"")
    let bytes = MediaBytes.ftyp("heic") + [UInt8](repeating: 0, count: 50) + MetadataSegments.video
    let source = MemoryByteSource(bytes)
    var missing: Range<Int>?
    #expect(
      MediaReader.motionVideo(claimedBy: packet, from: source, byteCount: bytes.count, missing: &missing)
        == bytes.count - length..<bytes.count)
    #expect(
      MediaReader.motionVideo(claimedBy: packet, from: source, byteCount: bytes.count - 1, missing: &missing)
        == nil)
    #expect(missing == nil)
  }
}
