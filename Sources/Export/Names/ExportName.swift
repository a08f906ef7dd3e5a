/// The name of a copy: any bytes that a file system takes, with the extension apart.
package struct ExportName: Hashable, Sendable {
  /// What stands before the extension.
  package var stem: [UInt8]
  /// With its dot; empty where there is none.
  package var suffix: [UInt8]

  /// The bytes that a name may have on all file systems of Linux (NAME_MAX).
  private static let longest = 255

  package init(stem: [UInt8], suffix: [UInt8]) {
    self.stem = stem
    self.suffix = suffix
  }

  /// Splits the name of a file; a dot at its beginning begins no extension.
  package init(_ name: [UInt8]) {
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
    self.init(stem: Array(name[..<dot]), suffix: Array(name[dot...]))
  }

  /// The name of a copy of a file that is called otherwise.
  ///
  /// The extension is the file's own, also where the text ends with it; what would be no name is the file's.
  /// - Parameters:
  ///   - text: without slashes.
  ///   - original: the file's name.
  package init(_ text: [UInt8], of original: ExportName) {
    var stem = text
    let isSame = { (end: ArraySlice<UInt8>) in end.map(Self.lowercase) == original.suffix.map(Self.lowercase)
    }
    if stem.count > original.suffix.count, isSame(stem.suffix(original.suffix.count)) {
      stem.removeLast(original.suffix.count)
    }
    let isDots = stem.allSatisfy { $0 == UInt8(ascii: ".") }
    self.init(stem: isDots ? original.stem : stem, suffix: original.suffix)
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// The whole name, with a number where others have it already: "IMG_1234 (2).JPG".
  ///
  /// A stem that is too long is cut, at a character of UTF-8.
  package func bytes(number: Int = 1) -> [UInt8] {
    let mark = number > 1 ? Array(" (\(number))".utf8) : []
    var stem = stem
    let room = max(1, Self.longest - mark.count - suffix.count)
    if stem.count > room {
      var end = room
      while end > 1, stem[end] & 0xC0 == 0x80 { end -= 1 }
      stem.removeLast(stem.count - end)
    }
    return stem + mark + suffix
  }
}
