import ArgumentParser
import AssetLibrary
import SystemPackage

/// The options that `pick` and `list` have in common: which library, and what of it may be seen.
struct LibraryArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A folder (walked with all below it), a file, or - for paths on standard input. Default: your pictures folder.",
      valueName: "source"))
  var sources: [String] = []

  @Option(
    name: [.customShort("f", allowingJoined: true), .long], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only assets that match: images, videos, favorites… put together with any(a,b), all(a,b), not(a), !a and commas. Repeated: all must match.",
      valueName: "expr"))
  var filter: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The order: newest, oldest, name or size. Default: newest.", valueName: "order"))
  var sort: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Simulate a permission for this run: notDetermined, restricted, denied, authorized or limited.",
      valueName: "state"))
  var authorize: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "With --authorize limited: an asset that may be seen, or a folder of them. Repeatable.",
      valueName: "path"))
  var allow: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What is printed: paths, uris, ids, json or jsonl. Default: paths.", valueName: "what")
  )
  var format: String?

  @Flag(name: [.customShort("0"), .long], help: "End each result with NUL in place of a newline.")
  var print0 = false

  @Flag(help: "With - as source: paths on standard input are separated by NUL.")
  var read0 = false

  @Flag(help: "Use a sample library that tpick draws itself.")
  var demo = false
}

/// The same as values, checked.
struct LibraryRequest {
  var sources: [String]
  var filter: PickerFilter?
  var sort = AssetSort.newest
  var status = AuthorizationStatus.authorized
  var allow: [FilePath]
  var isDemo: Bool
  var isNulSeparated: Bool

  init(_ arguments: LibraryArguments) throws(Failure) {
    sources = arguments.sources
    isDemo = arguments.demo
    isNulSeparated = arguments.read0
    allow = arguments.allow.map { FilePath(bytes: ArgumentBytes.bytes($0)) }
    if let word = arguments.authorize {
      guard let status = AuthorizationStatus(word: word) else {
        let names = AuthorizationStatus.allCases.map(\.word).joined(separator: ", ")
        throw .usage("--authorize: unknown state '\(word)'; states are \(names)")
      }
      self.status = status
    }
    if let word = arguments.sort {
      guard let sort = AssetSort(rawValue: word.lowercased()) else {
        let names = AssetSort.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage("--sort: unknown order '\(word)'; orders are \(names)")
      }
      self.sort = sort
    }
    var filters: [PickerFilter] = []
    for expression in arguments.filter {
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
      throw .usage("--demo: brings its own photos, no source can be named with it")
    }
  }
}
