package import CodecProtocol
import MediaFormats
import Pixels

/// The message from one process to another about a file that it has read.
package enum MediaReport: Hashable, Sendable {
  case medium(MediaReader.Reading)
  /// The metadata in an XMP sidecar.
  indirect case sidecar(MediaFacts)
  /// The metadata of a file whose format requires a heavy library.
  indirect case described(MediaFacts)
  /// The file could not be read; the reason is text to follow a colon.
  case failed(String)
  /// There was not enough memory to read the file.
  case noMemory
  /// The file is partially available: the byte range that is required in addition.
  case incomplete(Range<Int>)

  /// The maximum size of a sidecar in bytes.
  ///
  /// Sidecars have a few kilobytes; a longer one is truncated and thus not valid XMP.
  private static let longestSidecar = 1 << 20

  /// Reads a media file of `byteCount` bytes.
  /// - Parameters:
  ///   - room: a buffer for the header, which is reused for several files.
  ///   - reason: returns the message for an error of the source.
  package static func medium<Source: ByteSource>(
    from source: Source, byteCount: Int, room: inout MediaReader.Room, reason: (Source.Failure) -> String
  ) -> MediaReport {
    do throws(Source.Failure) {
      var missing: Range<Int>?
      let reading = try MediaReader.read(from: source, byteCount: byteCount, room: &room, missing: &missing)
      return missing.map { .incomplete($0) } ?? .medium(reading)
    } catch {
      return .failed(reason(error))
    }
  }

  /// Reads a sidecar of `byteCount` bytes.
  /// - Parameter reason: returns the message for an error of the source.
  package static func sidecar<Source: ByteSource>(
    from source: Source, byteCount: Int, reason: (Source.Failure) -> String
  ) -> MediaReport {
    var source = source
    do throws(Source.Failure) {
      var facts = MediaFacts()
      let count = min(max(0, byteCount), longestSidecar)
      let there = source.available(at: 0, count: count)
      guard there >= count else { return .incomplete(there..<count) }
      facts.merge(sidecar: try source.read(at: 0, count: count))
      return .sidecar(facts)
    } catch {
      return .failed(reason(error))
    }
  }
}

// The wire format of the report.
extension MediaReport {
  /// The first byte of a report.
  private enum Kind: UInt8 {
    case nothing = 0
    case medium = 1
    /// A media file whose metadata another helper reads.
    case undescribed = 2
    case damaged = 3
    case sidecar = 4
    case failed = 5
    case noMemory = 6
    case described = 7
    case incomplete = 8
  }

  /// Writes the report for another process.
  ///
  /// Excessively long texts are truncated, so that the report stays small for any file.
  package func write(to wire: inout WireWriter) {
    switch self {
    case .medium(.media(let format, let facts?)):
      wire.put(Kind.medium.rawValue)
      wire.put(format.rawValue)
      facts.write(to: &wire)
    case .medium(.media(let format, nil)):
      wire.put(Kind.undescribed.rawValue)
      wire.put(format.rawValue)
    case .medium(.damaged(let format, let reason)):
      wire.put(Kind.damaged.rawValue)
      wire.put(format.rawValue)
      wire.put(fact: reason)
    case .medium(.nothing): wire.put(Kind.nothing.rawValue)
    case .sidecar(let facts):
      wire.put(Kind.sidecar.rawValue)
      facts.write(to: &wire)
    case .described(let facts):
      wire.put(Kind.described.rawValue)
      facts.write(to: &wire)
    case .failed(let reason):
      wire.put(Kind.failed.rawValue)
      wire.put(fact: reason)
    case .noMemory: wire.put(Kind.noMemory.rawValue)
    case .incomplete(let range):
      wire.put(Kind.incomplete.rawValue)
      wire.put(range)
    }
  }

