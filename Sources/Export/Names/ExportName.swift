/// The name of a copy: any bytes that a file system takes, with the extension apart.
package struct ExportName: Hashable, Sendable {
  /// The names of the folders that it lies in, below that of all copies.
  package private(set) var folders: [[UInt8]] = []
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

  /// No extension is longer than this.
  private static let longestSuffix = 32

  /// Splits the name of a file; a dot at its beginning begins no extension.
  package init(_ name: [UInt8]) {
    let found = name.lastIndex(of: UInt8(ascii: "."))
    let dot = found.flatMap { $0 > 0 && name.count - $0 <= Self.longestSuffix ? $0 : nil } ?? name.count
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

  /// The name of a copy that is called as a template says.
  /// - Parameters:
  ///   - path: the names of its folders and its own, without slashes; what leads nowhere, or out, is none of a folder's.
  ///   - original: the file's name.
  package init(path: [[UInt8]], of original: ExportName) {
    self.init(path.last ?? [], of: original)
    folders = path.dropLast().filter { !$0.isEmpty }.map { name in
      let isDots = name.allSatisfy { $0 == UInt8(ascii: ".") }
      return Self.cut(isDots ? name.map { _ in UInt8(ascii: "_") } : name, to: Self.longest)
    }
  }

  /// The same name in the folders of another one.
  func inFolders(of other: ExportName) -> ExportName {
    var name = self
    name.folders = other.folders
    return name
  }

  /// The name of a file in another format; an extension that says the same stays as it is.
  ///
  /// What follows the last dot of "Day 3.5" is no extension, and stays, too.
  mutating func take(suffix other: String) {
    let own = String(decoding: suffix.dropFirst(), as: UTF8.self).lowercased()
    if own == other || own == "jpeg" && other == "jpg" { return }
    if !own.isEmpty, own.allSatisfy(\.isNumber) { stem += suffix }
    suffix = Array(".\(other)".utf8)
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// Room for the number of a copy.
  private static let numberRoom = 16

  /// The name with something behind its stem, which is cut where both would be too long.
  func appending(_ mark: String) -> ExportName {
    let room = Self.longest - Self.numberRoom - mark.utf8.count - suffix.count
    return ExportName(stem: Self.cut(stem, to: room) + Array(mark.utf8), suffix: suffix)
  }

  /// What is the same for two names that some file systems take for one: those that tell no case apart.
  var folded: String { String(decoding: bytes(), as: UTF8.self).lowercased() }

  /// The whole name, with a number where others have it already: "IMG_1234 (2).JPG".
  ///
  /// A stem that is too long is cut, at a character of UTF-8.
  package func bytes(number: Int = 1) -> [UInt8] {
    let mark = number > 1 ? Array(" (\(number))".utf8) : []
    return Self.cut(stem, to: Self.longest - mark.count - suffix.count) + mark + suffix
  }

  /// At most so many bytes of a text, cut at a character of UTF-8.
  private static func cut(_ text: [UInt8], to count: Int) -> [UInt8] {
    guard text.count > count else { return text }
    var end = max(1, count)
    while end > 1, text[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(text[..<end])
  }
}
