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

  @Test func `The video is found by the lengths of what lies behind the picture`() {
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

  @Test func `A packet from elsewhere is checked against the file in the same way`() {
    let packet = MetadataSegments.xmp(
      attributes: "Camera:MotionPhoto=\"1\" Camera:MicroVideoOffset=\"\(length)\"")
    let bytes = MediaBytes.ftyp("heic") + [UInt8](repeating: 0, count: 50) + MetadataSegments.video
    let source = MemoryByteSource(bytes)
    #expect(
      MediaReader.motionVideo(claimedBy: packet, from: source, byteCount: bytes.count)
        == bytes.count - length..<bytes.count)
    #expect(MediaReader.motionVideo(claimedBy: packet, from: source, byteCount: bytes.count - 1) == nil)
  }
}
