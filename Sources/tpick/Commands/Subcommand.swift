import ArgumentParser

/// A subcommand that does something.
protocol Subcommand: ParsableCommand {
  /// How many files it has open at a time, where it looks at photos, which takes threads as well; nil = it does not.
  static var openFiles: Int? { get }

  /// Does it.
  /// - Returns: how the program ends.
  func perform() throws(Failure) -> ExitStatus
}

extension CommandConfiguration {
  /// The configuration of a subcommand.
  ///
  /// The parser reads its arguments by itself, which is faster than by way of `Tpick`: it need not look for scripts of its
  /// own for shells, and it asks for the options of the command twice in place of four times.
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

  /// Does it, and ends the program.
  func run() throws(Failure) {
    if let count = Self.openFiles { try ProcessLimits.check(descriptors: count) }
    try perform().end()
  }
}
