import ArgumentParser
import AssetLibrary

/// The client and its access: options of the commands that show or print a library.
struct ClientArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The program that requests access to photos. Its stored permission applies (tpick access).",
      valueName: "name"))
  var client: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --client: why it requests access, shown to you.", valueName: "text"))
  var purpose: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Simulate a permission for this run.",
      valueName: "state"))
  var authorize: AuthorizationStatus?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "With --authorize limited: an accessible file or folder, as a path, file:// URI or identifier. Repeatable.",
      valueName: "path"),
    completion: .file())
  var allow: [String] = []
}
