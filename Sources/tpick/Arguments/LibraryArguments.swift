import ArgumentParser
import AssetLibrary
import Configuration
import CursesHost
import PhotoPicker
import RemoteLibrary
import Results
import SystemPackage

/// The options shared by `pick` and `list`.
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
      "The keys of the JSON formats, comma-separated; all for every key, +camera,lens to add keys to the default ones.",
      valueName: "list"),
    transform: FieldSelection.init(argument:))
  var fields: FieldSelection?

  @Flag(name: [.customShort("0"), .long], help: "End each result with NUL instead of a newline.")
  var print0 = false

  @Flag(help: "Print absolute paths.")
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
      "Write the results to this file at the end; until then it is unchanged.",
      valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var copies: ExportArguments
}

/// The parsed and validated arguments.
struct LibraryRequest {
  var sources: [String]
  var filter: PickerFilter?
  var sort = AssetSort.newest
  /// Whether the order is reversed; `sort` is the reversed order.
  private(set) var isReversed = false
  var album: String?
  var query: SearchQuery?
  /// The vocabulary of searches.
  let vocabulary = SearchVocabulary.ofProcess
  var version = AssetVersion.current
  /// The client and its stored permission.
  let access: ClientAccess
  var allow: [FilePath]
  var isDemo: Bool
  /// How folders on servers are read.
  var remotes = RemoteAssetStore.Settings()
  /// Whether favorites are written to XMP sidecars.
  var writesSidecars = false
  /// Whether a command fails if something could not be read.
  let isStrict: Bool
  var isNulSeparated: Bool
  var verbosity: Verbosity

  /// The options for fetching the requested assets.
  var fetchOptions: FetchOptions {
    var options = FetchOptions(filter: filter, sort: sort)
    options.search = query
    return options
  }

  /// Parses the arguments that all subcommands share, and reads the stored permission of a named client.
  init(
    _ arguments: SourceArguments, _ client: ClientArguments? = nil, simulated: AuthorizationStatus? = nil,
    allowing allowed: [String] = []
  ) throws(Failure) {
    sources = ArgumentFolding.words(arguments.sources)
    isDemo = arguments.demo
    remotes.isOffline = arguments.offline
    remotes.server.timeout = arguments.timeout.map { .seconds($0) }
    isStrict = arguments.strict
    isNulSeparated = arguments.read0
    verbosity = try Verbosity(isQuiet: arguments.quiet, isVerbose: arguments.verbose)
    allow = ArgumentFolding.words(client?.allow ?? allowed).map { PathArgument.path($0) }
    access = try ClientAccess(client, simulated: client?.authorize ?? simulated)
    if let text = arguments.query {
      do {
        query = try SearchQuery(parsing: text, in: vocabulary)
      } catch {
        throw .usage("--query: \(error)")
      }
    }
    var filters: [PickerFilter] = []
    for expression in ArgumentFolding.words(arguments.filter) {
      do {
        filters.append(try PickerFilter(parsing: expression))
      } catch {
        throw .usage("--filter: \(error)")
      }
    }
    filter = filters.count > 1 ? .all(filters) : filters.first
    if !allow.isEmpty, client?.authorize ?? simulated != .limited {
      throw .usage("--allow: requires --authorize limited")
    }
    if isDemo, !sources.isEmpty {
      throw .usage("--demo: can't be used with a source")
    }
  }

  /// Parses the arguments of `pick` and `list`.
  init(_ arguments: LibraryArguments) throws(Failure) {
    try self.init(arguments.source, arguments.client)
    album = arguments.album
    if let sort = arguments.sort { self.sort = sort }
    isReversed = arguments.reverse
    if isReversed { sort = sort.reversed }
    version = arguments.versionOf ?? .current
  }
}

extension LibraryRequest {
  /// Uses the sources of the configuration if the caller names none.
  mutating func addSources(of file: SettingsFile) {
    writesSidecars = file.settings.favorites == .sidecar
    remotes.originalsLimit = Int64(file.settings.originalsLimit)
    remotes.pickedAge = file.settings.pickedDays.map { Int64($0) * 86_400 }
    remotes.server.requestsPerSecond = Double(file.settings.requestsPerSecond)
    guard sources.isEmpty, !isDemo else { return }
    sources = file.sources.map { ArgumentBytes.text($0.bytes) }
  }

  /// Requires access without a prompt, for subcommands without a screen.
  /// - Throws: `Failure` if access is not granted.
  func requireAccess() throws(Failure) {
    let status = access.decision.readWrite
    switch status {
    case .authorized, .limited: break
    case .denied, .restricted, .notDetermined: throw access.refusal(status)
    }
  }
}
