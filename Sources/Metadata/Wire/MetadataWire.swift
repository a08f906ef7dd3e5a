import Pixels

// Requests for metadata and their answers as bytes, for another process. All integers have four bytes, the lowest first.

extension MetadataRequest {
  /// Bytes that `init(wire:)` reads.
  package var wire: [UInt8] {
    var wire: [UInt8] = [policy.stripping.wire]
    for value in [policy.newSize?.width, policy.newSize?.height, byteCount, longestXMP] {
      wire.append(value == nil ? 0 : 1)
      wire += UInt32(clamping: value ?? 0).wire
    }
    return wire
  }

  /// - Returns: nil for bytes that no request gives.
  package init?(wire: [UInt8]) {
    guard wire.count == 21, let stripping = MetadataPolicy.Stripping(wire: wire[0]) else { return nil }
    var values: [Int?] = []
    for place in stride(from: 1, to: wire.count, by: 5) {
      guard wire[place] <= 1 else { return nil }
      values.append(wire[place] == 0 ? nil : Int(UInt32(wire: wire[(place + 1)..<(place + 5)])))
    }
    var size: PixelSize?
    if let width = values[0], let height = values[1] { size = PixelSize(width: width, height: height) }
    self.init(
      MetadataPolicy(stripping: stripping, newSize: size), byteCount: values[2], longestXMP: values[3])
  }
}

extension MetadataOutput {
  /// Longer blocks are none that a file has room for.
  private static let longestBlock = 1 << 26

  /// Appends bytes that `init(wire:_:)` reads.
  package func append(to wire: inout [UInt8]) {
    wire.append(losses.reduce(0) { $0 | 1 << UInt8($1.rawValue) })
    wire.append(hasEXIF ? 1 : 0)
    for block in [exif, xmp, extendedXMP, iptc] {
      wire += UInt32(clamping: block.count).wire
      wire += block
    }
  }

  /// - Returns: nil for bytes that no answer gives: nothing that arrives is trusted.
  package init?(wire: [UInt8], _ range: Range<Int>) {
    guard range.count >= 2, range.upperBound <= wire.count, wire[range.lowerBound] < 1 << 4,
      wire[range.lowerBound + 1] <= 1
    else { return nil }
    let mask = wire[range.lowerBound]
    losses = Set(MetadataLoss.allCases.filter { mask & 1 << UInt8($0.rawValue) != 0 })
    hasEXIF = wire[range.lowerBound + 1] == 1
    var at = range.lowerBound + 2
    var blocks: [[UInt8]] = []
    for _ in 0..<4 {
      guard range.upperBound - at >= 4 else { return nil }
      let count = Int(UInt32(wire: wire[at..<at + 4]))
      at += 4
      guard count <= Self.longestBlock, count <= range.upperBound - at else { return nil }
      blocks.append(Array(wire[at..<at + count]))
      at += count
    }
    guard at == range.upperBound, blocks[0].count <= EXIFTree.longest else { return nil }
    (exif, xmp, extendedXMP, iptc) = (blocks[0], blocks[1], blocks[2], blocks[3])
  }
}

extension MetadataPolicy.Stripping {
  fileprivate var wire: UInt8 {
    switch self {
    case .nothing: 0
    case .location: 1
    case .all: 2
    }
  }

  fileprivate init?(wire: UInt8) {
    switch wire {
    case 0: self = .nothing
    case 1: self = .location
    case 2: self = .all
    default: return nil
    }
  }
}

extension UInt32 {
  fileprivate var wire: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> UInt32(8 * $0)) } }

  /// - Parameter wire: four bytes.
  fileprivate init(wire: ArraySlice<UInt8>) {
    self = wire.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// The facts that a file may lack, by their bits in the mask that says which of them travel.
struct FactsField: OptionSet {
  let rawValue: UInt32

  static let captureTime = FactsField(rawValue: 1 << 0)
  static let nanosecond = FactsField(rawValue: 1 << 1)
  static let utcOffset = FactsField(rawValue: 1 << 2)
  static let make = FactsField(rawValue: 1 << 3)
  static let model = FactsField(rawValue: 1 << 4)
  static let lens = FactsField(rawValue: 1 << 5)
  static let isoSpeed = FactsField(rawValue: 1 << 6)
  static let fNumber = FactsField(rawValue: 1 << 7)
  static let exposureTime = FactsField(rawValue: 1 << 8)
  static let focalLength = FactsField(rawValue: 1 << 9)
  static let coordinate = FactsField(rawValue: 1 << 10)
  static let altitude = FactsField(rawValue: 1 << 11)
  static let customRendered = FactsField(rawValue: 1 << 12)
  static let userComment = FactsField(rawValue: 1 << 13)
  static let burstIdentifier = FactsField(rawValue: 1 << 14)
  static let contentIdentifier = FactsField(rawValue: 1 << 15)
  static let hdrImageType = FactsField(rawValue: 1 << 16)
  static let rating = FactsField(rawValue: 1 << 17)
  static let keywords = FactsField(rawValue: 1 << 18)
  static let title = FactsField(rawValue: 1 << 19)
  static let caption = FactsField(rawValue: 1 << 20)
  static let people = FactsField(rawValue: 1 << 21)
  static let hints = FactsField(rawValue: 1 << 22)
  static let duration = FactsField(rawValue: 1 << 23)
  static let frameRate = FactsField(rawValue: 1 << 24)
  static let motionVideo = FactsField(rawValue: 1 << 25)
  static let thumbnail = FactsField(rawValue: 1 << 26)

  static let all = FactsField(rawValue: (1 << 27) - 1)
}

/// What a report begins with.
enum ReportKind: UInt8 {
  case nothing = 0
  case medium = 1
  /// A medium whose facts another helper knows.
  case undescribed = 2
  case damaged = 3
  case sidecar = 4
  case failed = 5
  case noMemory = 6
  case described = 7
  case incomplete = 8
}

/// What one process tells another of a file that it has read.
package enum MediaReport: Hashable, Sendable {
  case medium(MediaReader.Reading)
  /// What an XMP packet beside a medium says.
  indirect case sidecar(MediaFacts)
  /// The facts of a medium whose format a heavy library reads.
  indirect case described(MediaFacts)
  /// The file could not be read; the reason as words after a colon.
  case failed(String)
  /// There was no memory to look at it.
  case noMemory
  /// Of a file of which parts are there: the range of bytes that is needed besides, within the file.
  case incomplete(Range<Int>)

  /// Sidecars are a few kilobytes; what is longer is cut, and then no XMP.
  private static let longestSidecar = 1 << 20

  /// Reads a medium of `byteCount` bytes.
  /// - Parameters:
  ///   - room: memory for the file's head, used again from file to file.
  ///   - reason: says why the source failed.
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
  /// - Parameter reason: says why the source failed.
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
