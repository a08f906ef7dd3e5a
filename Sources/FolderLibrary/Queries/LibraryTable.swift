import AssetLibrary
import Synchronization
import SystemPackage

/// An immutable snapshot of a library for fetches.
///
/// Shares memory with the snapshots before and after it.
final class LibraryTable: Sendable {
  let state: LibraryState
  let texts: StringPool.Texts
  let marks: AssetMarks
  /// Which remote files have local copies.
  let copies: RemoteCopies
  /// The representative of each burst, by the burst's text number.
  let burstRepresentatives: [UInt32: FetchHandle]
  /// The text numbers of potential bursts that consist of only one photo.
  private let singlePhotoBursts: Set<UInt32>
  /// Computed once, at the first access.
  let momentCache = Mutex<[Moment]?>(nil)
  private let albumCache = Mutex<AlbumFolders?>(nil)
  /// The assets that were asked for last, each in the slot of its handle; empty before the first one.
  ///
  /// A picker asks for the visible assets several times a key, and making one takes a few microseconds.
  private let recent = Mutex<[(handle: FetchHandle, asset: Asset)?]>([])
  /// More than the visible assets, which mostly have handles in sequence.
  private static let recentSlots = 256

  /// - Parameter state: must have all changes applied to its order.
  init(
    state: LibraryState, texts: StringPool.Texts, marks: AssetMarks, copies: RemoteCopies = RemoteCopies()
  ) {
    self.state = state
    self.texts = texts
    self.marks = marks
    self.copies = copies
    var representatives: [UInt32: FetchHandle] = [:]
    var lonely: Set<UInt32> = []
    // Starting with the oldest: the first photo represents the burst, unless the camera chose another one.
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
    singlePhotoBursts = lonely
  }

  /// The text number of an asset's burst; nil if it belongs to none.
  func burst(of row: AssetRow) -> UInt32? {
    guard row.burst != 0 else { return nil }
    return row.flags.contains(.burstOfSeveral) && singlePhotoBursts.contains(row.burst) ? nil : row.burst
  }

  /// Returns the index of the library's folder that a path is in, or of the nearest one above it; nil if the path is
  /// outside of the library.
  func nearestFolder(above path: FilePath) -> Int? {
    guard var place = path.resolved else { return nil }
    let folders = Dictionary(
      state.folders.present.filter { !state.folders[$0].isPartial }
        .map { (state.folders[$0].canonicalPath, $0) }, uniquingKeysWith: { first, _ in first })
    while true {
      if let index = folders[place.bytes] { return index }
      guard place.lastComponent != nil else { return nil }
      place.removeLastComponent()
    }
  }

  /// The album structure of the folders; computed at the first access.
  var albumFolders: AlbumFolders {
    albumCache.withLock { cache in
      if let cache { return cache }
      let folders = AlbumFolders(state.folders)
      cache = folders
      return folders
    }
  }
}

// The interface to fetch results.
extension LibraryTable: FetchSource {
  typealias Element = Asset

  func view(of handle: FetchHandle) -> AssetRowView {
    let segment = state.segment(of: handle)
    return AssetRowView(
      table: self, segment: segment, row: state.corrected(segment.assets[handle.row]), handle: handle)
  }

  func identifier(at handle: FetchHandle) -> LocalIdentifier {
    LocalIdentifier(number: state.row(of: handle).identifier)
  }

  func handle(of identifier: LocalIdentifier) -> FetchHandle? {
    identifier.number.flatMap { state.handles[$0] }
  }

  func element(at handle: FetchHandle) -> Asset {
    // The first rows of several segments, such as small folders, get different slots.
    let slot = (handle.row &+ handle.segment &* 37) & (Self.recentSlots - 1)
    let known = recent.withLock { $0.isEmpty ? nil : $0[slot] }
    if let known, known.handle == handle { return known.asset }
    let asset = view(of: handle).asset
    recent.withLock { recent in
      if recent.isEmpty { recent = Array(repeating: nil, count: Self.recentSlots) }
      recent[slot] = (handle, asset)
    }
    return asset
  }

  func creationDate(at handle: FetchHandle) -> AssetDate? { view(of: handle).creationDate }

  func readableMediaType(at handle: FetchHandle) -> MediaType? {
    let view = view(of: handle)
    return view.isBroken ? .unknown : view.mediaType
  }

  func brief(at handle: FetchHandle) -> AssetBrief? { view(of: handle).brief }
}
