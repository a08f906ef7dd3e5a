import ArgumentParser
import AssetLibrary
import Completion

/// The arguments of a call, split into the subcommand and the rest.
///
/// The subcommand is the first word that is neither an option nor an option's value, so options may precede it. The
/// parser itself looks for a subcommand only in the first position, and takes `tpick --offline list` for a picker of
/// the folder `list`.
struct SubcommandCall {
  private static let help = "help"

  /// Makes the parser print all commands, for the generator of the manual pages.
  private static let dump = "--experimental-dump-help"

  /// The program.
  let root: any ParsableCommand.Type
  /// The commands of the subcommand's words: `cache`, `warm`.
  let commands: [any ParsableCommand.Type]
  /// The arguments after those words.
  let arguments: [String]
  /// Whether the call requests the help of the subcommand.
  let asksForHelp: Bool

  /// What is wrong with the subcommand.
  private(set) var problem: Failure?

  /// - Parameters:
  ///   - root: the program.
  ///   - standard: the default subcommand.
  init(
    _ given: [String], of root: any ParsableCommand.Type, default standard: any ParsableCommand.Type
  ) {
    var arguments = given
    asksForHelp = arguments.first == Self.help
    if asksForHelp { arguments.removeFirst() }
    var commands: [any ParsableCommand.Type] = []
    var known = root.configuration.subcommands
    while !known.isEmpty {
      let names = known.map { $0._commandName }
      let words = commands.isEmpty ? Set(names).union(SubcommandName.reserved) : Set(names)
      guard let place = Self.firstWord(of: arguments, known, words) else {
        // The argument of the default command may be a file name, as may that of a command that has actions as well.
        let takesWords = commands.last.map { $0 is any Subcommand.Type } ?? true
        if asksForHelp || !takesWords, let word = arguments.first, !word.hasPrefix("-") {
          problem = .usage(NearestWord.message(unknown: "subcommand", word, known: names))
        }
        break
      }
      let word = arguments.remove(at: place)
      guard let command = known.first(where: { $0._commandName == word }) else {
        problem = .usage("\(word): not implemented yet; for a folder of that name write ./\(word)")
        break
      }
      commands.append(command)
      known = command.configuration.subcommands
    }
    if asksForHelp, problem == nil, let word = arguments.first {
      problem = .usage(
        "help: '\(word)' is not a subcommand of \((["tpick"] + commands.map { $0._commandName }).joined(separator: " "))"
      )
    }
    // The default command takes sources; other subcommands report what is missing.
    if commands.isEmpty, !asksForHelp, given != [Self.dump] { commands = [standard] }
    self.root = root
    self.commands = commands
    self.arguments = arguments
  }

  /// The words of the subcommand.
  var path: [String] { (asksForHelp ? [Self.help] : []) + commands.map { $0._commandName } }

  /// The arguments for the program itself, instead of a subcommand.
  var rootArguments: [String] { arguments == [Self.dump] ? arguments : path }

  /// The command that shows the help.
  var helpCommand: String {
    let path = commands.map { $0._commandName }.drop { $0 == SubcommandName.pick.rawValue }
    return (["tpick"] + path + ["--help"]).joined(separator: " ")
  }

  /// The index of the first word, if it is a subcommand.
  private static func firstWord(
    of arguments: [String], _ commands: [any ParsableCommand.Type], _ names: Set<String>
  ) -> Int? {
    guard let first = arguments.first else { return nil }
    if names.contains(first) { return 0 }
    // Options need to be known only if they come first.
    guard first.hasPrefix("-"), arguments.contains(where: names.contains) else { return nil }
    let valued = Set(commands.flatMap { CommandTable(json: $0._dumpHelp())?.valuedOptions ?? [] })
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      if word == "-" || word == "--" { return nil }
      guard word.hasPrefix("-") else { return names.contains(word) ? index : nil }
      index += takesNextWord(word, valued) ? 2 : 1
    }
    return nil
  }

  /// Whether the value of an option is the next word; short options may be grouped, as in `-0f`.
  private static func takesNextWord(_ word: String, _ valued: Set<String>) -> Bool {
    if word.hasPrefix("--") { return valued.contains(word) }
    let letters = word.dropFirst()
    let place = letters.firstIndex { valued.contains("-\($0)") }
    return place.map { letters.index(after: $0) == letters.endIndex } ?? false
  }
}

/// The subcommands with their descriptions; a folder of the same name is written `./list`.
enum SubcommandName: String, CaseIterable {
  case pick, list, run, albums, mark, changes, info, show, add, trash, access, remote, cache, config,
    completions

  /// Names reserved for future subcommands.
  static let reserved: Set<String> = []

  static var names: [String] { allCases.map(\.rawValue) }

  /// A description in one sentence.
  var abstract: String {
    switch self {
    case .pick: "Pick photos in the terminal and print their paths."
    case .list: "Print the paths of the matching assets, without a screen."
    case .run: "Run a command in a sandbox that sees only the picked photos."
    case .albums: "Print the albums with their counts, or change your own albums."
    case .mark: "Mark photos as favorites, hide them, or correct their dates and places."
    case .changes: "Print what was inserted, updated, moved and deleted since an earlier call."
    case .info: "Print the metadata and the files of photos and videos."
    case .show: "Draw pictures to standard output."
    case .add: "Save photos into the library; files that it already has are not copied."
    case .trash: "Move photos to the trash, list or restore them, or delete them for good."
    case .access: "Show or change which programs may see which photos."
    case .remote: "List the servers that photos come from, and manage trusted certificates."
    case .cache: "Show, clear or fill the caches of thumbnails and the index."
    case .config: "Print the effective configuration as TOML."
    case .completions: "Print the completion script for a shell: bash, zsh or fish."
    }
  }

  /// All but `pick`, one per line.
  static var overview: String {
    allCases.dropFirst().map { name in
      "  \(name.rawValue)\(String(repeating: " ", count: max(1, 13 - name.rawValue.count)))\(name.abstract)"
    }.joined(separator: "\n")
  }

  /// The hint for a missing source whose name is, or resembles, a subcommand.
  static func hint(forMissing word: String) -> String {
    if names.contains(word) { return "; a subcommand comes before the sources" }
    return NearestWord.of(word, in: names).map { "; did you mean the subcommand \($0)?" } ?? ""
  }
}
