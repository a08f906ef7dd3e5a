import FoundationEssentials

/// The commands of a program with their options, as printed by its argument parser.
///
/// Source: `ToolInfoV0` of swift-argument-parser, which `--experimental-dump-help` prints.
package struct CommandTable: Decodable, Sendable {
  package let command: Command

  /// A command with its subcommands.
  package struct Command: Decodable, Sendable {
    let commandName: String
    let abstract: String?
    let shouldDisplay: Bool?
    let subcommands: [Command]?
    let arguments: [CommandArgument]?
  }

  /// - Parameter json: the parser's output.
  /// - Returns: nil for anything else.
  package init?(json: String) {
    guard let table = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
    self = table
  }

  /// The options that take a value, with their dashes, of the command and its subcommands.
  package var valuedOptions: Set<String> {
    Set(command.allArguments.filter { $0.kind == .option }.flatMap(\.spellings))
  }
}

extension CommandTable.Command {
  /// The subcommand that the parser adds to each command; not counted among `children`.
  static let help = "help"

  /// The visible subcommands.
  var children: [Self] {
    (subcommands ?? []).filter { $0.shouldDisplay ?? true && $0.commandName != Self.help }
  }

  func child(named name: String) -> Self? { children.first { $0.commandName == name } }

  /// The visible options and flags.
  package var options: [CommandArgument] {
    (arguments ?? []).filter { $0.shouldDisplay && $0.kind != .positional }
  }

  /// The positional argument; nil if the command takes none.
  package var positional: CommandArgument? {
    (arguments ?? []).first { $0.kind == .positional && $0.shouldDisplay }
  }

  /// The option with a spelling such as `--sort` or `-n`, including hidden ones.
  package func option(_ spelling: String) -> CommandArgument? {
    (arguments ?? []).first { $0.kind != .positional && $0.spellings.contains(spelling) }
  }

  /// The command and all its subcommands.
  package var all: [Self] { [self] + children.flatMap(\.all) }

  package var name: String { commandName }

  fileprivate var allArguments: [CommandArgument] {
    (arguments ?? []) + (subcommands ?? []).flatMap(\.allArguments)
  }
}

/// An option, a flag or an argument of a command.
package struct CommandArgument: Decodable, Sendable {
  package enum Kind: String, Decodable, Sendable {
    case positional, option, flag
  }

  struct Name: Decodable, Sendable {
    let kind: String
    let name: String

    var spelling: String { (kind == "long" ? "--" : "-") + name }
  }

  /// The values according to the declaration.
  struct Values: Decodable, Sendable {
    struct Words: Decodable, Sendable {
      let values: [String]
    }

    struct Paths: Decodable, Sendable {}

    let list: Words?
    let file: Paths?
    let directory: Paths?
  }

  package let kind: Kind
  let names: [Name]?
  let abstract: String?
  let isRepeating: Bool
  let shouldDisplay: Bool
  package let valueName: String?
  let allValues: [String]?
  let completionKind: Values?
}

extension CommandArgument {
  /// The spellings, such as `-n` and `--limit`.
  package var spellings: [String] { (names ?? []).map(\.spelling) }

  /// The long name without its dashes; empty for an argument.
  package var longName: String { names?.first { $0.kind == "long" }?.name ?? "" }

  /// A short form of the first sentence of its help.
  var summary: String {
    var text = Substring(abstract ?? "")
    // "With --x: effect" is shortened to the effect.
    if text.hasPrefix("With "), let colon = text.firstRange(of: ": ") { text = text[colon.upperBound...] }
    let end = text.indices.first { index in
      let next = text.index(after: index)
      return ".;:".contains(text[index]) && (next == text.endIndex || text[next] == " ") || text[index] == "("
    }
    let sentence = text[..<(end ?? text.endIndex)]
    guard sentence.count > 60, let blank = sentence.prefix(60).lastIndex(of: " ") else {
      return sentence.trimmingBlanks()
    }
    return sentence[..<blank].trimmingBlanks() + "…"
  }

  /// The values of an enumeration, or those listed in the declaration.
  package var words: [String] { allValues ?? completionKind?.list?.values ?? [] }
}

extension Substring {
  fileprivate func trimmingBlanks() -> String {
    var text = drop { $0 == " " }
    while text.last == " " || text.last == "," { text.removeLast() }
    return String(text)
  }
}
