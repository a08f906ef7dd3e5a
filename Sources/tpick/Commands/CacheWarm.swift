import ArgumentParser
import AssetLibrary
import Configuration
import FolderLibrary
import Imaging
import PhotoPicker
import PickerUI
import Pixels
import System
import SystemPackage
import TerminalGraphics

/// `tpick cache warm [SOURCE ...]`: makes the index and the thumbnails that the picker would make.
struct CacheWarm: Subcommand {
  static let configuration = CommandConfiguration(
    of: .cache, "warm",
    abstract: "Make the index and thumbnails of sources in advance, so that the picker shows them at once.",
    usage: "tpick cache warm [options] [source ...]",
    discussion: """
      Makes the thumbnails of the grid in this window, newest photos first, up to the size limit of the cache. Existing \
      thumbnails are kept. It can be interrupted: finished work is kept.
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
      "With --authorize limited: an accessible file or folder, as a path, file:// URI or identifier. Repeatable.",
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
      "The size of a character cell in pixels. Default: as the terminal driver reports, or 10x20.",
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

/// The result of `tpick cache warm`, as JSON and as text.
private struct WarmDocument: Encodable {
  var version = 1
  /// Photos and videos.
  var assets: Int
  /// New thumbnails, and those that already existed.
  var made: Int
  var present: Int
  /// Photos that are no larger than a thumbnail.
  var unneeded: Int
  /// Photos that can't be shown.
  var failed: Int
  /// Thumbnails for which there was no room.
  var left: Int

  init(_ tally: ThumbnailWarmer.Tally) {
    (made, present, unneeded) = (tally.made, tally.present, tally.unneeded)
    (failed, left) = (tally.failures.count, tally.left)
    assets = tally.count + tally.left
  }

  var text: String {
    var parts = ["\(Wording.count(made, "thumbnail")) made", "\(present) already present"]
    if unneeded > 0 { parts.append("none needed for \(unneeded)") }
    if failed > 0 { parts.append("\(failed) can't be shown") }
    if left > 0 {
      let limit = MeasureText.text(ofBinaryBytes: ThumbnailDirectory.defaultLimit)
      parts.append("no room for \(Wording.count(left, "older one")) (at most \(limit) are kept)")
    }
    return parts.joined(separator: ", ") + "\n"
  }
}

/// The size in which the picker would show photos in its grid.
private struct ThumbnailBox {
  /// In pixels.
  let pixels: PixelSize

  /// - Parameters:
  ///   - size: the window in cells; nil = the window of this process, if it has one.
  ///   - cell: the size of a cell in pixels; nil = as reported by the terminal driver.
  ///   - remembers: whether the user's changes of the screen in earlier runs apply.
  init(size: CellSize?, cell: PixelSize?, settings: Settings, remembers: Bool) throws(Failure) {
    let window = Self.window
    let cell = cell ?? settings.cellSize ?? window?.cell ?? .defaultCell
    var settings = settings
    if remembers { settings.apply(ScreenMemory(remembersOrder: true).read()) }
    var options = PickerState.Options()
    settings.apply(to: &options)
    let state = PickerState(
      options: options,
      metrics: ScreenMetrics(
        size: size ?? window?.size ?? CellSize(columns: 120, rows: 40), cell: cell,
        pictureGeometry: PictureGeometry(cell: cell)))
    guard let pixels = state.thumbnailSize else {
      throw .usage("--size: the window is too small for pictures")
    }
    self.pixels = pixels
  }

  /// The size of the window from the terminal driver, without a query to the terminal, because the process may be in
  /// the background.
  private static var window: (size: CellSize, cell: PixelSize?)? {
    for descriptor in [STDERR_FILENO, STDOUT_FILENO, STDIN_FILENO] {
      var window = winsize()
      guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
        continue
      }
      let size = CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
      let cell = PixelSize(
        width: Int(window.ws_xpixel) / size.columns, height: Int(window.ws_ypixel) / size.rows)
      return (size, cell.isEmpty ? nil : cell)
    }
    return nil
  }
}
