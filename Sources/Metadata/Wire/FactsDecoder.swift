import MediaFormats
import Pixels

/// Reads what a `FactsEncoder` wrote; nothing that arrives is trusted.
///
/// Bytes that no writer makes give an error, never a trap: lengths end where the bytes end, numbers stay where the readers of
/// files keep them, and a range lies within its file.
package struct FactsDecoder {
  /// Bytes that no writer makes.
  package struct Damage: Error, Hashable {
    package init() {}
  }

  private let bytes: [UInt8]
  private var at: Int
  private let end: Int

  /// - Parameter range: where the message stands; what lies outside of `bytes` is not there.
  package init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
    let range = (range ?? bytes.indices).clamped(to: bytes.indices)
    self.bytes = bytes
    (at, end) = (range.lowerBound, range.upperBound)
  }

  /// Reads what was read of a file.
  /// - Parameter byteCount: the file's length.
  package mutating func report(byteCount: Int) throws(Damage) -> MediaReport {
    guard let kind = ReportKind(rawValue: try byte()) else { throw Damage() }
    let report: MediaReport =
      switch kind {
      case .nothing: .medium(.nothing)
      case .medium: .medium(.media(try format(), try facts(byteCount: byteCount)))
      case .undescribed: .medium(.media(try format(), nil))
      case .damaged: .medium(.damaged(try format(), try text()))
      case .sidecar: .sidecar(try facts(byteCount: byteCount))
      case .described: .described(try facts(byteCount: byteCount))
      case .failed: .failed(try text())
      case .noMemory: .noMemory
      case .incomplete: .incomplete(try part(of: byteCount))
      }
    guard at == end else { throw Damage() }
    return report
  }

  private mutating func format() throws(Damage) -> FileFormat {
    guard let format = FileFormat(rawValue: try byte()) else { throw Damage() }
    return format
  }

  private mutating func facts(byteCount: Int) throws(Damage) -> MediaFacts {
    var facts = MediaFacts()
    try read(into: &facts, byteCount: byteCount)
    return facts
  }

  // Not in an initializer, which the bounds of the properties would not see.
  private mutating func read(into facts: inout MediaFacts, byteCount: Int) throws(Damage) {
    let mask = FactsField(rawValue: try fourBytes())
    guard mask.isSubset(of: .all) else { throw Damage() }
    facts.storedSize = PixelSize(width: try side(), height: try side())
    guard let orientation = Orientation(rawValue: try byte()) else { throw Damage() }
    facts.orientation = orientation
    if mask.contains(.captureTime) {
      guard let source = CaptureTimeSource(rawValue: try byte()) else { throw Damage() }
      facts.captureTime = try time(mask)
      facts.captureTimeSource = source
    }
    if mask.contains(.make) { facts.make = try text() }
    if mask.contains(.model) { facts.model = try text() }
    if mask.contains(.lens) { facts.lens = try text() }
    if mask.contains(.isoSpeed) { facts.isoSpeed = try signed() }
    if mask.contains(.fNumber) { facts.fNumber = try double() }
    if mask.contains(.exposureTime) { facts.exposureTime = try double() }
    if mask.contains(.focalLength) { facts.focalLength = try double() }
    if mask.contains(.coordinate) {
      facts.coordinate = Coordinate(
        latitude: try double(), longitude: try double(),
        altitude: mask.contains(.altitude) ? try double() : nil)
    }
    if mask.contains(.customRendered) { facts.customRendered = try signed() }
    if mask.contains(.userComment) { facts.userComment = try text() }
    if mask.contains(.burstIdentifier) { facts.burstIdentifier = try text() }
    if mask.contains(.contentIdentifier) { facts.contentIdentifier = try text() }
    if mask.contains(.hdrImageType) { facts.hdrImageType = try signed() }
    if mask.contains(.rating) { facts.rating = try signed() }
    if mask.contains(.keywords) { facts.keywords = try texts() }
    if mask.contains(.title) { facts.title = try text() }
    if mask.contains(.caption) { facts.caption = try text() }
    if mask.contains(.people) { facts.people = try texts() }
    if mask.contains(.hints) {
      let hints = MediaHints(rawValue: UInt32(truncatingIfNeeded: try unsigned()))
      guard hints.isSubset(of: .all) else { throw Damage() }
      facts.hints = hints
    }
    if mask.contains(.duration) { facts.duration = try double() }
    if mask.contains(.frameRate) { facts.frameRate = try double() }
    if mask.contains(.motionVideo) { facts.motionVideo = try range(in: byteCount) }
    if mask.contains(.thumbnail) { facts.thumbnail = try range(in: byteCount) }
  }

  private mutating func time(_ mask: FactsField) throws(Damage) -> CivilTime {
    guard
      var time = CivilTime(
        checked: try signed(), Int(try byte()), Int(try byte()), Int(try byte()), Int(try byte()),
        Int(try byte()))
    else { throw Damage() }
    if mask.contains(.nanosecond) { time.nanosecond = try signed(in: 0...999_999_999) }
    if mask.contains(.utcOffset) { time.utcOffset = try signed(in: -86_400...86_400) }
    return time
  }
}

