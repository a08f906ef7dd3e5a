import ArgumentParser
import AssetLibrary
import Results

/// The options that `pick` and `list` have in common.
struct LibraryArguments: ParsableArguments {
  @OptionGroup var source: SourceArguments

  @OptionGroup var client: ClientArguments

  @Option(
    parsing: .unconditional,
    help: OrderArguments.sortHelp)
  var sort: AssetSort?

  @Flag(help: OrderArguments.reverseHelp)
  var reverse = false

  @Option(
    parsing: .unconditional,
    help: OrderArguments.albumHelp)
  var album: String?

  @Option(
    parsing: .unconditional,
    help: OrderArguments.versionOfHelp)
  var versionOf: AssetVersion?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The output format: paths, uris, ids, json or jsonl, or a template such as '{path}\\t{date:%Y-%m-%d}'. Default: paths.",
      valueName: "what"),
    completion: .list(FormatArgument<ResultFormat.Name>.names),
    transform: FormatArgument<ResultFormat.Name>.init)
  var format: FormatArgument<ResultFormat.Name>?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The keys of the JSON formats, comma-separated; all for every one, +camera,lens for some besides the usual ones.",
      valueName: "list"),
    transform: FieldSelection.init(argument:))
  var fields: FieldSelection?

  @Flag(name: [.customShort("0"), .long], help: "End each result with NUL instead of a newline.")
  var print0 = false

  @Flag(help: "Print paths from the root.")
  var absolute = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print paths relative to this folder.", valueName: "dir"),
    completion: .directory)
  var relativeTo: String?

  @Option(parsing: .unconditional, help: RemotePaths.help)
  var paths: RemotePaths?

  @Option(
    name: [.customShort("o"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Write the results to this file, all at once at the end; until then it stays as it is.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var copies: ExportArguments
}
