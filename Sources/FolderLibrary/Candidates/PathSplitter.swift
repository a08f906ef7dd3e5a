/// Takes a stream of bytes apart into paths, in whatever pieces the bytes come.
///
/// Keeps the beginning of one path at most, and no more of it than a path can be long.
struct PathSplitter {
  /// One path of the stream.
  enum Piece: Equatable {
    case path(ArraySlice<UInt8>)
    /// The beginning of what is longer than any path.
    case overlong(ArraySlice<UInt8>)
  }

  /// Linux takes paths of up to 4096 bytes; in a URI each of them may be three.
  static let longest = 16384

  private let separator: UInt8
  /// The beginning of a path whose end has not come.
  private(set) var beginning: [UInt8] = []

  /// - Parameter isNulSeparated: NUL stands between paths in place of a newline.
  init(isNulSeparated: Bool) {
    separator = isNulSeparated ? 0 : 0x0A
  }

  /// Takes the next bytes, and gives each path that ends in them; empty ones are left out.
  /// - Returns: false where a NUL stands among bytes that newlines separate. What stood before it was given.
  mutating func take(_ bytes: ArraySlice<UInt8>, _ body: (Piece) -> Void) -> Bool {
    var rest = bytes
    while let end = rest.firstIndex(where: { $0 == separator || $0 == 0 }) {
      if rest[end] != separator { return false }
      give(rest[..<end], body)
      rest = rest[(end + 1)...]
    }
    keep(rest)
    return true
  }

  /// Gives the last path, which no separator need follow.
  mutating func finish(_ body: (Piece) -> Void) { give([], body) }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    // One byte more than a path has tells that it is none.
    beginning += bytes.prefix(Self.longest + 1 - beginning.count)
  }

  private mutating func give(_ end: ArraySlice<UInt8>, _ body: (Piece) -> Void) {
    var path = end
    if !beginning.isEmpty {
      keep(end)
      path = beginning[...]
      beginning = []
    }
    if path.isEmpty { return }
    body(path.count > Self.longest ? .overlong(path.prefix(Self.longest)) : .path(path))
  }
}
