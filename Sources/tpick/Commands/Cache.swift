import ArgumentParser
import AssetLibrary
import FolderLibrary
import Imaging

/// `tpick cache status|clear`: the thumbnail and index caches.
struct Cache: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tpick cache",
    abstract: "Print what tpick keeps in the cache folder, or remove it.",
    usage: "tpick cache [options] status|clear",
    discussion: """
      clear removes the thumbnails that tpick wrote, its notes of pictures that can't be shown, and what the \
      index knows. Thumbnails of other programs stay, and so do favorites, identifiers and the sample library. \
      Other tpick may run meanwhile.
      """,
    version: ProgramVersion.current)

  @Argument(help: ArgumentHelp("status or clear.", valueName: "what"))
  var words: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How the status is printed: text or json. Default: text.", valueName: "what"))
  var format: String?

  func perform() throws(Failure) -> ExitStatus {
    let word = format?.lowercased() ?? "text"
    guard ["text", "json"].contains(word) else {
      throw .usage("--format: unknown format '\(format ?? "")'; formats are text, json")
    }
    guard words.count == 1, let action = words.first, ["status", "clear"].contains(action) else {
      let given = words.isEmpty ? "" : " '\(words.joined(separator: " "))'"
      throw .usage("cache\(given): say status or clear; a folder of that name is written ./cache")
    }
    let thumbnails = ThumbnailDirectory(
      root: UserDirectories.thumbnails, state: UserDirectories.cache, version: ProgramVersion.current)
    let index = IndexCache(LibraryLocations(cache: UserDirectories.cache, data: UserDirectories.data))
    if action == "clear" { return try clear(thumbnails, index) }
    let report = CacheDocument(thumbnails, index)
    let output = word == "json" ? try AssetDocument.line(report) + [0x0A] : CacheText.status(report)
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    return .success
  }

  /// Removes both, each whatever became of the other.
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
