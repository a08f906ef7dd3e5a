import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// Dates of videos, whose headers are in UTC.
  @Suite(.timeLimit(.minutes(120))) struct VideoDateTests {
    private let folder: TemporaryFolder
    private var input: String { "\(folder.path)/in" }

    private static let epoch: UInt64 = 2_082_844_800
    /// 2024-05-02 22:30 in UTC.
    private static let evening: UInt64 = 1_714_689_000 + epoch

    init() throws {
      folder = try TemporaryFolder()
      let times = HandmadeMovie.Times(movie: Self.evening, media: Self.evening)
      try folder.write(HandmadeMovie(times: times).bytes, to: "in/plain.mov")
      let place = [HandmadeMovie.text("com.apple.quicktime.location.ISO6709", "+35.6800+139.6900/")]
      try folder.write(HandmadeMovie(keys: place, times: times).bytes, to: "in/tokyo.mov")
      let date = [HandmadeMovie.text("com.apple.quicktime.creationdate", "2024-05-02T15:30:00-0700")]
      try folder.write(HandmadeMovie(keys: date, times: times).bytes, to: "in/west.mov")
      var photo = TIFFFile()
      photo.text(0x9003, "2024:05:03 00:15:00")
      var main = TIFFFile()
      main.directory(0x8769, photo)
      try folder.write(MetadataSegments.jpeg(MetadataSegments.exifSegment(main)), to: "in/photo.jpg")
    }

    private func run(_ arguments: [String], zone: String) throws -> [String] {
      let environment = ["TZ": zone, "XDG_CACHE_HOME": "\(folder.path)/cache"]
      let output = try Program.run(arguments, environment: environment)
      #expect(output.status == .exited(0), "\(output.errors)")
      return output.lines
    }

    @Test
    func
      `Display, order and search have the clock on the wall, in the system's zone where nothing else says it`()
      throws
    {
      let list = ["list", "--sort", "oldest", "--format", "{name} {date}", input]
      let berlin = [
        "west.mov 2024-05-02T15:30:00-07:00", "photo.jpg 2024-05-03T00:15:00",
        "plain.mov 2024-05-03T00:30:00+02:00", "tokyo.mov 2024-05-03T07:30:00+09:00",
      ]
      // Once with new metadata, once from the index.
      for _ in 0..<2 { #expect(try run(list, zone: "Europe/Berlin") == berlin) }
      // In another time zone the clock differs, and so does an index written at home.
      for _ in 0..<2 {
        #expect(
          try run(list, zone: "America/New_York") == [
            "west.mov 2024-05-02T15:30:00-07:00", "plain.mov 2024-05-02T18:30:00-04:00",
            "photo.jpg 2024-05-03T00:15:00", "tokyo.mov 2024-05-03T07:30:00+09:00",
          ])
      }
      let search = ["list", "--sort", "oldest", "--format", "{name}", "--query", "date:2024-05-03", input]
      #expect(try run(search, zone: "Europe/Berlin") == ["photo.jpg", "plain.mov", "tokyo.mov"])
      #expect(try run(search, zone: "America/New_York") == ["photo.jpg", "tokyo.mov"])
    }

    @Test(arguments: [
      ("plain.mov", "taken         2024-05-03T00:30:00+02:00 (system time zone)"),
      ("tokyo.mov", "taken         2024-05-03T07:30:00+09:00 (UTC+9, from the place)"),
      ("west.mov", "taken         2024-05-02T15:30:00-07:00 (UTC-7, from the file)"),
      ("photo.jpg", "taken         2024-05-03T00:15:00"),
    ])
    func `A video's printed date names its time zone`(name: String, line: String) throws {
      #expect(try run(["info", "\(input)/\(name)"], zone: "Europe/Berlin").contains(line))
    }
  }
}
