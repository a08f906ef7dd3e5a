/// The subcommands by their names; a folder of such a name is written `./list`.
enum CommandName: String, CaseIterable {
  case pick, list, albums, info, show, cache, config

  /// Names that are kept for subcommands to come.
  static let reserved: Set<String> = ["access", "run"]

  static let words = Set(allCases.map(\.rawValue)).union(reserved)
}
