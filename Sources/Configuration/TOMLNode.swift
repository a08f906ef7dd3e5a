import AssetLibrary
import System
import TOMLKit

/// A value of a TOML document (toml.io, 1.0.0), as far as tpick uses it.
package enum TOMLNode: Hashable, Sendable {
  case string(String)
  case integer(Int)
  case boolean(Bool)
  case list([TOMLNode])
  case table([String: TOMLNode])
  /// Types that nothing uses: floats, dates, times.
  case other(String)

  /// Parses a document into its top-level table.
  /// - Throws: `SettingsProblem.syntax` for the first syntax error.
  package static func document(_ bytes: [UInt8]) throws(SettingsProblem) -> [String: TOMLNode] {
    // The parser reads C strings, which end at a NUL.
    if let end = bytes.firstIndex(of: 0) { throw problem("contains a NUL character", at: end, of: bytes) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw problem("not UTF-8", at: validCount(bytes), of: bytes)
    }
    if let dot = firstExcessDot(bytes) { throw problem("too many dots", at: dot, of: bytes) }
    do {
      return nodes(of: try TOMLTable(string: text))
    } catch let error as TOMLParseError {
      let place = error.source.begin
      let words = error.description
      throw .syntax(line: place.line, column: place.column, words.prefix(1).lowercased() + words.dropFirst())
    } catch {
      throw .syntax(line: 1, column: 1, "\(error)")
    }
  }

  private static func problem(_ words: String, at place: Int, of bytes: [UInt8]) -> SettingsProblem {
    let before = bytes[..<place]
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = String(decoding: bytes[start..<place], as: UTF8.self).unicodeScalars.count
    return .syntax(line: before.count { $0 == 0x0A } + 1, column: column + 1, words)
  }

  /// Bounds dotted keys: each dot nests a table, and the parser does not limit that depth.
  private static let maximumDots = 1000

  /// The offset of the first dot above the maximum, outside of comments and strings; nil if there is none.
  private static func firstExcessDot(_ bytes: [UInt8]) -> Int? {
    var count = 0
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "#"): index = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
      case UInt8(ascii: "\""), UInt8(ascii: "'"): index = endOfString(bytes, from: index)
      case UInt8(ascii: "."):
        count += 1
        if count > maximumDots { return index }
        index += 1
      default: index += 1
      }
    }
    return nil
  }

  /// The offset after a string; for an unterminated one, after its line, or at the end if it may have several
  /// lines.
  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    let quote = bytes[start]
    let isLong = bytes[start...].starts(with: [quote, quote, quote])
    var index = start + (isLong ? 3 : 1)
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        index += 2
      } else if isLong, bytes[index...].starts(with: [quote, quote, quote]) {
        index += 3
        // TOML allows one or two quotes of the text directly before the closing three.
        for _ in 0..<2 where index < bytes.count && bytes[index] == quote { index += 1 }
        return index
      } else if !isLong, bytes[index] == quote || bytes[index] == 0x0A {
        return index + 1
      } else {
        index += 1
      }
    }
    return bytes.count
  }

  /// The length in bytes of the valid UTF-8 at the start.
  private static func validCount(_ bytes: [UInt8]) -> Int {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var count = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { count += UTF8.width(scalar) }
    return count
  }

  private static func nodes(of table: TOMLTable) -> [String: TOMLNode] {
    var nodes: [String: TOMLNode] = [:]
    for key in table.keys { nodes[key] = table[key].map(node) }
    return nodes
  }

  /// Converts a value; the recursion is bounded by the parser's limit on nesting.
  private static func node(_ value: any TOMLValueConvertible) -> TOMLNode {
    if let string = value.string { return .string(string) }
    if let integer = value.int { return .integer(integer) }
    if let boolean = value.bool { return .boolean(boolean) }
    if let table = value.table { return .table(nodes(of: table)) }
    if let array = value.array { return .list((0..<array.count).map { node(array[$0]) }) }
    return .other(value.type.description)
  }

  /// The value as shown in messages.
  package var text: String {
    switch self {
    case .string(let string): "'\(string)'"
    case .integer(let number): "\(number)"
    case .boolean(let isOn): "\(isOn)"
    case .list: "a list"
    case .table: "a table"
    case .other(let type): Wording.withArticle(type)
    }
  }
}

/// Writes values of TOML documents (toml.io, 1.0.0).
package enum TOMLText {
  /// A basic string: quotes, backslashes and characters that affect terminals are escaped.
  package static func quoted(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { scalar -> String in
        switch scalar {
        case "\"", "\\": return "\\\(scalar)"
        case _ where ControlCharacters.contains(scalar):
          let (digits, isShort) = (String(scalar.value, radix: 16), scalar.value < 0x10000)
          return (isShort ? "\\u" : "\\U")
            + String(repeating: "0", count: (isShort ? 4 : 8) - digits.count) + digits
        default: return String(scalar)
        }
      }.joined() + "\""
  }
}