  /// Reads a report that `write` wrote: numbers are limited as they are when read from files, and ranges must
  /// be inside the file.
  /// - Parameter byteCount: the length of the file.
  package init(from wire: inout WireReader, byteCount: Int) throws(WireError) {
    guard let kind = Kind(rawValue: try wire.byte()) else { throw WireError() }
    self =
      switch kind {
      case .nothing: .medium(.nothing)
      case .medium: .medium(.media(try wire.format(), try wire.facts(byteCount: byteCount)))
      case .undescribed: .medium(.media(try wire.format(), nil))
      case .damaged: .medium(.damaged(try wire.format(), try wire.fact()))
      case .sidecar: .sidecar(try wire.facts(byteCount: byteCount))
      case .described: .described(try wire.facts(byteCount: byteCount))
      case .failed: .failed(try wire.fact())
      case .noMemory: .noMemory
      case .incomplete: .incomplete(try wire.range(in: byteCount, isEmpty: false))
      }
  }
}

extension MediaFacts {
  /// The maximum length of a text in bytes, and the maximum number of texts in a list; only hostile files
  /// exceed them.
  static let longestText = 1 << 16
  static let mostTexts = 4000
  /// The maximum size of a list in bytes.
  static let longestList = 1 << 18

  fileprivate func write(to wire: inout WireWriter) {
    wire.put(storedSize.width)
    wire.put(storedSize.height)
    wire.put(orientation.rawValue)
    let source = captureTimeSource.rawValue
    wire.put(captureTime.flatMap { $0.isPossible ? $0 : nil }) { wire, time in
      wire.put(source)
      wire.put(time)
    }
    wire.put(fact: make)
    wire.put(fact: model)
    wire.put(fact: lens)
    wire.put(isoSpeed)
    wire.put(fNumber)
    wire.put(exposureTime)
    wire.put(focalLength)
    wire.put(coordinate) { wire, place in
      wire.put(place.latitude)
      wire.put(place.longitude)
      wire.put(place.altitude)
    }
    wire.put(customRendered)
    wire.put(fact: userComment)
    wire.put(fact: burstIdentifier)
    wire.put(fact: contentIdentifier)
    wire.put(hdrImageType)
    wire.put(rating)
    wire.put(fact: title)
    wire.put(fact: caption)
    wire.put(keywords)
    wire.put(people)
    wire.put(hints.rawValue)
    wire.put(duration)
    wire.put(frameRate)
    wire.put(movie) { $1.write(to: &$0) }
    wire.put(motionVideo)
    wire.put(thumbnail)
  }

  /// A method rather than an initializer, in which the property observers that limit values would not be
  /// called.
  fileprivate mutating func read(from wire: inout WireReader, byteCount: Int) throws(WireError) {
    let sides = 0...Self.longestSide
    storedSize = PixelSize(width: try wire.number(in: sides), height: try wire.number(in: sides))
    guard let orientation = Orientation(rawValue: try wire.byte()) else { throw WireError() }
    self.orientation = orientation
    if try wire.bool() {
      guard let source = CaptureTimeSource(rawValue: try wire.byte()) else { throw WireError() }
      captureTime = try wire.time()
      captureTimeSource = source
    }
    make = try wire.optional { wire throws(WireError) in try wire.fact() }
    model = try wire.optional { wire throws(WireError) in try wire.fact() }
    lens = try wire.optional { wire throws(WireError) in try wire.fact() }
    isoSpeed = try wire.optional { wire throws(WireError) in try wire.number() }
    fNumber = try wire.optional { wire throws(WireError) in try wire.double() }
    exposureTime = try wire.optional { wire throws(WireError) in try wire.double() }
    focalLength = try wire.optional { wire throws(WireError) in try wire.double() }
    coordinate = try wire.optional { wire throws(WireError) in
      let (latitude, longitude) = (try wire.double(), try wire.double())
      let altitude = try wire.optional { wire throws(WireError) in try wire.double() }
      return Coordinate(latitude: latitude, longitude: longitude, altitude: altitude)
    }
    customRendered = try wire.optional { wire throws(WireError) in try wire.number() }
    userComment = try wire.optional { wire throws(WireError) in try wire.fact() }
    burstIdentifier = try wire.optional { wire throws(WireError) in try wire.fact() }
    contentIdentifier = try wire.optional { wire throws(WireError) in try wire.fact() }
    hdrImageType = try wire.optional { wire throws(WireError) in try wire.number() }
    rating = try wire.optional { wire throws(WireError) in try wire.number() }
    title = try wire.optional { wire throws(WireError) in try wire.fact() }
    caption = try wire.optional { wire throws(WireError) in try wire.fact() }
    keywords = try wire.texts()
    people = try wire.texts()
    let hints = MediaHints(rawValue: try wire.fourBytes())
    guard hints.isSubset(of: .all) else { throw WireError() }
    self.hints = hints
    duration = try wire.optional { wire throws(WireError) in try wire.double() }
    frameRate = try wire.optional { wire throws(WireError) in try wire.double() }
    movie = try wire.optional { wire throws(WireError) in try MovieDetails(from: &wire) }
    motionVideo = try wire.optional { wire throws(WireError) in try wire.range(in: byteCount) }
    thumbnail = try wire.optional { wire throws(WireError) in try wire.range(in: byteCount) }
  }
}

