import ArgumentParser
import AssetLibrary

/// How the library is shown: the options of `pick`, `list` and `run`.
struct OrderArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The sort order; given is the order of the sources. Default: newest.",
      valueName: "order")
  )
  var sort: AssetSort?

  @Flag(help: "Turn the sort order round.")
  var reverse = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Open this album first; with list: only the photos in it and below. A title, the path of a folder, or an identifier.",
      valueName: "name")
  )
  var album: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Which file of an edited asset. Default: current.",
      valueName: "version"))
  var versionOf: AssetVersion?
}
