public import AssetLibrary
import CodecProtocol
import Conversion
import CursesHost
public import Export
package import Imaging
import PickerRuntime
import PickerUI
package import Pixels
import Synchronization
public import TerminalGraphics

/// The picker in the terminal of your program, a counterpart of `PHPickerViewController` in an app.
///
///     var configuration = PickerConfiguration()
///     configuration.selectionLimit = 3
///     let picker = PhotoPicker(configuration, library: try PhotoLibrary(folders: ["/home/ada/Pictures"]))
///     if case .picked(let results) = try picker.present() { use(results) }
public struct PhotoPicker {
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
  /// Blocks the calling thread. While it runs, another picker in this process is refused, and the process
  /// uses the environment's locale. The picker handles signals: Ctrl-Z suspends the process, and a
  /// terminating signal takes effect after the terminal is restored. Nothing is written to standard output.
  /// - Parameter selectionChanged: called on the calling thread with the selected assets after each change,
  ///   if the configuration's `selection` reports changes immediately.
  /// - Returns: the results, or that the user cancelled.
  /// - Throws: `PhotoPickerError`.
  public func present(
    selectionChanged: (([PickerResult]) -> Void)? = nil
  ) throws(PhotoPickerError) -> Outcome {
    guard Self.isShown.exchange(true, ordering: .acquiringAndReleasing) == false else {
      throw .terminal(.unusable("another picker of this program is on the terminal"))
    }
    defer { Self.isShown.store(false, ordering: .releasing) }
    ReaderClient.standard.start()
    var options = PickerState.Options()
    options.configuration = configuration
    options.search.vocabulary = .ofProcess
    let linkMemory = LinkMemory()
    var pictures = PictureOptions()
    pictures.compress = JPEGEncoder.encode
    pictures.bytesPerSecond = linkMemory?.read()
    let host = PickerHost(
      library: PickerLibrary(library.access), consent: ConsentScreen(), pictures: pictures,
      report: selectionChanged.map { changed in
        { [library, configuration] in changed(library.results($0, as: configuration)) }
      },
      rememberLink: linkMemory?.write)
    let outcome: PickerOutcome
    do {
      outcome = try host.run(options)
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
    let maker = FileRepresentationMaker(store, foreign: HelperDecoder(helper), helper: helper)
    return assets.map { asset in
      PickerResult(
        assetIdentifier: asset.localIdentifier,
        itemProvider: ItemProvider(
          asset.presenting(configuration.version), in: store, maker: maker,
          options: configuration.representation, temporaryFolder: UserDirectories.temporary))
    }
  }
}

/// Why a picker failed.
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
