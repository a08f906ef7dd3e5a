public import AssetLibrary
import CodecProtocol
import Conversion
import CursesHost
public import Export
package import Imaging
import PickerRuntime
import PickerUI
public import Pixels
import Synchronization
import System
public import TerminalGraphics

/// The picker in the terminal of your program, a counterpart of `PHPickerViewController` in an app.
///
///     var configuration = PickerConfiguration()
///     configuration.selectionLimit = 3
///     let picker = PhotoPicker(configuration, library: try PhotoLibrary(folders: ["/home/ada/Pictures"]))
///     if case .picked(let results) = try await picker.present() { use(results) }
///
/// A picker can be presented several times, one after the other; copies of a picker are the same picker.
public struct PhotoPicker: Sendable {
  /// The outcome of a picker.
  public enum Outcome: Sendable {
    /// The picked assets, in the order set in the configuration; empty if the user confirmed without picking
    /// any.
    case picked([PickerResult])
    /// The user cancelled.
    case cancelled
  }

  private let configuration: PickerConfiguration
  private let library: PhotoLibrary
  private let presentation = Presentation()

  /// The picker on the terminal.
  private final class Presentation: Sendable {
    struct State {
      /// Changes and dismisses the picker on the terminal; nil before it is presented and after it is dismissed.
      var control: PickerControl?
      var unknown: [LocalIdentifier] = []
      var nextStream = 0
      var selections: [Int: AsyncStream<[PickerResult]>.Continuation] = [:]
    }

    let state = Mutex(State())

    /// Does nothing if the picker is presented already.
    func begin(_ control: PickerControl) {
      state.withLock { state in
        if state.control == nil { (state.control, state.unknown) = (control, []) }
      }
    }

    /// Does nothing if the picker is presented with another control.
    func end(_ control: PickerControl) {
      let streams = state.withLock { state -> [AsyncStream<[PickerResult]>.Continuation] in
        guard state.control === control else { return [] }
        defer { (state.control, state.selections) = (nil, [:]) }
        return Array(state.selections.values)
      }
      for stream in streams { stream.finish() }
    }

    /// Whether the program reads `selections`.
    var isObserved: Bool { state.withLock { !$0.selections.isEmpty } }

    func report(_ results: [PickerResult]) {
      for stream in state.withLock({ $0.selections.values }) { stream.yield(results) }
    }

    func order(_ order: PickerOrder) { state.withLock { $0.control }?.order(order) }
  }

  /// Creates a picker, without showing it yet.
  /// - Parameters:
  ///   - configuration: what can be picked, and how.
  ///   - library: the photos to pick from.
  public init(_ configuration: PickerConfiguration = PickerConfiguration(), library: PhotoLibrary) {
    self.configuration = configuration
    self.library = library
  }

  /// Shows the picker in the controlling terminal until the user has finished, then restores the terminal.
  ///
  /// No thread of the caller waits: tasks and the main actor continue. Cancelling the task dismisses the
  /// picker; the outcome is then `cancelled`. Otherwise the same as the method that blocks.
  /// - Parameter selectionChanged: receives the selected assets after each change, in order, if the
  ///   configuration's `selection` reports changes immediately; it may be isolated to the main actor.
  /// - Returns: the results, or that the user cancelled.
  /// - Throws: `PhotoPickerError`.
  public func present(
    selectionChanged: (@Sendable ([PickerResult]) async -> Void)? = nil
  ) async throws(PhotoPickerError) -> Outcome {
    if Task.isCancelled { return .cancelled }
    let (selections, news) = AsyncStream.makeStream(of: [PickerResult].self)
    async let reported: Void = {
      for await results in selections { await selectionChanged?(results) }
    }()
    let control = PickerControl()
    // Now, so that it can be dismissed and changed as soon as this method is called.
    presentation.begin(control)
    defer { presentation.end(control) }
    let hasReport = selectionChanged != nil
    let result = await withTaskCancellationHandler {
      await WorkerThread.value {
        Result { () throws(PhotoPickerError) in
          try run(control, selectionChanged: hasReport ? { _ = news.yield($0) } : nil)
        }
      }
    } onCancel: {
      control.dismiss()
    }
    news.finish()
    await reported
    return try result.get()
  }

  /// Ends the picker as if the user had cancelled; does nothing if it is not on the terminal.
  ///
  /// May be called from any thread.
  public func dismiss() { presentation.state.withLock { $0.control }?.dismiss() }

