import AssetLibrary
import System
import SystemPackage

/// The note on a file in the trash, `NAME.trashinfo`: its original path, and when it was moved to the trash.
struct TrashNote: Hashable, Sendable {
  /// The bytes of the original path: absolute, or relative to the folder that contains the trash.
  var path: [UInt8]
  /// The deletion date in local time, as `2026-11-26T15:10:00`; nil if the note has none or an invalid one.
  var deleted: String?

  /// The suffix of a note's file name.
  static let suffix = Array(".trashinfo".utf8)
  /// The maximum size of a note in bytes: percent-encoded, a path of 4096 bytes has three times as many.
  static let longest = 1 << 16

  /// The content of the file.
  var bytes: [UInt8] {
    let path = PercentEncoding.encoded(path, keeping: "/-_.~".utf8)
    return Array("[Trash Info]\nPath=\(path)\nDeletionDate=\(deleted ?? Self.moment())\n".utf8)
  }

  init(path: [UInt8], deleted: String) { (self.path, self.deleted) = (path, deleted) }

  /// Parses a note; nil if it has no valid path.
  ///
  /// Of several lines with the same key, the first counts, as the specification requires.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n")).map { $0.last == 0x0D ? $0.dropLast() : $0 }
    guard lines.first.map({ $0.elementsEqual("[Trash Info]".utf8) }) ?? false else { return nil }
    func value(of key: String) -> ArraySlice<UInt8>? {
      lines.first { $0.starts(with: "\(key)=".utf8) }?.dropFirst(key.utf8.count + 1)
    }
    guard let text = value(of: "Path"), let path = PercentEncoding.decoded(text), !path.isEmpty,
      !path.contains(0)
    else { return nil }
    let names = path.split(separator: UInt8(ascii: "/"))
    guard let last = names.last, !last.elementsEqual(".".utf8),
      !names.contains(where: { $0.elementsEqual("..".utf8) })
    else { return nil }
    self.path = path
    deleted = value(of: "DeletionDate").flatMap(Self.moment)
  }

  /// Parses a deletion date; nil if it is invalid.
  private static func moment(_ text: ArraySlice<UInt8>) -> String? {
    let form = Array("0000-00-00T00:00:00".utf8)
    // Some programs append a time zone or a fraction of a second.
    let text = Array(text.prefix(form.count))
    guard text.count == form.count else { return nil }
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    for (byte, wanted) in zip(text, form) {
      guard wanted == UInt8(ascii: "0") ? digits.contains(byte) : byte == wanted else { return nil }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the current local time as a deletion date.
  static func moment() -> String {
    var (now, parts) = (time(nil), tm())
    localtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
