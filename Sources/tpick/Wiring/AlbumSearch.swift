import AssetLibrary
import Completion
import Dispatch
import FolderLibrary
import PhotoPicker
import System
import SystemPackage

/// Finds the album for the value of an option.
struct AlbumSearch {
  private let albums: [AssetCollection]

  init(_ albums: some Sequence<AssetCollection>) {
    self.albums = Array(albums)
  }

  /// The albums that match a word, the most specific way first: by identifier, by path of a folder, by title.
  func albums(named word: String) -> [AssetCollection] {
    // A folder of folders has two identifiers.
    let identifier = word.hasPrefix("list.") ? String(word.dropFirst(5)) : word
    let identified = albums.filter { $0.localIdentifier.rawValue == identifier }
    if !identified.isEmpty { return identified }
    // The name of a folder contains no slash, but that of a user's album may.
    if word.contains("/"), !albums.contains(where: { $0.title.lowercased() == word.lowercased() }) {
      return albums(at: FilePath(bytes: ArgumentBytes.bytes(word)))
    }
    let exact = albums.filter { $0.title == word }
    let titled = exact.isEmpty ? albums.filter { $0.title.lowercased() == word.lowercased() } : exact
    if !titled.isEmpty { return titled }
    return albums(at: FilePath(bytes: ArgumentBytes.bytes(word)))
  }

  /// Returns the error for the name of Recently Deleted, whose photos no command picks or prints; nil for another name.
  static func refusalOfDeletedPhotos(_ word: String) -> Failure? {
    let album = AssetCollection(.recentlyDeleted, estimatedAssetCount: nil)
    if AlbumSearch([album]).albums(named: word).isEmpty { return nil }
    return .error(
      "--album: photos in \(album.title) can't be picked; tpick trash list prints them, tpick trash restore brings them back"
    )
  }

  /// The album of a folder: by the resolved path, else by the end of the albums' paths.
  private func albums(at path: FilePath) -> [AssetCollection] {
    if let identifier = FolderAlbum.identifier(at: path) {
      let found = albums.filter { $0.localIdentifier == identifier }
      if !found.isEmpty { return found }
    }
    return path.isAbsolute ? [] : albums.filter { $0.path?.ends(with: path) ?? false }
  }
}

/// The completions of `--album`.
enum AlbumCandidates {
  /// The maximum time that completion waits for an unknown library; then what was found so far is offered.
  private static let patience = DispatchTimeInterval.milliseconds(400)
  /// The maximum time that it waits for what is known.
  private static let patienceForIndex = DispatchTimeInterval.seconds(5)

  /// Smart albums and folders: their titles, or their paths if several have the same title.
  static func names(_ library: Completer.Library) -> [Candidate] {
    guard let sources = paths(library) else { return [] }
    let store = LibraryBackend.open(sources, isKept: true)
    let complete = DispatchSemaphore(value: 0)
    WorkerThread.run {
      store.waitUntilComplete()
      complete.signal()
    }
    if complete.wait(timeout: .now() + patience) == .timedOut {
      store.stopReading()
      // That ends at once what is not in the index, which on a busy machine has yet to be loaded.
      _ = complete.wait(timeout: .now() + patienceForIndex)
    }
    return candidates(Array(store.collections(of: [.smartAlbum, .album], options: FetchOptions())))
  }

  /// The existing sources; nil for a library that must be created first, or if there is none.
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
      // As the bytes of a folder's name, in which nothing represents other bytes.
      let name =
        isOnly
        ? ArgumentBytes.text(Array(album.title.utf8))
        : album.path.map { ArgumentBytes.text($0.bytes) } ?? album.localIdentifier.rawValue
      return Candidate(name, album.estimatedAssetCount.map { Wording.count($0, "photo") })
    }
  }
}
