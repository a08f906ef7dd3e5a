import Fixtures
import MediaFormats
import Metadata
import Pixels

/// Metadata that a file may have, including values that no camera writes.
struct RandomFacts {
  /// The file's length.
  static let byteCount = 1 << 40

  private var generator: SeededGenerator

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func report() -> MediaReport {
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: .medium(.nothing)
    case 1: .medium(.damaged(format(), text()))
    case 2: .medium(.media(format(), nil))
    case 3: .sidecar(facts())
    case 4: .described(facts())
    case 5: .failed(text())
    case 6: .noMemory
    case 7:
      {
        let range = range()
        return .incomplete(range.isEmpty ? 0..<1 : range)
      }()
    default: .medium(.media(format(), facts()))
    }
  }

  private mutating func facts() -> MediaFacts {
    var facts = MediaFacts(storedSize: PixelSize(width: side(), height: side()))
    facts.orientation = Orientation.allCases.randomElement(using: &generator) ?? .topLeft
    facts.captureTime = maybe { $0.time() }
    if facts.captureTime != nil {
      facts.captureTimeSource =
        [.exif, .iptc, .xmp, .quickTime].randomElement(using: &generator) ?? .exif
    }
    facts.make = maybe { $0.text() }
    facts.model = maybe { $0.text() }
    facts.lens = maybe { $0.text() }
    facts.isoSpeed = maybe { $0.number() }
    facts.fNumber = maybe { $0.real() }
    facts.exposureTime = maybe { $0.real() }
    facts.focalLength = maybe { $0.real() }
    facts.coordinate = maybe {
      Coordinate(latitude: $0.real(), longitude: $0.real(), altitude: $0.maybe { $0.real() })
    }
    facts.customRendered = maybe { $0.number() }
    facts.userComment = maybe { $0.text() }
    facts.burstIdentifier = maybe { $0.text() }
    facts.contentIdentifier = maybe { $0.text() }
    facts.hdrImageType = maybe { $0.number() }
    facts.rating = maybe { Int.random(in: -1...5, using: &$0.generator) }
    facts.keywords = texts()
    facts.title = maybe { $0.text() }
    facts.caption = maybe { $0.text() }
    facts.people = texts()
    facts.hints = MediaHints(rawValue: UInt32.random(in: 0..<1 << 10, using: &generator))
    facts.duration = maybe { $0.real() }
    facts.frameRate = maybe { $0.real() }
    facts.movie = maybe { $0.movie() }
    facts.motionVideo = maybe { $0.range() }
    facts.thumbnail = maybe { $0.range() }
    return facts
  }

  private mutating func movie() -> MovieDetails {
    var movie = MovieDetails(container: "mov")
    for _ in 0..<Int.random(in: 0..<4, using: &generator) {
      var track = MovieTrack(MovieTrack.Kind.allCases.randomElement(using: &generator) ?? .other)
      track.codec = maybe { _ in "h264" }
      track.profile = maybe { _ in "High" }
      track.language = maybe { _ in "fre" }
      track.duration = maybe { Double(Int.random(in: 0..<10_000, using: &$0.generator)) / 8 }
      track.isCover = Bool.random(using: &generator)
      track.video = maybe { facts in
        var video = MovieTrack.Video(width: 640, height: 480)
        video.rotation = [0, 90, 180, 270].randomElement(using: &facts.generator) ?? 0
        (video.pixelWidth, video.pixelHeight) = (4, 3)
        video.frameRate = facts.maybe { _ in 29.97 }
        video.isVariableFrameRate = facts.maybe { Bool.random(using: &$0.generator) }
        video.dynamicRange =
          MovieTrack.DynamicRange.allCases.randomElement(using: &facts.generator) ?? .standard
        return video
      }
      track.channelCount = maybe { _ in 2 }
      track.sampleRate = maybe { _ in 48_000 }
      movie.tracks.append(track)
    }
    for index in 0..<Int.random(in: 0..<3, using: &generator) {
      let title = maybe { _ in "chapter \(index)" }
      movie.chapters.append(MovieChapter(title: title, start: Double(index), end: Double(index + 1)))
    }
    return movie
  }

  private mutating func maybe<Value>(_ make: (inout RandomFacts) -> Value) -> Value? {
    Bool.random(using: &generator) ? make(&self) : nil
  }

  private mutating func format() -> FileFormat {
    FileFormat.allCases.randomElement(using: &generator) ?? .jpeg
  }

  private mutating func side() -> Int {
    [0, 1, 640, 1 << 32, .max].randomElement(using: &generator) ?? 0
  }

  private mutating func number() -> Int {
    [0, 1, -1, 63, 64, -64, -65, 100, 1 << 40, .max, .min].randomElement(using: &generator) ?? 0
  }

  private mutating func real() -> Double {
    [0, 1.5, -2.8, 1e-9, 1e300, .nan, .infinity, -0.0, 38.7].randomElement(using: &generator) ?? 0
  }

  private mutating func text() -> String {
    ["", "a", "Canon", "Straße", "😀", String(repeating: "é", count: 300)].randomElement(using: &generator)
      ?? ""
  }

  private mutating func texts() -> [String] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in text() }
  }

  private mutating func range() -> Range<Int> {
    let ends = (0..<2).map { _ in Int.random(in: 0...Self.byteCount, using: &generator) }
    return min(ends[0], ends[1])..<max(ends[0], ends[1])
  }

  private mutating func time() -> CivilTime {
    var time = CivilTime(
      year: [1, 1970, 2024, 9999].randomElement(using: &generator) ?? 2024,
      month: Int.random(in: 1...12, using: &generator), day: Int.random(in: 1...28, using: &generator),
      hour: Int.random(in: 0...23, using: &generator), minute: Int.random(in: 0...59, using: &generator),
      second: Int.random(in: 0...60, using: &generator))
    time.nanosecond = maybe { Int.random(in: 0...999_999_999, using: &$0.generator) } ?? 0
    time.utcOffset = maybe { Int.random(in: -57_540...57_540, using: &$0.generator) }
    return time
  }
}
