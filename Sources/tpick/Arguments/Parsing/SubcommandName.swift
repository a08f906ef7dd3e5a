import AssetLibrary

/// The subcommands by their names, with what each does; a folder of such a name is written `./list`.
enum SubcommandName: String, CaseIterable {
  case pick, list, run, albums, info, show, access, remote, cache, config, completions

  /// Names that are kept for subcommands to come.
  static let reserved: Set<String> = []

  static var names: [String] { allCases.map(\.rawValue) }

  /// What it does, in one sentence.
  var abstract: String {
    switch self {
    case .pick: "Pick photos in the terminal and print their paths."
    case .list: "Print the paths of the matching assets, without a screen."
    case .run: "Run a command in a sandbox that sees only the photos that were picked."
    case .albums: "Print the albums with their counts, without a screen."
    case .info: "Print the metadata and the files of photos and videos."
    case .show: "Draw pictures on standard output."
    case .access: "Show or change which programs may see which photos."
    case .remote: "Show the servers that photos come from, and which certificates you trust."
    case .cache: "Show, clear or fill the caches of thumbnails and the index."
    case .config: "Print the effective configuration as TOML."
    case .completions: "Print the completions of a shell: bash, zsh or fish."
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
