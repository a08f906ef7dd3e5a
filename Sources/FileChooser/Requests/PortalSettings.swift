/// The settings of the file chooser: lines `key = value`, with comments after `#`.
package struct PortalSettings: Hashable, Sendable {
  /// The terminal's name or command line; nil for the first one that is installed.
  package var terminal: [UInt8]?
  package var size = TerminalCommand.Size(columns: 120, rows: 36)
  /// The other file choosers: the first one available serves what tpick does not.
  package var backends = ["gtk", "kde", "gnome", "lxqt"]
  /// Whether the other choosers also serve requests for any file: tpick could offer only photos and videos.
  package var leavesAnyFile = false
  /// Messages about invalid lines, in their order.
  package private(set) var problems: [String] = []

  package init() {}

  package init(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let text = Self.trimmed(line)
      guard let first = text.first, first != UInt8(ascii: "#") else { continue }
      guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else {
        problems.append("line \(index + 1): expected key = value")
        continue
      }
      let key = String(decoding: Self.trimmed(text[..<equals]), as: UTF8.self)
      let value = Self.trimmed(text[(equals + 1)...])
      if let problem = read(key, Array(value)) { problems.append("line \(index + 1): \(problem)") }
    }
  }

  /// - Returns: a message if the value is invalid.
  private mutating func read(_ key: String, _ value: [UInt8]) -> String? {
    let text = String(decoding: value, as: UTF8.self)
    switch key {
    case "terminal":
      guard !value.isEmpty else { return "terminal: expected a program" }
      terminal = value
    case "size":
      let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard numbers.count == 2, numbers.allSatisfy((1...1000).contains) else {
        return "size: expected columns and rows such as 120x36, not '\(text)'"
      }
      size = TerminalCommand.Size(columns: numbers[0], rows: numbers[1])
    case "backends":
      let names = text.split(separator: " ").map(String.init)
      // They become elements of bus names.
      let letters = "-_abcdefghijklmnopqrstuvwxyz0123456789"
      guard names.allSatisfy({ $0.allSatisfy(letters.contains) && $0 != "tpick" }) else {
        return "backends: expected names such as gtk kde, not '\(text)'"
      }
      backends = names
    case "any-file":
      guard let owner = ["tpick", "backend"].firstIndex(of: text) else {
        return "any-file: expected tpick or backend, not '\(text)'"
      }
      leavesAnyFile = owner == 1
    default: return "\(key): unknown key; known keys are any-file, backends, size, terminal"
    }
    return nil
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D].contains($0) }
    let rest = bytes.drop(while: isBlank)
    guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return [] }
    return rest[...last]
  }
}
