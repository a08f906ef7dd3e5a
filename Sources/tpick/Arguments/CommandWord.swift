import ArgumentParser
import FoundationEssentials

/// Finds the subcommand among the arguments: the first word that is no option and no option's value.
struct CommandWord {
  /// The subcommand; nil = pick.
  let name: String?
  /// The arguments without it.
  let arguments: [String]

  /// - Parameters:
  ///   - types: the commands, whose options may stand before the word.
  ///   - names: the subcommands.
  init(
    _ arguments: [String], of types: [any ParsableCommand.Type], names: Set<String> = CommandName.words
  ) {
    var arguments = arguments
    let place = Self.firstWord(of: arguments, types, names)
    name = place.map { arguments.remove(at: $0) }
    self.arguments = arguments
  }

  /// The index of the first word, if it is a subcommand.
  private static func firstWord(
    of arguments: [String], _ types: [any ParsableCommand.Type], _ names: Set<String>
  ) -> Int? {
    guard let first = arguments.first else { return nil }
    if names.contains(first) { return 0 }
    // The options need only be known where they come first.
    guard first.hasPrefix("-"), arguments.contains(where: names.contains) else { return nil }
    let valued = OptionNames.valued(of: types)
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      if word == "-" || word == "--" { return nil }
      guard word.hasPrefix("-") else { return names.contains(word) ? index : nil }
      index += valued.contains(word) ? 2 : 1
    }
    return nil
  }
}

/// The names of the commands' options, as the parser knows them.
private enum OptionNames {
  private struct Document: Decodable {
    struct Command: Decodable {
      var arguments: [Argument]?
    }

    struct Argument: Decodable {
      struct Name: Decodable {
        var kind: String
        var name: String
      }

      var kind: String
      var names: [Name]?
    }

    var command: Command
  }

  /// The options that take a value, with their dashes.
  static func valued(of types: [any ParsableCommand.Type]) -> Set<String> {
    Set(
      types.flatMap { type -> [String] in
        let document = try? JSONDecoder().decode(Document.self, from: Data(type._dumpHelp().utf8))
        return (document?.command.arguments ?? []).filter { $0.kind == "option" }.flatMap { argument in
          (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name }
        }
      })
  }
}