extension MovieDetails {
  /// The maximum numbers of tracks and chapters, and the maximum length of a text in bytes; only hostile files
  /// exceed them.
  private static let mostTracks = 64
  private static let mostChapters = 1000
  private static let longestText = 1 << 10
  /// The longest time in seconds, the largest rate and the largest number of other kinds.
  private static let longestTime = 31_536_000.0
  private static let largestRate = 1e9
  private static let largestNumber = Int(UInt32.max)

  fileprivate func write(to wire: inout WireWriter) {
    wire.put(container, upTo: Self.longestText)
    wire.put(UInt32(min(tracks.count, Self.mostTracks)))
    for track in tracks.prefix(Self.mostTracks) {
      wire.put(track.kind.rawValue)
      for text in [track.codec, track.profile, track.language] {
        wire.put(text) { $0.put($1, upTo: Self.longestText) }
      }
      wire.put(track.duration)
      wire.put(track.isCover)
      wire.put(track.video) { wire, video in
        for number in [video.width, video.height, video.rotation, video.pixelWidth, video.pixelHeight] {
          wire.put(number)
        }
        wire.put(video.frameRate)
        wire.put(video.isVariableFrameRate) { $0.put($1) }
        wire.put(video.dynamicRange.rawValue)
      }
      wire.put(track.channelCount)
      wire.put(track.sampleRate)
    }
    wire.put(UInt32(min(chapters.count, Self.mostChapters)))
    for chapter in chapters.prefix(Self.mostChapters) {
      wire.put(chapter.title) { $0.put($1, upTo: Self.longestText) }
      wire.put(chapter.start)
      wire.put(chapter.end)
    }
  }

  fileprivate init(from wire: inout WireReader) throws(WireError) {
    self.init(container: try wire.string(upTo: Self.longestText))
    let trackCount = try wire.count(ofElements: 1)
    guard trackCount <= Self.mostTracks else { throw WireError() }
    for _ in 0..<trackCount { tracks.append(try Self.track(from: &wire)) }
    let chapterCount = try wire.count(ofElements: 1)
    guard chapterCount <= Self.mostChapters else { throw WireError() }
    for _ in 0..<chapterCount {
      let title = try wire.optional { wire throws(WireError) in try wire.string(upTo: Self.longestText) }
      let times = (try wire.double(), try wire.double())
      let possible = -Self.longestTime...Self.longestTime
      guard possible.contains(times.0), possible.contains(times.1) else { throw WireError() }
      chapters.append(MovieChapter(title: title, start: times.0, end: times.1))
    }
  }

