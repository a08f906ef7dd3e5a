/// One kind of realistic damage: an interrupted copy, a transfer that lost or doubled a piece, bad disk sectors, a
/// writer with wrong counts.
///
/// Everything follows from the file and the seed. `ByteMutator` combines worse damage.
package enum FileDamage: String, CaseIterable, Sendable {
  case cut, stray, swapped, doubled, lying, zeroed, flipped

  /// The damaged file.
  package func damage(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed &* 7919 &+ UInt64(Self.allCases.firstIndex(of: self) ?? 0))
    func below(_ end: Int) -> Int { end > 1 ? Int.random(in: 0..<end, using: &random) : 0 }
    let segments = FileSegments(bytes).ranges
    var result = bytes
    switch self {
    case .cut: return Array(bytes.prefix(bytes.count / 10 + below(bytes.count * 9 / 10)))
    case .stray:
      let place = segments[below(segments.count)].lowerBound
      let stray = (0...below(40)).map { _ in UInt8.random(in: 0...254, using: &random) }
      result.insert(contentsOf: stray, at: place)
    case .swapped:
      guard segments.count > 1 else { return bytes }
      let first = below(segments.count - 1)
      let (a, b) = (segments[first], segments[first + 1])
      result.replaceSubrange(a.lowerBound..<b.upperBound, with: bytes[b] + bytes[a])
    case .doubled:
      let segment = segments[below(segments.count)]
      result.insert(contentsOf: bytes[segment], at: segment.upperBound)
    case .lying:
      let place = segments[below(segments.count)].lowerBound + FileSegments(bytes).lengthOffset
      let lies: [[UInt8]] = [
        [0, 0, 0, 0], [0, 0, 0, 1], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0x10, 0],
      ]
      let lie = lies[below(lies.count)].suffix(FileSegments(bytes).lengthWidth)
      for (index, byte) in lie.enumerated() where place + index < result.count {
        result[place + index] = byte
      }
    case .zeroed:
      let start = bytes.count / 20 + below(bytes.count * 9 / 10)
      for index in start..<min(bytes.count, start + 1 + bytes.count / 16) { result[index] = 0 }
    case .flipped:
      for _ in 0...below(4) {
        result[bytes.count / 50 + below(bytes.count * 49 / 50)] ^= 1 << UInt8(below(8))
      }
    }
    return result
  }
}

/// The pieces of a file in its format; sixteenths for formats without pieces.
struct FileSegments {
  private(set) var ranges: [Range<Int>] = []
  /// The position of the length within a piece, and its number of bytes.
  let lengthOffset: Int
  let lengthWidth: Int

  init(_ bytes: [UInt8]) {
    func number(_ place: Int, _ count: Int, isLittle: Bool = false) -> Int {
      let slice = place + count <= bytes.count ? Array(bytes[place..<place + count]) : []
      return (isLittle ? slice.reversed() : slice).reduce(0) { $0 << 8 | Int($1) }
    }
    var place = 0
    let length: (Int) -> Int
    if bytes.starts(with: [0xFF, 0xD8]) {
      (place, lengthOffset, lengthWidth) = (2, 2, 2)
      length = { bytes[$0] == 0xFF && bytes[$0 + 1] != 0xD9 ? number($0 + 2, 2) + 2 : 0 }
    } else if bytes.starts(with: [0x89, 0x50]) {
      (place, lengthOffset, lengthWidth) = (8, 0, 4)
      length = { number($0, 4) + 12 }
    } else if bytes.starts(with: Array("RIFF".utf8)) {
      (place, lengthOffset, lengthWidth) = (12, 4, 4)
      length = { (number($0 + 4, 4, isLittle: true) + 9) / 2 * 2 }
    } else if bytes.dropFirst(4).starts(with: Array("ftyp".utf8))
      || bytes.dropFirst(4).starts(with: Array("JXL ".utf8))
    {
      (lengthOffset, lengthWidth) = (0, 4)
      length = { number($0, 4) }
    } else {
      (lengthOffset, lengthWidth) = (0, 4)
      length = { _ in max(8, bytes.count / 16) }
    }
    while place + 8 <= bytes.count {
      let count = length(place)
      guard count > 1, place + count <= bytes.count else { break }
      ranges.append(place..<place + count)
      place += count
    }
    // A picture's data after the last marker, or a remaining piece.
    if place < bytes.count { ranges.append(place..<bytes.count) }
  }
}
