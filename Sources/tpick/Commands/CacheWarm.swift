import ArgumentParser
import AssetLibrary
import FolderLibrary
import Imaging
import PhotoPicker
import Pixels
import SystemPackage

/// `tpick cache warm [SOURCE ...]`: makes the index and the thumbnails that the picker would make.
struct CacheWarm: Subcommand {
  static let configuration = CommandConfiguration(
    of: .cache, "warm",
    abstract: "Make the index and the thumbnails of sources, so that the picker shows them at once.",
    usage: "tpick cache warm [options] [source ...]",
    discussion: """
      The thumbnails are those of the grid in this window, the newest photos first, as many as are kept. What is \
      there already stays. It can be interrupted: what is done remains.
      """)

  @OptionGroup var source: SourceArguments

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

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The output format of the report. Default: text.", valueName: "what"))
  var format: DocumentFormat?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The size of the picker's window in cells. Default: this window, or 120x40 without one.",
      valueName: "COLSxROWS"),
    transform: SizeArguments.cells)
  var size: CellSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The size of a character cell in pixels. Default: what the terminal's driver says, or 10x20.",
      valueName: "WxH"),
    transform: SizeArguments.cellSize)
  var cellSize: PixelSize?

  @OptionGroup var settings: SettingsArguments

  @Option(parsing: .unconditional, help: .hidden)
  var debugStats: String?

  func perform() throws(Failure) -> ExitStatus {
    var request = try LibraryRequest(source, simulated: authorize, allowing: allow)
    let file = try SettingsFile(settings)
    defer { file.report() }
    request.addSources(of: file)
    let thumbnail = try ThumbnailBox(
      size: size, cell: cellSize, settings: file.settings, remembers: !settings.noConfig)
    try request.requireAccess()
    let line = ProgressLine(isQuiet: request.verbosity == .quiet)
    let opened = try Library(request)
    line.follow("reading the library", { opened.store.status.progress?.fraction }) {
      opened.store.waitUntilComplete()
    }
    do throws(Failure) {
      try opened.requireReadable()
    } catch {
      line.clear()
      throw error
    }
    let assets = opened.manager.fetchAssets(in: nil, options: request.fetchOptions)
    let directory = UserDirectories.thumbnailDirectory
    let warmer = ThumbnailWarmer(opened.store, directory: directory, foreign: HelperDecoder())
    defer { DebugStats(debugStats)?.write(images: warmer.counters) }
    let tally = warmer.warm(assets, for: thumbnail.pixels) { done in
      line.show("\(done) of \(Wording.count(assets.count, "thumbnail"))", Double(done) / Double(assets.count))
    }
    line.clear()
    let isWhole = opened.reportIssues(tally.failures)
    if tally.lost > 0 {
      throw .error(
        "\(String(decoding: directory.root.bytes, as: UTF8.self)): \(Wording.count(tally.lost, "thumbnail")) can't be written"
      )
    }
    let report = WarmDocument(tally)
    let output =
      format == .json
      ? try JSONText.line(report) + [0x0A] : request.verbosity == .quiet ? [] : Array(report.text.utf8)
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    if opened.failsStrictly(isWhole) { return .failure }
    return assets.count > 0 ? .success : .nothing
  }
}