  /// Shows the picker in the controlling terminal until the user has finished, then restores the terminal.
  ///
  /// Blocks the calling thread; asynchronous code uses `try await present()`. While it runs, another picker in
  /// this process is refused, and the process uses the environment's locale. The picker handles signals:
  /// Ctrl-Z suspends the process, and a terminating signal takes effect after the terminal is restored.
  /// Nothing is written to standard output.
  /// - Parameter selectionChanged: called on the calling thread with the selected assets after each change,
  ///   if the configuration's `selection` reports changes immediately.
  /// - Returns: the results, or that the user cancelled.
  /// - Throws: `PhotoPickerError`.
  public func present(
    selectionChanged: (([PickerResult]) -> Void)? = nil
  ) throws(PhotoPickerError) -> Outcome {
    try run(PickerControl(), selectionChanged: selectionChanged)
  }

  /// Shows the picker in a part of the program's own screen until the user has finished.
  ///
  /// The program is on the alternate screen of the controlling terminal, with ncurses or without. It must not read
  /// keys or draw meanwhile, except in the closures of `part`, which are called on the calling thread. The picker
  /// writes and removes only what is in its part, except that terminals that hold pictures apart from the text
  /// (kitty) lose the program's own ones. Otherwise the same as the method for the whole screen.
  /// - Parameters:
  ///   - part: the picker's cells, and how the program draws the others.
  ///   - selectionChanged: called on the calling thread with the selected assets after each change, if the
  ///     configuration's `selection` reports changes immediately.
  /// - Returns: the results, or that the user cancelled.
  /// - Throws: `PhotoPickerError`.
  public func present(
    in part: ScreenRegion, selectionChanged: (([PickerResult]) -> Void)? = nil
  ) throws(PhotoPickerError) -> Outcome {
    try run(
      PickerControl(), in: ScreenPart(rectangle: part.rectangle, redraw: part.redraw),
      selectionChanged: selectionChanged)
  }

  private func run(
    _ control: PickerControl, in part: ScreenPart? = nil, selectionChanged: (([PickerResult]) -> Void)?
  ) throws(PhotoPickerError) -> Outcome {
    presentation.begin(control)
    defer { presentation.end(control) }
    var options = PickerState.Options()
    options.configuration = configuration
    let outcome = try library.runPicker(
      options, control, encodeFrame: FramePhoto.jpeg, in: part,
      report: { [library, configuration, presentation] assets in
        guard selectionChanged != nil || presentation.isObserved else { return }
        let results = library.results(assets, as: configuration)
        presentation.report(results)
        selectionChanged?(results)
      },
      reportUnknown: { [presentation] identifiers in
        presentation.state.withLock { $0.unknown = identifiers }
      })
    switch outcome {
    case .picked(let assets, _, let shape):
      var configuration = configuration
      configuration.representation = shape
      return .picked(library.results(library.current(assets), as: configuration))
    // `present` uses no command and no album, so the other outcomes don't occur.
    case .cancelled, .unavailable, .refused, .become, .albumNotFound, .accessChosen: return .cancelled
    }
  }
}

// Changes of an open picker, from any thread. They do nothing if the picker is not on the terminal.
extension PhotoPicker {
  /// The selected assets after each change, while the picker is on the terminal.
  ///
  /// The configuration's `selection` must report changes immediately. Take the sequence before the picker is
  /// presented, so that it ends with the picker even if that fails at once. Each use is a sequence of its own.
  ///
  ///     let selections = picker.selections
  ///     async let outcome = picker.present()
  ///     for await results in selections { show(results) }
  public var selections: AsyncStream<[PickerResult]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [PickerResult].self)
    let id = presentation.state.withLock { state in
      state.nextStream += 1
      state.selections[state.nextStream] = continuation
      return state.nextStream
    }
    continuation.onTermination = { [presentation] _ in
      presentation.state.withLock { _ = $0.selections.removeValue(forKey: id) }
    }
    return stream
  }

  /// The preselected identifiers that the library does not have, or that the client may not see.
  ///
  /// Empty until the library is complete. The user sees their number; assets that appear later are still
  /// selected.
  public var unknownPreselectedAssetIdentifiers: [LocalIdentifier] {
    presentation.state.withLock { $0.unknown }
  }

  /// Changes the configuration.
  /// - Parameter update: what changes.
  public func updatePicker(using update: PickerConfiguration.Update) { presentation.order(.update(update)) }

  /// Deselects assets.
  ///
  /// Assets that are not selected are ignored. The user can't undo it.
  /// - Parameter identifiers: the assets.
  public func deselectAssets(withIdentifiers identifiers: [LocalIdentifier]) {
    presentation.order(.deselect(identifiers))
  }

  /// Moves a selected asset in the order of the selection.
  ///
  /// Does nothing if one of the assets is not selected.
  /// - Parameters:
  ///   - identifier: the asset to move.
  ///   - other: the asset that it follows; nil = it becomes the first.
  public func moveAsset(
    withIdentifier identifier: LocalIdentifier, afterAssetWithIdentifier other: LocalIdentifier?
  ) { presentation.order(.move(identifier, after: other)) }

  /// Moves the cursor to an asset, if it is in the open album.
  /// - Parameter identifier: the asset.
  public func scrollToAsset(withIdentifier identifier: LocalIdentifier) {
    presentation.order(.scroll(to: identifier))
  }

  /// Moves the cursor to the first asset.
  public func scrollToInitialPosition() { presentation.order(.scrollToInitialPosition) }

  /// Shows larger thumbnails.
  public func zoomIn() { presentation.order(.zoomIn) }

  /// Shows smaller thumbnails.
  public func zoomOut() { presentation.order(.zoomOut) }
}

