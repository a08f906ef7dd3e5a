import AssetLibrary
import FolderLibrary
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
    if word.contains("/") { return albums(at: FilePath(bytes: ArgumentBytes.bytes(word))) }
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
