/// Takes numbers and rows out of bytes; nothing where they end.
struct PageReader {
  private let all: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    all = bytes
  }

  var rest: ArraySlice<UInt8> { all[place...] }

  mutating func number() -> UInt64? {
    guard place + 8 <= all.count else { return nil }
    defer { place += 8 }
    return all.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
  }

  /// A number of things that the bytes could hold.
  mutating func count() -> Int? { number().flatMap { $0 <= UInt64(all.count) ? Int($0) : nil } }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard place + count <= all.count else { return nil }
    defer { place += count }
    return Array(all[place..<place + count])
  }

  mutating func rows<Row: BitwiseCopyable>(_ count: Int) -> [Row]? {
    let size = count * MemoryLayout<Row>.stride
    guard place + size <= all.count else { return nil }
    defer { place += size }
    return [Row](unsafeUninitializedCapacity: count) { buffer, filled in
      all.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: .init(rebasing: $0[place..<place + size]))
      }
      filled = count
    }
  }

  /// A number that changes with any byte, eight bytes at a time.
  static func checksum(of bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { buffer in
      var sum = UInt64(buffer.count)
      var place = 0
      while place + 8 <= buffer.count {
        sum = IdentityRegistry.mix(sum, buffer.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        place += 8
      }
      while place < buffer.count {
        sum = IdentityRegistry.mix(sum, UInt64(buffer[place]))
        place += 1
      }
      return sum
    }
  }
}
