import ArgumentParser

/// A subcommand that can be run.
protocol Subcommand: ParsableCommand {
  /// The number of files that it has open at the same time when it reads photos, which needs threads as well; nil = it
  /// reads none.
  static var openFiles: Int? { get }

  /// Performs the command.
  /// - Returns: the exit status.
  func perform() throws(Failure) -> ExitStatus
}

extension CommandConfiguration {
  /// The configuration of a subcommand.
  ///
  /// The subcommand parses its arguments itself, which is faster than through `Tpick`: the parser does not look for its
  /// own completion scripts, and requests the options of the command twice instead of four times.
  init(
    of name: SubcommandName, usage: String? = nil, discussion: String = "",
    subcommands: [any ParsableCommand.Type] = []
  ) {
    self.init(
      commandName: name.rawValue, _superCommandName: "tpick", abstract: name.abstract, usage: usage,
      discussion: discussion, version: ProgramVersion.current,
      subcommands: subcommands)
  }

  /// The configuration of an action of a subcommand.
  init(
    of name: SubcommandName, _ action: String, abstract: String, usage: String, discussion: String = ""
  ) {
    self.init(
      commandName: action, _superCommandName: "tpick \(name.rawValue)", abstract: abstract, usage: usage,
      discussion: discussion, version: ProgramVersion.current)
  }
}

extension Subcommand {
  static var openFiles: Int? { ProcessLimits.descriptors }

  /// Performs the command and exits.
  func run() throws(Failure) {
    if let count = Self.openFiles { try ProcessLimits.check(descriptors: count) }
    try perform().end()
  }
}
