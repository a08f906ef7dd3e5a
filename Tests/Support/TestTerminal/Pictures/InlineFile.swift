/// A file sent with iTerm2's inline images protocol.
package struct InlineFile: Equatable, Sendable {
  /// The display width in pixels.
  package let width: Int
  /// The display height in pixels.
  package let height: Int
  /// The arguments, by name.
  package let arguments: [String: String]
  /// The bytes of the file.
  package let bytes: [UInt8]

  /// Parses a payload from `File=` on; `nil` unless it is complete and has a size in pixels.
  package init?(_ payload: [UInt8]) {
    guard payload.starts(with: "File=".utf8) else { return nil }
    let parts = payload.dropFirst(5).split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let bytes = KittyLayer.decoded(Array(parts[1])) else { return nil }
    var arguments: [String: String] = [:]
    for argument in String(decoding: parts[0], as: UTF8.self).split(separator: ";") {
      let pair = argument.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { arguments[String(pair[0])] = String(pair[1]) }
    }
    guard arguments["inline"] == "1", arguments["size"] == String(bytes.count),
      let width = arguments["width"], width.hasSuffix("px"), let columns = Int(width.dropLast(2)),
      let height = arguments["height"], height.hasSuffix("px"), let rows = Int(height.dropLast(2))
    else { return nil }
    self.width = columns
    self.height = rows
    self.arguments = arguments
    self.bytes = bytes
  }
}
