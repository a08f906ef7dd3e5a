import AssetLibrary
import Synchronization

/// A library at one moment, as fetches read it: never changes, shares its memory with the moments around it.
final class LibraryTable: Sendable {
  let state: LibraryState
  let texts: StringPool.Texts
  let marks: AssetMarks
  /// What is on this machine of files on servers.
  let copies: RemoteCopies
  /// The one of each burst that stands for it, by the burst's text number.
  let burstRepresentatives: [UInt32: FetchHandle]
  /// Moments are split when they are asked for, once.
  let momentCache = Mutex<[Moment]?>(nil)
  private let albumCache = Mutex<AlbumFolders?>(nil)

  /// - Parameter state: all changes are applied to its order.
  init(
    state: LibraryState, texts: StringPool.Texts, marks: AssetMarks, copies: RemoteCopies = RemoteCopies()
  ) {
    self.state = state
    self.texts = texts
    self.marks = marks
    self.copies = copies
    var representatives: [UInt32: FetchHandle] = [:]
    // From the oldest on: the first of a series stands for it, unless the camera chose another.
    for handle in state.order.reversed() {
      let row = state.row(of: handle)
      guard row.burst != 0 else { continue }
      if representatives[row.burst] == nil || row.flags.contains(.cover) {
        representatives[row.burst] = handle
      }
    }
    burstRepresentatives = representatives
  }

  /// How the folders are albums, worked out when it is asked for.
  var albumFolders: AlbumFolders {
    albumCache.withLock { cache in
      if let cache { return cache }
      let folders = AlbumFolders(state.folders)
      cache = folders
      return folders
    }
  }
}
