import ArgumentParser
import AssetLibrary

/// What the user decided, said for one run: nothing of it is kept.
struct PermissionArguments: ParsableArguments {
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
