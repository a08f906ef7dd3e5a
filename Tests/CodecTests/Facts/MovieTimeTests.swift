import CodecProtocol
import Fixtures
import Metadata
import Testing

/// The creation times in the headers of videos.
@Suite struct MovieTimeTests {
  /// ExifTool's different result, and why tpick's is right.
  private enum Own: Hashable {
    case same
    /// The time that tpick reads.
    case date(String)
    case none
  }

  private struct Stamp {
    var name: String
    var times: HandmadeMovie.Times
    var own: Own
  }

  /// Seconds from 1904 to 1970.
  private static let epoch: UInt64 = 2_082_844_800

  private static let moments: [(name: String, stored: UInt64, own: Own)] = [
    ("nothing", 0, .same), ("1904, a year of a clock that counts anew", 86_400 * 400, .same),
    // The first day is that of a clock that was never set.
    ("1904", 1, .none), ("1970", epoch + 1, .none), ("1904, a month later", 86_400 * 30, .same),
    ("1970, a month later", epoch + 86_400 * 30, .same),
    ("1996, counted from 1970", 820_540_800, .same), ("2016, counted from 1970", 1_451_606_400, .same),
    ("2024, counted from 1970", 1_714_651_809, .same),
    // Counted from 1970 these are in the future.
    ("1965", 1_924_992_000, .date("1964-12-31T00:00:00")), ("1969", epoch - 1, .date("1969-12-31T23:59:59")),
    ("1999", 946_684_799 + epoch, .same), ("2024", 1_714_651_809 + epoch, .same),
    ("2031", 1_924_992_000 + epoch, .same), ("2040", UInt64(UInt32.max), .same),
  ]

  private static let stamps: [Stamp] = {
    var stamps: [Stamp] = []
    let spring = 1_714_651_809 + epoch
    func add(_ name: String, _ times: HandmadeMovie.Times, _ own: Own = .same) {
      stamps.append(Stamp(name: "\(name), version \(times.version)", times: times, own: own))
    }
    for version in [0, 1] as [UInt8] {
      for (name, stored, own) in moments {
        add(name, HandmadeMovie.Times(version: version, movie: stored, track: stored, media: stored), own)
      }
      let track = epoch + 86_400 * 999
      add("not the track's", HandmadeMovie.Times(version: version, movie: spring, track: track, media: 5))
      add("the track's alone", HandmadeMovie.Times(version: version, track: spring))
      // ExifTool has another name for that.
      add("the video's", HandmadeMovie.Times(version: version, media: spring), .date("2024-05-02T12:10:09"))
      let late = HandmadeMovie.Times(version: version, media: epoch - 1)
      add("the video's, of 1969", late, .date("1969-12-31T23:59:59"))
    }
    let far = 4_102_444_800 + epoch
    add("2100", HandmadeMovie.Times(version: 1, movie: far, media: far))
    add("no time of this world", HandmadeMovie.Times(version: 1, movie: 1 << 63, media: 1 << 63), .none)
    return stamps
  }()

  private func date(of file: [UInt8]) throws -> String? {
    let facts = try Decoding.helper.facts(ofBytes: file)
    return facts.captureTime.map { time in
      let parts = [time.month, time.day, time.hour, time.minute, time.second].map {
        $0 < 10 ? "0\($0)" : "\($0)"
      }
      return "\(time.year)-\(parts[0])-\(parts[1])T\(parts[2...].joined(separator: ":"))"
    }
  }

  @Test func `Times of videos match ExifTool's, or differ for a documented reason`() throws {
    let folder = try ToolFolder()
    for (number, stamp) in Self.stamps.enumerated() {
      try folder.write(HandmadeMovie(times: stamp.times).bytes, to: "\(1000 + number).mov")
    }
    try folder.run(
      "sh", "-c", "exiftool -q -q -T -d %Y-%m-%dT%H:%M:%S -FileName -QuickTime:CreateDate *.mov > dates")
    let lines = String(decoding: try folder.bytes(of: "dates"), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == Self.stamps.count && Self.stamps.count >= 30)
    for (line, stamp) in zip(lines.sorted(), Self.stamps) {
      let text = line.split(separator: "\t").last.map(String.init) ?? ""
      let theirs: String? = text.hasPrefix("0000") || text.hasPrefix("1900") ? nil : text
      let own = try date(of: HandmadeMovie(times: stamp.times).bytes)
      switch stamp.own {
      case .same: #expect(own == theirs, "\(stamp.name)")
      case .date(let date): #expect(own == date && theirs != date, "\(stamp.name): \(own ?? "-"), \(text)")
      case .none: #expect(own == nil, "\(stamp.name)")
      }
    }
  }

  @Test func `An XMP packet in a video provides a date that the header can't hold`() throws {
    let packet = MetadataSegments.xmp(
      attributes: "xmp:CreateDate=\"1965-06-01T12:00:00\" xmp:Rating=\"4\"")
    let name: [UInt8] = [
      0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    var movie = HandmadeMovie(times: .init(movie: 820_540_800))
    movie.trailer = Boxes.box("uuid", name, packet)
    let facts = try Decoding.helper.facts(ofBytes: movie.bytes)
    #expect(facts.captureTime == CivilTime(year: 1965, month: 6, day: 1, hour: 12, minute: 0, second: 0))
    #expect(facts.captureTimeSource == .xmp && facts.rating == 4)
    #expect(!facts.hints.contains(.countsInUTC))
    // A box of that type by another program is ignored.
    movie.trailer = Boxes.box("uuid", name.reversed(), packet)
    #expect(try date(of: movie.bytes) == "1996-01-02T00:00:00")
    // ExifTool writes a packet if the header can't hold the date.
    let folder = try ToolFolder()
    try folder.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1", "-c:v", "mpeg4", "a.mp4")
    for name in ["a.mp4", "a.mov"] {
      if name == "a.mov" { try folder.run("ffmpeg", "-v", "error", "-i", "a.mp4", "-c", "copy", name) }
      try folder.run("exiftool", "-overwrite_original", "-XMP:CreateDate=1950:06:01 12:00:00", name)
      #expect(try date(of: folder.bytes(of: name)) == "1950-06-01T12:00:00")
    }
  }
}
