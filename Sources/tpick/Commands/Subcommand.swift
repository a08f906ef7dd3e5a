import ArgumentParser

/// A subcommand that can be run.
protocol Subcommand: ParsableCommand {
  /// The number of files that the command has open at the same time while it reads photos; nil = it reads
  /// none.
  ///
  /// `run` checks that the limits of the process allow it, and the threads to read them.
  static var openFiles: Int? { get }

  /// Performs the command.
  /// - Returns: the exit status.
  func perform() throws(Failure) -> ExitStatus
}

extension CommandConfiguration {
  /// The configuration of a subcommand.
  ///
  /// Each subcommand is the root command of a parse, which is faster than to parse it below `Tpick`: the
  /// parser does not look for its own completion scripts, and asks the command for its options twice instead
  /// of four times.
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