/// A part of a program's own screen in which a picker is shown.
///
///     let region = ScreenRegion { window in
///       CellRect(column: 20, row: 2, columns: window.columns - 20, rows: window.rows - 4)
///     } redraw: { window in
///       resizeterm(Int32(window.rows), Int32(window.columns))
///       draw()
///     }
public struct ScreenRegion {
  let rectangle: (CellSize) -> CellRect
  let redraw: (CellSize) -> Void

  /// Creates a region.
  /// - Parameters:
  ///   - rectangle: returns the picker's cells in a window of a size. Called at the start and whenever the window
  ///     may have changed. What is outside of the window is cut off; the picker needs 20 by 6 cells, and
  ///     says so in less.
  ///   - redraw: draws the program's own screen in a window of a size, all of it: after the window may have
  ///     changed, after the process was resumed, and when the picker has ended. The picker then draws over it.
  public init(rectangle: @escaping (CellSize) -> CellRect, redraw: @escaping (CellSize) -> Void) {
    self.rectangle = rectangle
    self.redraw = redraw
  }
}

extension PhotoLibrary {
  /// Whether a picker of this process is using the terminal.
  private static let isPickerShown = Atomic<Bool>(false)

  /// Shows a picker of this library on the terminal until the user has finished.
  ///
  /// Blocks the calling thread.
  /// - Throws: `PhotoPickerError`, also if the library can't be used or the client may not see it.
  func runPicker(
    _ options: PickerState.Options, _ control: PickerControl, encodeFrame: PickerLibrary.FrameEncoder? = nil,
    in part: ScreenPart? = nil, report: (([Asset]) -> Void)? = nil,
    reportUnknown: (([LocalIdentifier]) -> Void)? = nil
  ) throws(PhotoPickerError) -> PickerOutcome {
    do throws(AssetError) {
      try requireReader()
    } catch {
      throw .library(error)
    }
    guard Self.isPickerShown.exchange(true, ordering: .acquiringAndReleasing) == false else {
      throw .terminal(.unusable("another picker of this program is on the terminal"))
    }
    defer { Self.isPickerShown.store(false, ordering: .releasing) }
    reader.start()
    var options = options
    options.search.vocabulary = .ofProcess
    let linkMemory = LinkMemory()
    var pictures = PictureOptions()
    pictures.compress = JPEGEncoder.encode
    pictures.bytesPerSecond = linkMemory?.read()
    let host = PickerHost(
      library: PickerLibrary(access, encodeFrame: encodeFrame), consent: consentScreen, pictures: pictures,
      part: part, report: report, reportUnknown: reportUnknown, rememberLink: linkMemory?.write)
    let outcome: PickerOutcome
    do {
      outcome = try host.run(options, control: control)
    } catch {
      throw .terminal(error)
    }
    switch outcome {
    case .unavailable(let error): throw .library(error)
    case .refused(let status): throw .access(status)
    default: return outcome
    }
  }

  /// Returns results for assets, in the version and representation of a configuration.
  fileprivate func results(_ assets: [Asset], as configuration: PickerConfiguration) -> [PickerResult] {
    assets.map { asset in
      PickerResult(
        assetIdentifier: asset.localIdentifier,
        itemProvider: provider(
          of: asset.presenting(configuration.version), configuration.representation,
          maximumPartByteCount: configuration.requirements.maximumByteCount),
        trim: asset.trim, keyPhotoTime: asset.keyPhotoTime)
    }
  }
}

/// Why a picker failed.
///
/// `library` contains an `AssetError`, whose code tells for example that a helper program is missing.
public enum PhotoPickerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no usable terminal, or the terminal was lost.
  case terminal(TerminalError)
  /// The user or a policy denied access to the library.
  case access(AuthorizationStatus)
  /// The library can't be used, for this reason.
  case library(AssetError)

  /// The subject and the cause as a message for the user.
  public var description: String {
    switch self {
    case .terminal(let error): error.description
    case .access(let status): "photos: access \(status.word)"
    case .library(let error): error.description
    }
  }
}

extension JPEGEncoder {
  /// Encodes a JPEG file for a terminal that accepts image files; nil on failure.
  package static func encode(_ picture: PixelBuffer, _ quality: PictureQuality) -> [UInt8]? {
    let number =
      switch quality {
      case .full: 90
      case .speed: 75
      case .small, .blocks: 65
      }
    return encode(picture, quality: number)
  }
}
