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
  /// The text numbers of bursts that would be some only if they had more than one photo.
  private let lonelyBursts: Set<UInt32>
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
    var lonely: Set<UInt32> = []
    // From the oldest on: the first of a series stands for it, unless the camera chose another.
    for handle in state.order.reversed() {
      let row = state.row(of: handle)
      guard row.burst != 0 else { continue }
      let isFirst = representatives[row.burst] == nil
      if row.flags.contains(.burstOfSeveral) {
        if isFirst { lonely.insert(row.burst) } else { lonely.remove(row.burst) }
      }
      if isFirst || row.flags.contains(.cover) { representatives[row.burst] = handle }
    }
    burstRepresentatives = representatives
    lonelyBursts = lonely
  }

  /// The text number of the burst that an asset is of; nil for one of none.
  func burst(of row: AssetRow) -> UInt32? {
    guard row.burst != 0 else { return nil }
    return row.flags.contains(.burstOfSeveral) && lonelyBursts.contains(row.burst) ? nil : row.burst
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

// What fetch results ask.
extension LibraryTable: FetchSource {
  typealias Element = Asset

  func view(of handle: FetchHandle) -> AssetRowView {
    let segment = state.segment(of: handle)
    return AssetRowView(
      table: self, segment: segment, row: segment.assets[handle.row], handle: handle)
  }

  func identifier(at handle: FetchHandle) -> LocalIdentifier {
    LocalIdentifier(number: state.row(of: handle).identifier)
  }

  func handle(of identifier: LocalIdentifier) -> FetchHandle? {
    identifier.number.flatMap { state.handles[$0] }
  }

  func element(at handle: FetchHandle) -> Asset { view(of: handle).asset }

  func creationDate(at handle: FetchHandle) -> AssetDate? { view(of: handle).creationDate }

  func readableMediaType(at handle: FetchHandle) -> MediaType? {
    let view = view(of: handle)
    return view.isBroken ? .unknown : view.mediaType
  }

  func brief(at handle: FetchHandle) -> AssetBrief? { view(of: handle).brief }
}
