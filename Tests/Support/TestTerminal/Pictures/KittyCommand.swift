/// A received command of kitty's graphics protocol.
package struct KittyCommand: Equatable, Sendable {
  /// The control data, by key.
  package let controls: [Character: String]
  /// The bytes after the control data: base64, not decoded.
  package let payload: [UInt8]
  /// The cursor position at that time.
  package internal(set) var position = TerminalPosition(row: 0, column: 0)
  /// Whether it was received within a synchronized update.
  package internal(set) var synchronized = false

  /// Parses the payload of an APC; `nil` unless it is a graphics command.
  package init?(payload bytes: [UInt8]) {
    guard bytes.first == UInt8(ascii: "G") else { return nil }
    let parts = bytes.dropFirst().split(
      separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
    var controls: [Character: String] = [:]
    for control in (parts.first ?? []).split(separator: UInt8(ascii: ",")) {
      let pair = control.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard pair.count == 2, let key = pair[0].first else { continue }
      controls[Character(UnicodeScalar(key))] = String(decoding: pair[1], as: UTF8.self)
    }
    self.controls = controls
    payload = parts.count > 1 ? Array(parts[1]) : []
  }

  /// The value of a control key.
  package subscript(_ key: Character) -> String? { controls[key] }

  /// The action: `t` unless the command says otherwise.
  package var action: String { controls["a"] ?? "t" }

  /// Whether it displays a picture.
  package var displays: Bool { action == "T" || action == "p" }
}
