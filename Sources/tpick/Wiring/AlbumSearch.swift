import AssetLibrary
import Completion
import Dispatch
import FolderLibrary
import PhotoPicker
import System
import SystemPackage

/// Finds the album that the words of an option mean.
struct AlbumSearch {
  private let albums: [AssetCollection]

  init(_ albums: some Sequence<AssetCollection>) {
    self.albums = Array(albums)
  }

  /// The albums that a word means, the surest way first: by their identifiers, by their folders' paths, by their titles.
  func albums(named word: String) -> [AssetCollection] {
    // A folder of folders goes by two identifiers.
    let identifier = word.hasPrefix("list.") ? String(word.dropFirst(5)) : word
    let identified = albums.filter { $0.localIdentifier.rawValue == identifier }
    if !identified.isEmpty { return identified }
    // The name of a folder holds no slash, that of an album of the user's may.
    if word.contains("/"), !albums.contains(where: { $0.title.lowercased() == word.lowercased() }) {
      return albums(at: FilePath(bytes: ArgumentBytes.bytes(word)))
    }
    let exact = albums.filter { $0.title == word }
    let titled = exact.isEmpty ? albums.filter { $0.title.lowercased() == word.lowercased() } : exact
    if !titled.isEmpty { return titled }
    return albums(at: FilePath(bytes: ArgumentBytes.bytes(word)))
  }

  /// The album of a folder: by where the path leads, else by the end of the albums' own paths.
  private func albums(at path: FilePath) -> [AssetCollection] {
    if let identifier = FolderAlbum.identifier(at: path) {
      let found = albums.filter { $0.localIdentifier == identifier }
      if !found.isEmpty { return found }
    }
    return path.isAbsolute ? [] : albums.filter { $0.path?.ends(with: path) ?? false }
  }
}

/// The names by which `--album` finds the albums of a library.
enum AlbumCandidates {
  /// Who presses Tab waits no longer for a library that is not known yet; what was found so far is offered.
  private static let patience = DispatchTimeInterval.milliseconds(400)

  /// Smart albums and folders: their titles, or their paths where several have the same title.
  static func names(_ library: Completer.Library) -> [Candidate] {
    guard let sources = paths(library) else { return [] }
    let store = LibraryBackend.open(sources, isKept: true)
    let complete = DispatchSemaphore(value: 0)
    WorkerThread.run {
      store.waitUntilComplete()
      complete.signal()
    }
    if complete.wait(timeout: .now() + patience) == .timedOut { store.stopReading() }
    return candidates(Array(store.collections(of: [.smartAlbum, .album], options: FetchOptions())))
  }

  /// The sources that are there; nil for a library that would have to be made first, or where none is.
  private static func paths(_ library: Completer.Library) -> [FilePath]? {
    if library.isDemo { return (try? DemoLibrary.path.stat()) == nil ? nil : [DemoLibrary.path] }
    let named = library.sources.map { PathArgument.path($0) }
    let configuration = library.configuration.map { FilePath(bytes: ArgumentBytes.bytes($0)) }
    let configured =
      named.isEmpty
      ? (try? SettingsFile(configuration, isIgnored: library.ignoresConfiguration).sources) ?? [] : []
    let usual = configured.isEmpty ? [UserDirectories.pictures] : configured
    let paths = (named.isEmpty ? usual : named).filter { path in
      MountProbes.shared.answers(path, within: MountProbes.shortPatience) && (try? path.stat()) != nil
    }
    return paths.isEmpty ? nil : paths
  }

  private static func candidates(_ albums: [AssetCollection]) -> [Candidate] {
    var counts: [String: Int] = [:]
    for album in albums { counts[album.title.lowercased(), default: 0] += 1 }
    return albums.map { album in
      let isOnly = counts[album.title.lowercased()] == 1
      // As the bytes of a folder's name: nothing in it may stand for other bytes.
      let name =
        isOnly
        ? ArgumentBytes.text(Array(album.title.utf8))
        : album.path.map { ArgumentBytes.text($0.bytes) } ?? album.localIdentifier.rawValue
      return Candidate(name, album.estimatedAssetCount.map { Wording.count($0, "photo") })
    }
  }
}
