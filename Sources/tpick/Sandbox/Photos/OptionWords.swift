import ArgumentParser
import Completion

/// The options of a command line as words, to pass some of them to another command of this program.
struct OptionWords {
  /// An option with its value, or a positional word.
  struct Item {
    /// The option's name with its dashes; nil for a source.
    var option: String?
    var words: [String]
  }

  private(set) var items: [Item] = []

  /// - Parameters:
  ///   - words: valid for the command, without `--`.
  ///   - valued: the options of the command that take values.
  init(_ words: [String], valued: Set<String>) {
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      guard word.hasPrefix("-"), word != "-" else {
        items.append(Item(option: nil, words: [word]))
        continue
      }
      var parts = [word]
      if !word.hasPrefix("--") { parts = Self.letters(of: word, valued: valued) }
      for part in parts {
        let name = part.hasPrefix("--") ? String(part.prefix { $0 != "=" }) : String(part.prefix(2))
        if name == part, valued.contains(name), index < words.count {
          items.append(Item(option: name, words: [part, words[index]]))
          index += 1
        } else {
          items.append(Item(option: name, words: [part]))
        }
      }
    }
  }

  /// The options of a word with grouped letters: `-0n3` is `-0` and `-n3`.
  private static func letters(of word: String, valued: Set<String>) -> [String] {
    var (found, rest): ([String], Substring) = ([], word.dropFirst())
    while let letter = rest.first {
      if valued.contains("-\(letter)") { return found + ["-\(rest)"] }
      found.append("-\(letter)")
      rest = rest.dropFirst()
    }
    return found
  }

  /// The positional words.
  var sources: [String] { items.filter { $0.option == nil }.flatMap(\.words) }

  /// The words without some options.
  func words(without options: Set<String>) -> [String] {
    items.filter { item in item.option.map { !options.contains($0) } ?? true }.flatMap(\.words)
  }

  /// The words of some options only.
  func words(of options: Set<String>) -> [String] {
    items.filter { item in item.option.map { options.contains($0) } ?? false }.flatMap(\.words)
  }

  /// The options that are given.
  var options: Set<String> { Set(items.compactMap(\.option)) }

  /// The spellings of a command's options that take values.
  static func valued(of command: any ParsableCommand.Type) -> Set<String> {
    CommandTable(json: command._dumpHelp())?.valuedOptions ?? []
  }

  /// The spellings of all options of a command.
  static func all(of command: any ParsableCommand.Type) -> Set<String> {
    Set(CommandTable(json: command._dumpHelp())?.command.options.flatMap(\.spellings) ?? [])
  }
}
