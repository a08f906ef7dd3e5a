/// The name of a copy, as arbitrary bytes, with a separate extension.
package struct ExportName: Hashable, Sendable {
  /// The names of its folders below the folder of all copies.
  package private(set) var folders: [[UInt8]] = []
  /// The part before the extension.
  package var stem: [UInt8]
  /// The extension with its dot; empty if there is none.
  package var suffix: [UInt8]

  /// The maximum length of a file name in bytes on all Linux file systems (NAME_MAX).
  private static let longest = 255

  package init(stem: [UInt8], suffix: [UInt8]) {
    self.stem = stem
    self.suffix = suffix
  }

  /// The maximum length of an extension; a longer one is part of the stem.
  private static let longestSuffix = 32

  /// Splits a file name; a leading dot does not start an extension.
  package init(_ name: [UInt8]) {
    let found = name.lastIndex(of: UInt8(ascii: "."))
    let dot = found.flatMap { $0 > 0 && name.count - $0 <= Self.longestSuffix ? $0 : nil } ?? name.count
    self.init(stem: Array(name[..<dot]), suffix: Array(name[dot...]))
  }

  /// Creates the name of a copy that is named differently from its file.
  ///
  /// The extension is always the file's; it is not repeated if the text already ends with it. A text that is
  /// not a valid name is replaced with the file's name.
  /// - Parameters:
  ///   - text: the new name, without slashes.
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

  /// Creates the name of a copy from a template's path.
  /// - Parameters:
  ///   - path: the names of its folders and its own name, without slashes; empty folder names are skipped,
  ///     and the dots of "." and ".." are replaced with underscores.
  ///   - original: the file's name.
  package init(path: [[UInt8]], of original: ExportName) {
    self.init(path.last ?? [], of: original)
    folders = path.dropLast().filter { !$0.isEmpty }.map { name in
      let isDots = name.allSatisfy { $0 == UInt8(ascii: ".") }
      return Self.cut(isDots ? name.map { _ in UInt8(ascii: "_") } : name, to: Self.longest)
    }
  }

  /// Returns the name in the folders of another one.
  func inFolders(of other: ExportName) -> ExportName {
    var name = self
    name.folders = other.folders
    return name
  }

  /// Changes the extension for another format; an equivalent extension is kept.
  ///
  /// Digits after the last dot, as in "Day 3.5", are not an extension and become part of the stem.
  mutating func take(suffix other: String) {
    let own = String(decoding: suffix.dropFirst(), as: UTF8.self).lowercased()
    if own == other || own == "jpeg" && other == "jpg" { return }
    if !own.isEmpty, own.allSatisfy(\.isNumber) { stem += suffix }
    suffix = Array(".\(other)".utf8)
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// The number of bytes reserved for the number of a copy.
  private static let numberRoom = 16

  /// Returns the name with a suffix after its stem, which is truncated if necessary.
  func appending(_ mark: String) -> ExportName {
    let room = Self.longest - Self.numberRoom - mark.utf8.count - suffix.count
    return ExportName(stem: Self.cut(stem, to: room) + Array(mark.utf8), suffix: suffix)
  }

  /// The name in lowercase, which is equal for names that case-insensitive file systems treat as the same.
  var folded: String { String(decoding: bytes(), as: UTF8.self).lowercased() }

  /// Returns the whole name, with a number from 2 on: "IMG_1234 (2).JPG".
  ///
  /// A stem that is too long is truncated between UTF-8 characters.
  package func bytes(number: Int = 1) -> [UInt8] {
    let mark = number > 1 ? Array(" (\(number))".utf8) : []
    return Self.cut(stem, to: Self.longest - mark.count - suffix.count) + mark + suffix
  }

  /// Returns at most `count` bytes of a text, truncated between UTF-8 characters.
  private static func cut(_ text: [UInt8], to count: Int) -> [UInt8] {
    guard text.count > count else { return text }
    var end = max(1, count)
    while end > 1, text[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(text[..<end])
  }
}