  private static func track(from wire: inout WireReader) throws(WireError) -> MovieTrack {
    guard let kind = MovieTrack.Kind(rawValue: try wire.byte()) else { throw WireError() }
    var track = MovieTrack(kind)
    track.codec = try wire.optional { wire throws(WireError) in try wire.string(upTo: longestText) }
    track.profile = try wire.optional { wire throws(WireError) in try wire.string(upTo: longestText) }
    track.language = try wire.optional { wire throws(WireError) in try wire.string(upTo: longestText) }
    track.duration = try wire.optional { wire throws(WireError) in try wire.double(in: 0...longestTime) }
    track.isCover = try wire.bool()
    track.video = try wire.optional { wire throws(WireError) in
      let numbers = 0...largestNumber
      var video = MovieTrack.Video(width: try wire.number(in: numbers), height: try wire.number(in: numbers))
      video.rotation = try wire.number(in: 0...270)
      guard video.rotation.isMultiple(of: 90) else { throw WireError() }
      video.pixelWidth = try wire.number(in: 1...largestNumber)
      video.pixelHeight = try wire.number(in: 1...largestNumber)
      video.frameRate = try wire.optional { wire throws(WireError) in try wire.double(in: 0...largestRate) }
      video.isVariableFrameRate = try wire.optional { wire throws(WireError) in try wire.bool() }
      guard let range = MovieTrack.DynamicRange(rawValue: try wire.byte()) else { throw WireError() }
      video.dynamicRange = range
      return video
    }
    track.channelCount = try wire.optional { wire throws(WireError) in try wire.number(in: 0...largestNumber)
    }
    track.sampleRate = try wire.optional { wire throws(WireError) in try wire.number(in: 0...largestNumber) }
    return track
  }
}

extension WireWriter {
  fileprivate mutating func put(fact text: String) { put(text, upTo: MediaFacts.longestText) }

  fileprivate mutating func put(fact text: String?) {
    put(text != nil)
    if let text { put(fact: text) }
  }

  fileprivate mutating func put(_ texts: [String]) {
    var (count, room) = (0, MediaFacts.longestList)
    for text in texts.prefix(MediaFacts.mostTexts) {
      room -= min(text.utf8.count, MediaFacts.longestText)
      if room < 0 { break }
      count += 1
    }
    put(UInt32(count))
    for text in texts[..<count] { put(fact: text) }
  }

  fileprivate mutating func put(_ time: CivilTime) {
    put(time.year)
    for field in [time.month, time.day, time.hour, time.minute, time.second] { put(UInt8(clamping: field)) }
    put(time.nanosecond)
    put(time.utcOffset)
  }

  fileprivate mutating func put(_ range: Range<Int>) {
    put(range.lowerBound)
    put(range.count)
  }

  /// Writes a range; one that starts below 0 is written as nil.
  fileprivate mutating func put(_ range: Range<Int>?) {
    let range = range.flatMap { $0.lowerBound < 0 ? nil : $0 }
    put(range != nil)
    if let range { put(range) }
  }
}

extension WireReader {
  /// Reads a number, which must be in a range.
  fileprivate mutating func double(in possible: ClosedRange<Double>) throws(WireError) -> Double {
    let number = try double()
    guard possible.contains(number) else { throw WireError() }
    return number
  }

  fileprivate mutating func format() throws(WireError) -> FileFormat {
    guard let format = FileFormat(rawValue: try byte()) else { throw WireError() }
    return format
  }

  fileprivate mutating func facts(byteCount: Int) throws(WireError) -> MediaFacts {
    var facts = MediaFacts()
    try facts.read(from: &self, byteCount: byteCount)
    return facts
  }

  fileprivate mutating func fact() throws(WireError) -> String { try string(upTo: MediaFacts.longestText) }

  fileprivate mutating func texts() throws(WireError) -> [String] {
    let count = try count(ofElements: 4)
    guard count <= MediaFacts.mostTexts else { throw WireError() }
    var texts: [String] = []
    texts.reserveCapacity(count)
    for _ in 0..<count { texts.append(try fact()) }
    return texts
  }

  fileprivate mutating func time() throws(WireError) -> CivilTime {
    guard
      var time = CivilTime(
        checked: try number(), Int(try byte()), Int(try byte()), Int(try byte()), Int(try byte()),
        Int(try byte()))
    else { throw WireError() }
    time.nanosecond = try number(in: 0...999_999_999)
    time.utcOffset = try optional { wire throws(WireError) in try wire.number(in: -86_400...86_400) }
    return time
  }

  /// Reads a byte range of a file.
  /// - Parameter isEmpty: whether the range may be empty.
  fileprivate mutating func range(in byteCount: Int, isEmpty: Bool = true) throws(WireError) -> Range<Int> {
    guard byteCount >= 0 else { throw WireError() }
    let start = try number(in: 0...byteCount)
    let count = try number(in: 0...byteCount &- start)
    guard isEmpty || count > 0 else { throw WireError() }
    return start..<start &+ count
  }
}
