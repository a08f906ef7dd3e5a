import AssetLibrary
import Synchronization

/// Interned texts that many assets share (cameras, lenses, keywords), each identified by a number.
///
/// Number 0 is the empty text. Numbers are valid only within one run.
final class StringPool: Sendable {
  /// A snapshot of the texts.
  struct Texts: Sendable {
    fileprivate(set) var texts: [String] = [""]
    /// The same texts, folded for searching.
    fileprivate(set) var folded: [[UInt8]] = [[]]

    subscript(number: UInt32) -> String { texts[Int(number)] }
    var count: Int { texts.count }

    /// Returns the number of a text, if it is interned.
    func number(of text: String) -> UInt32? { texts.firstIndex(of: text).map(UInt32.init) }
  }

  private struct Contents {
    var texts = Texts()
    var numbers: [String: UInt32] = ["": 0]
  }

  private let contents = Mutex(Contents())

  /// Returns the number of a text; interns it if needed.
  func number(of text: String) -> UInt32 {
    if text.isEmpty { return 0 }
    return contents.withLock { contents in
      if let known = contents.numbers[text] { return known }
      let number = UInt32(contents.texts.count)
      contents.texts.texts.append(text)
      contents.texts.folded.append(TextPattern.fold(text))
      contents.numbers[text] = number
      return number
    }
  }

  /// Returns the number of a list of texts, which is interned as one text.
  func number(of list: [String]) -> UInt32 {
    list.isEmpty ? 0 : number(of: list.joined(separator: Self.separator))
  }

  /// All texts so far; copy-on-write.
  var texts: Texts { contents.withLock { $0.texts } }

  subscript(number: UInt32) -> String { contents.withLock { $0.texts[number] } }

  /// Separates the texts of a list: ASCII's unit separator, which does not occur in keywords.
  static let separator = "\u{1F}"
}

extension StringPool {
  /// Returns the texts of a list.
  func list(_ number: UInt32) -> [String] {
    self[number].split(separator: Self.separator).map(String.init)
  }
}

/// A thread-local cache of the pool: each text is requested only once.
///
/// The pictures of a folder mostly come from one camera; locking the pool for each text would make the
/// readers wait for each other.
final class PooledTexts {
  private let pool: StringPool
  private var numbers: [String: UInt32] = [:]

  init(_ pool: StringPool) {
    self.pool = pool
  }

  /// Returns the number of a text.
  func number(of text: String) -> UInt32 {
    if text.isEmpty { return 0 }
    if let known = numbers[text] { return known }
    let number = pool.number(of: text)
    numbers[text] = number
    return number
  }

  /// Returns the number of a list of texts, which is interned as one text.
  func number(of list: [String]) -> UInt32 {
    list.isEmpty ? 0 : number(of: list.joined(separator: StringPool.separator))
  }

  /// Returns the texts of a list.
  func list(_ number: UInt32) -> [String] { pool.list(number) }
}

/// Many names in one block of memory, each terminated by NUL, as system calls require.
struct NameTable: Sendable {
  private var bytes: [UInt8] = []
  private var starts: [UInt32] = []
  /// The start offsets of symbolic links' names.
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

  /// Passes a pointer to a name to a system call.
  func withCString<Result, Failure: Error>(
    _ index: Int, _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(Failure) -> Result in
      // The table contains at least this name's NUL, so it has memory.
      guard let base = buffer.baseAddress else { preconditionFailure("a name of an empty table") }
      return try UnsafeRawPointer(base + Int(starts[index])).withMemoryRebound(
        to: CChar.self, capacity: 1
      ) { place throws(Failure) -> Result in try body(place) }
    }
  }

  /// Sorts the names by their bytes.
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