// Values.
extension FactsDecoder {
  private mutating func byte() throws(Damage) -> UInt8 {
    guard at < end else { throw Damage() }
    defer { at &+= 1 }
    return bytes[at]
  }

  /// Where the next bytes stand, which are read with that.
  private mutating func take(_ count: Int) throws(Damage) -> Range<Int> {
    guard count >= 0, count <= end &- at else { throw Damage() }
    let start = at
    at &+= count
    return start..<at
  }

  private mutating func fourBytes() throws(Damage) -> UInt32 {
    let place = try take(4).lowerBound
    return (0..<4).reduce(0) { $0 | UInt32(bytes[place &+ $1]) << UInt32(8 &* $1) }
  }

  private mutating func unsigned() throws(Damage) -> UInt64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = try byte()
      // Ten bytes of seven bits hold 64.
      guard shift < 63 || shift == 63 && byte <= 1 else { throw Damage() }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift &+= 7
    }
  }

  private mutating func signed() throws(Damage) -> Int {
    let value = try unsigned()
    return Int(truncatingIfNeeded: Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
  }

  private mutating func signed(in possible: ClosedRange<Int>) throws(Damage) -> Int {
    let value = try signed()
    guard possible.contains(value) else { throw Damage() }
    return value
  }

  /// The width or the height of a picture.
  private mutating func side() throws(Damage) -> Int {
    let side = try length()
    guard side <= MediaFacts.longestSide else { throw Damage() }
    return side
  }

  /// A place in a file or the length of a part of one.
  private mutating func length() throws(Damage) -> Int {
    guard let length = Int(exactly: try unsigned()) else { throw Damage() }
    return length
  }

  private mutating func double() throws(Damage) -> Double {
    let place = try take(8).lowerBound
    return Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[place &+ $1]) << UInt64(8 &* $1) })
  }

  private mutating func text() throws(Damage) -> String {
    let count = try unsigned()
    guard count <= UInt64(FactsEncoder.longestText) else { throw Damage() }
    guard let text = String(validating: bytes[try take(Int(count))], as: UTF8.self) else { throw Damage() }
    return text
  }

  private mutating func texts() throws(Damage) -> [String] {
    let count = try unsigned()
    // Each takes a byte at least.
    guard count <= UInt64(FactsEncoder.mostTexts), count <= UInt64(end &- at) else { throw Damage() }
    var texts: [String] = []
    texts.reserveCapacity(Int(count))
    for _ in 0..<Int(count) { texts.append(try text()) }
    return texts
  }

  /// A part of a file that has at least one byte.
  private mutating func part(of byteCount: Int) throws(Damage) -> Range<Int> {
    let part = try range(in: byteCount)
    guard !part.isEmpty else { throw Damage() }
    return part
  }

  /// A part of a file.
  private mutating func range(in byteCount: Int) throws(Damage) -> Range<Int> {
    let (start, count) = (try length(), try length())
    guard start <= byteCount, count <= byteCount &- start else { throw Damage() }
    return start..<start &+ count
  }
}
