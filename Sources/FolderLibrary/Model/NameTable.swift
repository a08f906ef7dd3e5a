/// Many names in one piece of memory, each ended by a NUL, as system calls take them.
struct NameTable: Sendable {
  private var bytes: [UInt8] = []
  private var starts: [UInt32] = []
  /// Where the names of symbolic links begin.
  private var links: Set<UInt32> = []

  var count: Int { starts.count }
  var isEmpty: Bool { starts.isEmpty }
  var indices: Range<Int> { 0..<starts.count }

  mutating func append(_ name: UnsafePointer<CChar>, isLink: Bool = false) {
    starts.append(UInt32(bytes.count))
    if isLink { links.insert(UInt32(bytes.count)) }
    var next = name
    while next.pointee != 0 {
      bytes.append(UInt8(bitPattern: next.pointee))
      next += 1
    }
    bytes.append(0)
  }

  mutating func append(_ name: some Sequence<UInt8>) {
    starts.append(UInt32(bytes.count))
    bytes.append(contentsOf: name.prefix { $0 != 0 })
    bytes.append(0)
  }

  /// The bytes of a name without its NUL.
  subscript(index: Int) -> ArraySlice<UInt8> {
    let start = Int(starts[index])
    var end = start
    while bytes[end] != 0 { end += 1 }
    return bytes[start..<end]
  }

  /// All names.
  var all: [ArraySlice<UInt8>] { indices.map { self[$0] } }

  /// Whether the name is that of a symbolic link.
  func isLink(_ index: Int) -> Bool { links.contains(starts[index]) }

  /// Lends a name to a system call.
  func withCString<Result, Failure: Error>(
    _ index: Int, _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(Failure) -> Result in
      // The table holds at least this name's NUL, so that there is memory.
      guard let base = buffer.baseAddress else { preconditionFailure("a name of an empty table") }
      return try UnsafeRawPointer(base + Int(starts[index])).withMemoryRebound(
        to: CChar.self, capacity: 1
      ) { place throws(Failure) -> Result in try body(place) }
    }
  }

  /// Puts the names in the order of their bytes.
  mutating func sort() {
    starts = bytes.withUnsafeBufferPointer { buffer in
      starts.sorted { a, b in
        var (a, b) = (Int(a), Int(b))
        while buffer[a] == buffer[b], buffer[a] != 0 {
          a += 1
          b += 1
        }
        return buffer[a] < buffer[b]
      }
    }
  }
}
