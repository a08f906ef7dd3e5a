import ArgumentParser
import AssetLibrary
import Completion

/// The arguments of a call, with the subcommand in front.
///
/// The subcommand is the first word that is no option and no option's value: options may stand before it. The parser looks
/// for a subcommand in the first place alone, and takes `tpick --offline list` for a picker of the folder `list`.
struct SubcommandCall {
  private static let help = "help"

  /// Has the parser tell of all commands, for the generator of the manual pages.
  private static let dump = "--experimental-dump-help"

  /// The program.
  let root: any ParsableCommand.Type
  /// The commands from the first to the last word of the subcommand: `cache`, `warm`.
  let commands: [any ParsableCommand.Type]
  /// The arguments behind those words.
  let arguments: [String]
  /// Whether the call asks for the help of the subcommand.
  let asksForHelp: Bool

  /// What is wrong with the subcommand.
  private(set) var problem: Failure?

  /// - Parameters:
  ///   - root: the program.
  ///   - standard: the subcommand of calls that name none.
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
        // What the default takes may be the name of a file, and so may what a command takes that has actions besides.
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
    // What takes sources is the default; other subcommands say what is missing.
    if commands.isEmpty, !asksForHelp, given != [Self.dump] { commands = [standard] }
    self.root = root
    self.commands = commands
    self.arguments = arguments
  }

  /// The words of the subcommand.
  var path: [String] { (asksForHelp ? [Self.help] : []) + commands.map { $0._commandName } }

  /// What the program itself is asked for, in place of a subcommand.
  var rootArguments: [String] { arguments == [Self.dump] ? arguments : path }

  /// How its user gets help.
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
    // The options need only be known where they come first.
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

  /// Whether the value of an option is the word behind it; letters may stand together, `-0f`.
  private static func takesNextWord(_ word: String, _ valued: Set<String>) -> Bool {
    if word.hasPrefix("--") { return valued.contains(word) }
    let letters = word.dropFirst()
    let place = letters.firstIndex { valued.contains("-\($0)") }
    return place.map { letters.index(after: $0) == letters.endIndex } ?? false
  }
}

/// The subcommands by their names, with what each does; a folder of such a name is written `./list`.
enum SubcommandName: String, CaseIterable {
  case pick, list, run, albums, mark, info, show, add, trash, access, remote, cache, config, completions

  /// Names that are kept for subcommands to come.
  static let reserved: Set<String> = []

  static var names: [String] { allCases.map(\.rawValue) }

  /// What it does, in one sentence.
  var abstract: String {
    switch self {
    case .pick: "Pick photos in the terminal and print their paths."
    case .list: "Print the paths of the matching assets, without a screen."
    case .run: "Run a command in a sandbox that sees only the picked photos."
    case .albums: "Print the albums with their counts, or change your own albums."
    case .mark: "Mark photos as favorites, or hide them."
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

  /// All but `pick`, a line each.
  static var overview: String {
    allCases.dropFirst().map { name in
      "  \(name.rawValue)\(String(repeating: " ", count: max(1, 13 - name.rawValue.count)))\(name.abstract)"
    }.joined(separator: "\n")
  }

  /// What is said of a source that is not there, if its word is a subcommand or may have been meant as one.
  static func hint(forMissing word: String) -> String {
    if names.contains(word) { return "; a subcommand comes before the sources" }
    return NearestWord.of(word, in: names).map { "; did you mean the subcommand \($0)?" } ?? ""
  }
}
