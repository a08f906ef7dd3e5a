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
