public import AssetLibrary
import CodecProtocol
import CursesHost
public import Export
package import Imaging
import PickerRuntime
import PickerUI
package import Pixels
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

  /// The picker on the terminal, which `dismiss` ends.
  private final class Presentation: Sendable {
    let dismissal = Mutex<PickerDismissal?>(nil)
  }

  /// Whether a picker of this process is using the terminal.
  private static let isShown = Atomic<Bool>(false)

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
    let dismissal = PickerDismissal()
    let hasReport = selectionChanged != nil
    let result = await withTaskCancellationHandler {
      await WorkerThread.value {
        Result { () throws(PhotoPickerError) in
          try run(dismissal, selectionChanged: hasReport ? { _ = news.yield($0) } : nil)
        }
      }
    } onCancel: {
      dismissal.dismiss()
    }
    news.finish()
    await reported
    return try result.get()
  }

  /// Ends the picker as if the user had cancelled; does nothing if it is not on the terminal.
  ///
  /// May be called from any thread.
  public func dismiss() { presentation.dismissal.withLock { $0 }?.dismiss() }

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
    try run(PickerDismissal(), selectionChanged: selectionChanged)
  }

  private func run(
    _ dismissal: PickerDismissal, selectionChanged: (([PickerResult]) -> Void)?
  ) throws(PhotoPickerError) -> Outcome {
    do throws(AssetError) {
      try library.requireReader()
    } catch {
      throw .library(error)
    }
    guard Self.isShown.exchange(true, ordering: .acquiringAndReleasing) == false else {
      throw .terminal(.unusable("another picker of this program is on the terminal"))
    }
    defer { Self.isShown.store(false, ordering: .releasing) }
    presentation.dismissal.withLock { $0 = dismissal }
    defer { presentation.dismissal.withLock { $0 = nil } }
    library.reader.start()
    var options = PickerState.Options()
    options.configuration = configuration
    options.search.vocabulary = .ofProcess
    let linkMemory = LinkMemory()
    var pictures = PictureOptions()
    pictures.compress = JPEGEncoder.encode
    pictures.bytesPerSecond = linkMemory?.read()
    let host = PickerHost(
      library: PickerLibrary(library.access), consent: library.consentScreen, pictures: pictures,
      report: selectionChanged.map { changed in
        { [library, configuration] in changed(library.results($0, as: configuration)) }
      },
      rememberLink: linkMemory?.write)
    let outcome: PickerOutcome
    do {
      outcome = try host.run(options, dismissal: dismissal)
    } catch {
      throw .terminal(error)
    }
    switch outcome {
    case .picked(let assets, _, let shape):
      var configuration = configuration
      configuration.representation = shape
      return .picked(library.results(library.current(assets), as: configuration))
    case .unavailable(let error): throw .library(error)
    case .refused(let status): throw .access(status)
    // `present` uses no command and no album, so these outcomes don't occur.
    case .cancelled, .become, .albumNotFound, .accessChosen: return .cancelled
    }
  }
}

extension PhotoLibrary {
  /// Returns results for assets, in the version and representation of a configuration.
  fileprivate func results(_ assets: [Asset], as configuration: PickerConfiguration) -> [PickerResult] {
    assets.map { asset in
      PickerResult(
        assetIdentifier: asset.localIdentifier,
        itemProvider: provider(of: asset.presenting(configuration.version), configuration.representation))
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
