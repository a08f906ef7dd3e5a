import ArgumentParser
import AssetLibrary

/// Who asks for photos, and what it may see: the options of what shows or prints a library.
struct ClientArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The program that requests access to photos. What you decided on it holds (tpick access).",
      valueName: "name"))
  var client: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --client: why it requests access, as you are told.", valueName: "text"))
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
      "With --authorize limited: an accessible file, or a folder of them; a file:// URI or an identifier does for a path. Repeatable.",
      valueName: "path"),
    completion: .file())
  var allow: [String] = []
}
