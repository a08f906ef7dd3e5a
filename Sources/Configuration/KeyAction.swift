import AssetLibrary
package import PickerUI
package import Results

/// The action of a key, from an option or the configuration: a command, `ignore`, or a program.
package enum KeyAction: Hashable, Sendable {
  case command(Command)
  case ignore
  /// One of the user's programs, and the command line it was read from.
  case program(ProgramKey.Kind, CommandTemplate, line: String)

  /// - Parameter bytes: converts text to bytes; text can represent bytes that are not UTF-8.
  /// - Throws: `FormatError` for an invalid action.
  package init(
    _ text: String, bytes: (String) -> [UInt8] = { Array($0.utf8) }
  ) throws(FormatError) {
    if text == "ignore" {
      self = .ignore
    } else if let command = Command(name: text) {
      self = .command(command)
    } else if let open = text.firstIndex(of: "("), text.hasSuffix(")"),
      let kind = ProgramKey.Kind(rawValue: String(text[..<open]))
    {
      let line = String(text[text.index(after: open)...].dropLast())
      self = .program(kind, try CommandTemplate(line: bytes(line)), line: line)
    } else {
      let kinds = ProgramKey.Kind.allCases.map { "\($0.rawValue)(COMMAND)" }
      let names = Command.allCases.map(\.name)
      throw FormatError(NearestWord.message(unknown: "action", text, known: ["ignore"] + kinds + names))
    }
  }

  /// The action as text, which can be read back.
  var text: String {
    switch self {
    case .command(let command): command.name
    case .ignore: "ignore"
    case .program(let kind, _, let line): "\(kind.rawValue)(\(line))"
    }
  }
}

/// A key with its action.
package struct BoundAction: Hashable, Sendable {
  package var key: Key
  package var action: KeyAction

  package init(_ key: Key, _ action: KeyAction) {
    self.key = key
    self.action = action
  }
}
