import ArgumentParser
import AssetLibrary
import Configuration
import FolderLibrary
import Imaging
import PhotoPicker
import RemoteLibrary

/// `tpick cache status|clear|warm`: the caches of thumbnails and the index.
struct Cache: ParsableCommand {
  static let configuration = CommandConfiguration(
    of: .cache,
    subcommands: [CacheStatus.self, CacheClear.self, CacheWarm.self])

  /// Says which actions there are, where none is named.
  func run() throws(Failure) {
    let actions = Self.configuration.subcommands.map { $0._commandName }.joined(separator: ", ")
    throw .usage("cache: one of \(actions) is expected; for a folder of that name write ./cache")
  }

  /// The index in the cache folder.
  static var index: IndexCache {
    IndexCache(UserDirectories.locations)
  }

  /// What was brought from servers.
  static var remote: RemoteCache { RemoteCache(UserDirectories.cache) }
}

/// `tpick cache status`: tells what is in the caches.
struct CacheStatus: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .cache, "status",
    abstract: "Print what is kept in the caches.",
    usage: "tpick cache status [options]")

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The output format. Default: text.", valueName: "what"))
  var format: DocumentFormat?

  @OptionGroup var settings: SettingsArguments

  func perform() throws(Failure) -> ExitStatus {
    let file = try SettingsFile(settings)
    defer { file.report() }
    let report = CacheDocument(
      UserDirectories.thumbnailDirectory, Cache.index, Cache.remote,
      originalsLimit: file.settings.originalsLimit)
    let output = format == .json ? try JSONText.line(report) + [0x0A] : CacheText.status(report)
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    return .success
  }
}

/// `tpick cache clear`: empties the caches.
struct CacheClear: Subcommand {
  static let openFiles: Int? = nil

  static let configuration = CommandConfiguration(
    of: .cache, "clear",
    abstract: "Remove the thumbnails and the contents of the index.",
    usage: "tpick cache clear [options]",
    discussion: """
      Removes the thumbnails that tpick wrote, its records of pictures that failed, and the contents of \
      the index, and what was brought from servers but for what was picked (with --originals that, too). Thumbnails of other programs, favorites, identifiers and the sample library are kept. \
      It is safe while other instances of tpick are running.
      """)

  @Flag(
    help: "Remove the originals of servers that were picked as well: their paths are good for nothing then.")
  var originals = false

  /// Clears both caches, even if one of them fails.
  func perform() throws(Failure) -> ExitStatus {
    var problems: [String] = []
    var removed: ThumbnailUsage?
    do throws(AssetError) {
      try Cache.index.clear()
    } catch {
      problems.append("\(error)")
    }
    do throws(ThumbnailError) {
      removed = try UserDirectories.thumbnailDirectory.clear()
    } catch {
      problems.append("\(error)")
    }
    for problem in problems { Messages.warn(problem) }
    let originals = Cache.remote.clear(withPicked: originals)
    guard let removed, problems.isEmpty else { return .failure }
    guard StandardStream.output.write(CacheText.removed(removed, originals)) else {
      throw .error("standard output: can't be written")
    }
    return .success
  }
}
