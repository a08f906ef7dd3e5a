import ArgumentParser

/// The options of every action of `tpick access`.
struct AccessArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The output format. Default: text.", valueName: "what"))
  var format: DocumentFormat?
}
