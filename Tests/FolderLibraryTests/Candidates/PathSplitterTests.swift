import Testing

@testable import FolderLibrary

/// Splits bytes that arrive in pieces of any length into paths.
@Suite struct PathSplitterTests {
  /// The paths of an input read in pieces of the given length; nil if it was rejected.
  private func paths(
    _ input: String, in length: Int, isNulSeparated: Bool = false
  ) -> [PathSplitter.Piece]? {
    var splitter = PathSplitter(isNulSeparated: isNulSeparated)
    var found: [PathSplitter.Piece] = []
    var rest = Array(input.utf8)[...]
    while !rest.isEmpty {
      guard splitter.take(rest.prefix(length), { found.append($0) }) else { return nil }
      rest = rest.dropFirst(length)
    }
    splitter.finish { found.append($0) }
    return found
  }

  private func pieces(_ names: [String]) -> [PathSplitter.Piece] { names.map { .path(Array($0.utf8)[...]) } }

  @Test(arguments: [1, 2, 3, 5, 1000])
  func `Pieces may end anywhere, and the last newline may be missing`(length: Int) {
    let names = ["/a/one.jpg", " two .jpg\r", "drei ü.jpg"]
    #expect(paths(names.joined(separator: "\n"), in: length) == pieces(names))
    #expect(paths(names.joined(separator: "\n") + "\n", in: length) == pieces(names))
    #expect(paths("\n\n" + names.joined(separator: "\n\n\n") + "\n\n", in: length) == pieces(names))
    #expect(paths("", in: length) == [])
    #expect(paths("\n\n", in: length) == [])
    let lines = ["two\nlines.jpg", "b"]
    #expect(paths(lines.joined(separator: "\0"), in: length, isNulSeparated: true) == pieces(lines))
  }

  @Test func `A NUL among lines is rejected, after the paths before it were returned`() {
    var splitter = PathSplitter(isNulSeparated: false)
    var found: [PathSplitter.Piece] = []
    #expect(!splitter.take(Array("a\nb\0c\n".utf8)[...]) { found.append($0) })
    #expect(found == pieces(["a"]))
    #expect(paths("ab\0", in: 1) == nil)
  }

  @Test(arguments: [1000, 1 << 20])
  func `Only the beginning of an overlong path is kept`(length: Int) {
    let longest = String(repeating: "x", count: PathSplitter.longest)
    let long = longest + String(repeating: "y", count: 300_000)
    #expect(
      paths("a\n\(long)\n\(longest)\nb", in: length)
        == pieces(["a"]) + [.overlong(Array(longest.utf8)[...])] + pieces([longest, "b"]))
  }

  @Test func `A line without an end uses no more memory than a path`() {
    var splitter = PathSplitter(isNulSeparated: false)
    for _ in 1...100 {
      #expect(splitter.take(Array(repeating: UInt8(ascii: "x"), count: 1000)[...]) { _ in })
      #expect(splitter.beginning.count <= PathSplitter.longest + 1)
    }
    #expect(splitter.beginning.count == PathSplitter.longest + 1)
  }
}
