import ArgumentParser
import AssetLibrary
import FolderLibrary
import Imaging

/// `tpick cache status|clear`: shows or clears the thumbnail and index caches; `CacheWarm` fills them.
struct Cache: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tpick cache",
    abstract: "Show, clear or fill the caches of thumbnails and the index.",
    usage: """
      tpick cache [options] status|clear
             tpick cache warm [options] [source ...]
      """,
    discussion: """
      warm makes the thumbnails and the index of sources, see tpick cache warm --help.

      clear removes the thumbnails that tpick wrote, its records of pictures that failed, and the contents of \
      the index. Thumbnails of other programs, favorites, identifiers and the sample library are kept. \
      It is safe while other instances of tpick are running.
      """,
    version: ProgramVersion.current)

  @Argument(help: ArgumentHelp("status or clear.", valueName: "what"))
  var words: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The output format of the status: text or json. Default: text.", valueName: "what"))
  var format: String?

  func perform() throws(Failure) -> ExitStatus {
    let format = try CacheFormat.named(format)
    guard words.count == 1, let action = words.first, ["status", "clear"].contains(action) else {
      let given = words.isEmpty ? "" : " '\(words.joined(separator: " "))'"
      throw .usage("cache\(given): expected status, clear or warm; for a folder of that name write ./cache")
    }
    let thumbnails = ThumbnailDirectory(
      root: UserDirectories.thumbnails, state: UserDirectories.cache, version: ProgramVersion.current)
    let index = IndexCache(LibraryLocations(cache: UserDirectories.cache, data: UserDirectories.data))
    if action == "clear" { return try clear(thumbnails, index) }
    let report = CacheDocument(thumbnails, index)
    let output = format == .json ? try JSONText.line(report) + [0x0A] : CacheText.status(report)
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    return .success
  }

  /// Clears both caches, even if one of them fails.
  private func clear(_ thumbnails: ThumbnailDirectory, _ index: IndexCache) throws(Failure) -> ExitStatus {
    var problems: [String] = []
    var removed: ThumbnailUsage?
    do throws(AssetError) {
      try index.clear()
    } catch {
      problems.append("\(error)")
    }
    do throws(ThumbnailError) {
      removed = try thumbnails.clear()
    } catch {
      problems.append("\(error)")
    }
    for problem in problems { Messages.warn(problem) }
    guard let removed, problems.isEmpty else { return .failure }
    guard StandardStream.output.write(CacheText.removed(removed)) else {
      throw .error("standard output: can't be written")
    }
    return .success
  }
}

/// The formats of reports on the caches.
enum CacheFormat: String, CaseIterable {
  case text, json

  /// - Throws: `Failure` for an unknown format.
  static func named(_ word: String?) throws(Failure) -> Self {
    guard let format = Self(rawValue: word?.lowercased() ?? "text") else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("--format: unknown format '\(word ?? "")'; formats are \(names)")
    }
    return format
  }
}
