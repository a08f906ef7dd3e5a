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

/// The picker on the terminal of your own program, as `PHPickerViewController` is one in an app.
///
///     var configuration = PickerConfiguration()
///     configuration.selectionLimit = 3
///     let picker = PhotoPicker(configuration, library: try PhotoLibrary(folders: ["/home/ada/Pictures"]))
///     if case .picked(let results) = try picker.present() { use(results) }
public struct PhotoPicker {
  /// How the picker ended.
  public enum Outcome: Sendable {
    /// What was picked, in the order that the configuration asks for; empty = confirmed with nothing to pick.
    case picked([PickerResult])
    case cancelled
  }

  private let configuration: PickerConfiguration
  private let library: PhotoLibrary

  /// Whether a picker of this process has the terminal.
  private static let isShown = Atomic<Bool>(false)

  /// Prepares a picker; nothing is shown yet.
  public init(_ configuration: PickerConfiguration = PickerConfiguration(), library: PhotoLibrary) {
    self.configuration = configuration
    self.library = library
  }

  /// Takes the controlling terminal, shows the picker until the user is done, and gives the terminal back.
  ///
  /// Blocks the calling thread; a second picker of the process is refused meanwhile. While it runs, signals are the picker's (Ctrl-Z puts the process to
  /// sleep, one that ends it does so once the terminal is as it was), and the process takes the environment's locale.
  /// Standard output is left alone.
  /// - Parameter selectionChanged: called on the calling thread with what is selected, after each change, where the
  ///   configuration's `selection` is one that is told early.
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
    // No program and no album was given.
    case .cancelled, .become, .albumNotFound, .accessChosen: return .cancelled
    }
  }
}

extension PhotoLibrary {
  /// Results for assets, in the version and the shape that a configuration asks for.
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

/// Why a picker came to no answer.
public enum PhotoPickerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no terminal that it can be shown on, or the terminal went away.
  case terminal(TerminalError)
  /// The library gives no access.
  case access(AuthorizationStatus)
  /// Nothing can be made of the library, for this reason.
  case library(AssetError)

  /// The thing and the cause, in words for the user.
  public var description: String {
    switch self {
    case .terminal(let error): error.description
    case .access(let status): "photos: access \(status.word)"
    case .library(let error): error.description
    }
  }
}

extension JPEGEncoder {
  /// Encodes a JPEG file for a terminal that accepts files; nil on failure.
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
