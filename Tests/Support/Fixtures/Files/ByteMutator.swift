/// Damages files as bad disks, broken writers and attackers do.
///
/// Everything follows from the seed and the given bytes.
package struct ByteMutator: Sendable {
  private var random: SeededGenerator
  private let words: [[UInt8]]

  /// Creates a mutator.
  /// - Parameter words: Keywords of the format, which are inserted into files too.
  package init(seed: UInt64, words: [[UInt8]] = []) {
    random = SeededGenerator(seed: seed)
    self.words = words
  }

  /// A file with one to four defects, no longer than `limit`.
  /// - Parameter other: A file of the same format, of which pieces may be used.
  package mutating func damage(_ bytes: [UInt8], other: [UInt8] = [], limit: Int = .max) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<below(4) + 1 where !bytes.isEmpty { step(&bytes, other) }
    return Array(bytes.prefix(limit))
  }

  private mutating func below(_ end: Int) -> Int { end > 1 ? Int.random(in: 0..<end, using: &random) : 0 }

  /// A position in the file, mostly in its header, which determines most.
  private mutating func place(in bytes: [UInt8]) -> Int {
    let ends = [64, 512, bytes.count]
    return below(min(bytes.count, ends[below(3)]))
  }

  /// A piece of the file, mostly a short one.
  private mutating func piece(of bytes: [UInt8]) -> Range<Int> {
    let start = place(in: bytes)
    let longest = below(4) == 0 ? bytes.count : 32
    return start..<min(bytes.count, start + 1 + below(longest))
  }

  private mutating func step(_ bytes: inout [UInt8], _ other: [UInt8]) {
    switch below(13) {
    case 0: bytes[place(in: bytes)] ^= 1 << UInt8(below(8))
    case 1, 2: bytes[place(in: bytes)] = .random(in: 0...255, using: &random)
    case 3, 4: putNumber(into: &bytes)
    case 5, 6: bendLength(in: &bytes)
    case 7: bytes.removeLast(below(bytes.count))
    case 8: bytes.removeSubrange(piece(of: bytes))
    case 9:
      let piece = Array(bytes[piece(of: bytes)])
      bytes.insert(contentsOf: piece, at: place(in: bytes))
    case 10: splice(&bytes, other)
    case 11: widenLength(in: &bytes)
    default: putWord(into: &bytes)
    }
  }

  /// Numbers at which sums overflow, signs flip and loops end.
  private static let edges: [UInt64] = [
    0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000,
    0xFFFF_FFFF,
    0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF,
  ]

  private mutating func putNumber(into bytes: inout [UInt8]) {
    write(Self.edges[below(Self.edges.count)] &- UInt64(below(3)), into: &bytes, at: place(in: bytes))
  }

  /// Writes a number with a random width and byte order.
  private mutating func write(_ number: UInt64, into bytes: inout [UInt8], at place: Int) {
    let width = [1, 2, 2, 4, 4, 4, 8][below(7)]
    let isLittle = below(2) == 0
    for index in 0..<width where place + index < bytes.count {
      let shift = isLittle ? index : width - 1 - index
      bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * shift))
    }
  }

  /// Changes a number beside letters, where boxes, chunks and tables have their lengths: slightly, to nearly the file's
  /// length, or to anything.
  private mutating func bendLength(in bytes: inout [UInt8]) {
    let start = place(in: bytes)
    let place = name(in: bytes, from: start).map { below(2) == 0 ? max(0, $0 - 4) : $0 + 4 } ?? start
    let old = (place..<min(bytes.count, place + 4)).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) }
    write(bent(old, in: bytes), into: &bytes, at: place)
  }

  /// Gives a box a 64-bit length, correct or altered.
  ///
  /// It follows the type if the 32-bit length is 1 (ISO/IEC 14496-12, 4.2): no change of a single number makes such a
  /// box.
  private mutating func widenLength(in bytes: inout [UInt8]) {
    guard let name = name(in: bytes, from: max(4, place(in: bytes))) else { return }
    let own = bytes[name - 4..<name].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } + 8
    let length = below(2) == 0 ? own : bent(own, in: bytes)
    bytes.replaceSubrange(name - 4..<name, with: [0, 0, 0, 1])
    bytes.insert(
      contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }, at: name + 4)
  }

  /// The position of the next four letters.
  private func name(in bytes: [UInt8], from start: Int) -> Int? {
    let end = min(bytes.count, start + 4096)
    return (start..<max(start, end - 4)).first {
      bytes[$0..<$0 + 4].allSatisfy { (0x20...0x7E).contains($0) }
    }
  }

  /// A length that differs from the given one.
  private mutating func bent(_ length: UInt64, in bytes: [UInt8]) -> UInt64 {
    switch below(3) {
    case 0: length &+ UInt64(below(9)) &- 4
    case 1: UInt64(bytes.count) &+ UInt64(below(17)) &- 8
    default: Self.edges[below(Self.edges.count)]
    }
  }

  /// Overwrites or inserts a piece of another file.
  private mutating func splice(_ bytes: inout [UInt8], _ other: [UInt8]) {
    guard !other.isEmpty else { return }
    let piece = Array(other[piece(of: other)])
    let place = place(in: bytes)
    let end = below(2) == 0 ? place : min(bytes.count, place + piece.count)
    bytes.replaceSubrange(place..<end, with: piece)
  }

  private mutating func putWord(into bytes: inout [UInt8]) {
    guard !words.isEmpty else { return putNumber(into: &bytes) }
    let word = words[below(words.count)]
    let place = place(in: bytes)
    let end = below(2) == 0 ? place : min(bytes.count, place + word.count)
    bytes.replaceSubrange(place..<end, with: word)
  }
}
