import AssetLibrary
import FolderLibrary
import Imaging
import PhotoPicker
import RemoteLibrary
import SystemPackage
import System

/// The library and image pipeline for the files of `tpick show`.
struct ShowLibrary {
  /// The files to draw.
  let files: [FilePath]
  let store: any AssetStore
  let images: ImagePipeline
  /// The files that were given by the identifiers of their assets.
  private let identified: Set<FilePath>
  /// The picture from standard input.
  private let input: SpooledFile?

  /// The maximum number of bytes from standard input.
  private static let longestInput = 2 << 30

  /// Reads the named files, and for `-` standard input to its end.
  /// - Throws: `Failure` if standard input can't contain a picture.
  init(_ arguments: [String]) throws(Failure) {
    input = arguments.contains("-") ? try Self.readInput() : nil
    var words = arguments.map { [input] argument in
      SourceWord(argument == "-" ? input?.path.bytes ?? Array("-".utf8) : ArgumentBytes.bytes(argument))
    }
    SourceWord.locate(&words)
    files = words.map { word in word.remote.map { FilePath($0.text) } ?? word.paths.first ?? word.path }
    identified = Set(words.filter { $0.remote == nil && $0.paths.first != $0.path }.compactMap(\.paths.first))
    let remotes = ServerAddress.outermost(words.compactMap(\.remote))
    // Files that belong to an identified file may be needed for playing.
    let here = words.filter { $0.remote == nil }.flatMap { $0.paths.isEmpty ? [$0.path] : $0.paths }
    // Data from servers should not be downloaded twice.
    store = LibraryBackend.open(here, isKept: !remotes.isEmpty, remotes: remotes)
    store.waitUntilComplete()
    // Writing thumbnails is not worth the time for a single use.
    images = ImagePipeline(
      store: store, foreign: HelperDecoder(),
      thumbnails: ThumbnailCache(UserDirectories.thumbnailDirectory, keepsThumbnails: false))
  }

  /// The assets of files; nil for files that are not assets.
  ///
  /// A named file is its asset's primary one, also if it is the original of an edit or the clip of a photo. An
  /// identifier stands for the current version.
  func assets(at paths: [FilePath]) -> [Asset?] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let identifiers = store.identifiers(at: paths).map { (try? $0.get())?.first }
    let found = store.assets(withLocalIdentifiers: identifiers.compactMap { $0 }, options: options)
    let assets = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return zip(paths, identifiers).map { path, identifier in
      let asset = identifier.flatMap { assets[$0] }
      return identified.contains(path) ? asset : asset?.presenting(fileAt: path)
    }
  }

  /// Reads standard input to its end.
  static func readInput() throws(Failure) -> SpooledFile {
    if StandardStream.input.isTerminal {
      throw .error(
        "standard input: is a terminal; - reads a picture from a pipe, as in curl -s URL | tpick show -")
    }
    // If it is closed, the next opened file would get its number.
    guard fcntl(STDIN_FILENO, F_GETFD) >= 0 else {
      throw .error("standard input: \(Errno(rawValue: errno))")
    }
    do throws(AssetError) {
      let file = try SpooledFile(
        reading: StandardStream.input.descriptor, limit: longestInput,
        folders: UserDirectories.temporaryFolders)
      if let refusal = file.refusals.first {
        Messages.warn("\(refusal) (TMPDIR names the folder for temporary files; another one is used)")
      }
      return file
    } catch {
      throw .error(error.description)
    }
  }

  /// Why a file is not an asset.
  func problem(with path: FilePath) -> AssetError {
    let name = String(decoding: path.bytes, as: UTF8.self)
    let issue = store.status.issues.first { $0.subject == name }
    return named(AssetError(name, issue?.reason ?? "not a picture"), of: path)
  }

  /// An error in terms of the user, who does not know the file that standard input was copied to.
  func named(_ error: AssetError, of file: FilePath) -> AssetError {
    guard let input, file == input.path else { return error }
    var error = error
    error.subject = "standard input"
    return error
  }

  /// A note about a file, starting with its name.
  func named(_ note: String, of file: FilePath) -> String {
    guard let input, file == input.path, let name = file.lastComponent?.string, note.hasPrefix("\(name):")
    else { return note }
    return "standard input" + note.dropFirst(name.count)
  }
}
