import ArgumentParser
import AssetLibrary

/// The order and the album of the library: options of `pick`, `list` and `run`.
struct OrderArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: Self.sortHelp)
  var sort: AssetSort?

  @Flag(help: Self.reverseHelp)
  var reverse = false

  @Option(
    parsing: .unconditional,
    help: Self.albumHelp)
  var album: String?

  @Option(
    parsing: .unconditional,
    help: Self.versionOfHelp)
  var versionOf: AssetVersion?

  // `pick` and `list` declare these options themselves: each option group costs a tenth of a millisecond at startup.
  static var sortHelp: ArgumentHelp {
    ArgumentHelp(
      "The sort order; given is the order of the sources. Default: newest.",
      valueName: "order")
  }

  static var reverseHelp: ArgumentHelp {
    ArgumentHelp("Reverse the sort order.")
  }

  static var albumHelp: ArgumentHelp {
    ArgumentHelp(
      "Only this album and the albums in it: a title, the path of a folder, or an identifier.",
      valueName: "name")
  }

  static var versionOfHelp: ArgumentHelp {
    ArgumentHelp(
      "Which file of an edited asset. Default: current.",
      valueName: "version")
  }
}
