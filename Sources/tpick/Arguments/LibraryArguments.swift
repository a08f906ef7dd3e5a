import ArgumentParser
import AssetLibrary
import CursesHost
import SystemPackage

/// The sources and filters: the options of `pick`, `list` and `albums`.
struct SourceArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A folder (read recursively), a file, or - for paths on standard input, which the picker takes as they come; a file:// URI, or an identifier that --format ids printed, does for a path. Default: your pictures folder.",
      valueName: "source"))
  var sources: [String] = []

  @Option(
    name: [.customShort("f", allowingJoined: true), .long], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only assets that match: images, videos, favorites…, combined with any(a,b), all(a,b), not(a), !a and commas (or). If repeated, all must match.",
      valueName: "expr"))
  var filter: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only assets that match a search: words in names, albums, folders, cameras, lenses, keywords, titles and people, dates (may 2022, last summer), kinds (videos, favorites), or terms such as after:2024-05 before:7d date: type: camera: lens: album: path: person: keyword: title: ext:heic rating:>=4 size:>2MB width:>=1920 height: ratio:portrait duration:<=60s near:LAT,LON,KM; joined with or, not and parentheses.",
      valueName: "text"))
  var query: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Simulate a permission for this run: notDetermined, restricted, denied, authorized or limited.",
      valueName: "state"))
  var authorize: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "With --authorize limited: an accessible file, or a folder of them; a file:// URI or an identifier does for a path. Repeatable.",
      valueName: "path"))
  var allow: [String] = []

  @Flag(help: "With - as source: paths on standard input are NUL-separated.")
  var read0 = false

  @Flag(help: "Use a generated sample library.")
  var demo = false

  @Flag(help: "No warnings about files that are skipped.")
  var quiet = false

  @Flag(help: "Name every file that is skipped, however many there are.")
  var verbose = false
}

/// The options that `pick` and `list` have in common.
struct LibraryArguments: ParsableArguments {
  @OptionGroup var source: SourceArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The sort order: newest, oldest, name, size, added or given (the order of the sources). Default: newest.",
      valueName: "order")
  )
  var sort: String?

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
      "Which file of an edited asset: current, original or unadjusted. Default: current.",
      valueName: "version"))
  var versionOf: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The output format: paths, uris, ids, json or jsonl, or a template such as '{path}\\t{date:%Y-%m-%d}'. Default: paths.",
      valueName: "what")
  )
  var format: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The keys of the JSON formats, comma-separated; all for every one, +camera,lens for some besides the usual ones.",
      valueName: "list"))
  var fields: String?

  @Flag(name: [.customShort("0"), .long], help: "End each result with NUL instead of a newline.")
  var print0 = false

  @Flag(help: "Print paths from the root.")
  var absolute = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print paths relative to this folder.", valueName: "dir"))
  var relativeTo: String?

  @Option(
    name: [.customShort("o"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Write the results to this file, all at once at the end; it stays as it is if nothing is confirmed.",
      valueName: "file"))
  var output: String?

  @OptionGroup var copies: ExportArguments
}

/// The parsed and validated arguments.
struct LibraryRequest {
  var sources: [String]
  var filter: PickerFilter?
  var sort = AssetSort.newest
  /// Whether the order is turned round, as `sort` is already.
  private(set) var isReversed = false
  var album: String?
  var query: SearchQuery?
  /// The words that searches understand.
  let vocabulary = SearchVocabulary.ofProcess
  var version = AssetVersion.current
  var status = AuthorizationStatus.authorized
  var allow: [FilePath]
  var isDemo: Bool
  var isNulSeparated: Bool
  var verbosity: Verbosity

  /// The options for fetching the requested assets.
  var fetchOptions: FetchOptions {
    var options = FetchOptions(filter: filter, sort: sort)
    options.search = query
    return options
  }

  /// Parses the arguments that all subcommands share.
  init(_ arguments: SourceArguments) throws(Failure) {
    sources = ArgumentFolding.words(arguments.sources)
    isDemo = arguments.demo
    isNulSeparated = arguments.read0
    verbosity = try Verbosity(isQuiet: arguments.quiet, isVerbose: arguments.verbose)
    allow = ArgumentFolding.words(arguments.allow).map { PathArgument.path($0) }
    if let word = arguments.authorize {
      guard let status = AuthorizationStatus(word: word) else {
        let names = AuthorizationStatus.allCases.map(\.word).joined(separator: ", ")
        throw .usage("--authorize: unknown state '\(word)'; states are \(names)")
      }
      self.status = status
    }
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
    if !allow.isEmpty, status != .limited {
      throw .usage("--allow: only together with --authorize limited")
    }
    if isDemo, !sources.isEmpty {
      throw .usage("--demo: not together with a source")
    }
  }

  /// Parses the arguments of `pick` and `list`.
  init(_ arguments: LibraryArguments) throws(Failure) {
    try self.init(arguments.source)
    album = arguments.album
    if let word = arguments.sort {
      let all = AssetSort.allCases + [.given]
      guard let sort = all.first(where: { $0.rawValue == word.lowercased() }) else {
        let names = all.map(\.rawValue).joined(separator: ", ")
        throw .usage("--sort: unknown order '\(word)'; orders are \(names)")
      }
      self.sort = sort
    }
    isReversed = arguments.reverse
    if isReversed { sort = sort.reversed }
    if let word = arguments.versionOf {
      guard let version = AssetVersion(rawValue: word.lowercased()) else {
        let names = AssetVersion.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage("--version-of: unknown version '\(word)'; versions are \(names)")
      }
      self.version = version
    }
  }
}

extension LibraryRequest {
  /// Requires access without a prompt, for subcommands without a screen.
  /// - Throws: `Failure` if access is not granted.
  func requireAccess() throws(Failure) {
    switch status {
    case .authorized, .limited: break
    case .denied, .restricted:
      throw Failure(status: .noPermission, message: "photos: access \(status.word)")
    case .notDetermined:
      throw Failure(
        status: .noPermission,
        message: "photos: access not determined, and there is no screen to ask on")
    }
  }
}
