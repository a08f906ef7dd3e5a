import AssetLibrary
import Metadata
import Pixels
import Synchronization
import SystemPackage

/// A library at one moment, as fetches read it: never changes, shares its memory with the moments around it.
final class LibraryTable: FetchSource {
  typealias Element = Asset

  let state: LibraryState
  let texts: StringPool.Texts
  let marks: AssetMarks
  /// The one of each burst that stands for it, by the burst's text number.
  let burstRepresentatives: [UInt32: UInt64]
  /// Moments are split when they are asked for, once.
  let momentCache = Mutex<[Moment]?>(nil)

  /// - Parameter state: settled.
  init(state: LibraryState, texts: StringPool.Texts, marks: AssetMarks) {
    self.state = state
    self.texts = texts
    self.marks = marks
    var representatives: [UInt32: UInt64] = [:]
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

  func view(of handle: UInt64) -> AssetRowView {
    let segment = state.segment(of: handle)
    return AssetRowView(
      table: self, segment: segment, row: segment.assets[LibraryState.row(of: handle)], handle: handle)
  }

  func identifier(at handle: UInt64) -> LocalIdentifier {
    LocalIdentifier(number: state.row(of: handle).identifier)
  }

  func handle(of identifier: LocalIdentifier) -> UInt64? { identifier.number.flatMap { state.handles[$0] } }

  func element(at handle: UInt64) -> Asset { view(of: handle).asset }

  func creationDate(at handle: UInt64) -> AssetDate? { view(of: handle).creationDate }

  func brief(at handle: UInt64) -> AssetBrief? {
    let view = view(of: handle)
    return AssetBrief(
      localIdentifier: view.localIdentifier, byteCount: view.byteCount, isBroken: view.isBroken,
      hasLineBreak: view.hasLineBreak)
  }
}

extension LocalIdentifier {
  /// Thirteen letters and digits at most: short enough for Swift to keep without memory of its own.
  init(number: UInt64) {
    // As `String(number, radix: 36)`, which takes three times as long.
    self.init(
      rawValue: String(unsafeUninitializedCapacity: 13) { buffer in
        var (rest, count) = (number, 0)
        repeat {
          let digit = UInt8(truncatingIfNeeded: rest % 36)
          buffer[count] = digit < 10 ? 0x30 + digit : 0x57 + digit
          rest /= 36
          count += 1
        } while rest > 0
        var digits = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
        digits.reverse()
        return count
      })
  }

  var number: UInt64? { UInt64(rawValue, radix: 36) }
}

/// What the user said of assets in tpick itself, over what their files say.
struct AssetMarks: Hashable, Sendable {
  var favorites: [UInt64: Bool] = [:]
  var hidden: [UInt64: Bool] = [:]
}

/// An asset read from its row, as far as one asks.
struct AssetRowView: AssetAttributes {
  let table: LibraryTable
  let segment: Segment
  let row: AssetRow
  let handle: UInt64

  private var folder: LibraryFolder { table.state.folders[segment.folder] }
  private var file: FileRow { segment.currentFile(of: row) }

  var localIdentifier: LocalIdentifier { LocalIdentifier(number: row.identifier) }
  var mediaType: MediaType { MediaType.numbered[Int(row.mediaType)] }
  var mediaSubtypes: MediaSubtypes { MediaSubtypes(rawValue: row.subtypes) }
  var playbackStyle: PlaybackStyle { PlaybackStyle.numbered[Int(row.playbackStyle)] }
  var sourceType: AssetSourceTypes { .userLibrary }
  var pixelSize: PixelSize { PixelSize(width: Int(row.width), height: Int(row.height)) }
  var creationDate: AssetDate { row.date }
  var modificationDate: AssetDate { AssetDate(fileTime: file.modified) }
  var addedDate: AssetDate { AssetDate(wallSeconds: row.added, utcOffset: 0) }
  var duration: Double { Double(row.duration) }
  var location: Location? {
    row.latitude.isNaN ? nil : Location(latitude: row.latitude, longitude: row.longitude)
  }
  var isFavorite: Bool { table.marks.favorites[row.identifier] ?? (row.rating == 5) }
  var isHidden: Bool {
    table.marks.hidden[row.identifier]
      ?? (row.flags.contains(.hidden) || table.state.folders[segment.folder].isHidden)
  }
  var burstIdentifier: String? { row.burst == 0 ? nil : table.texts[row.burst] }
  var isInBurst: Bool { row.burst != 0 }
  var representsBurst: Bool { row.burst != 0 && table.burstRepresentatives[row.burst] == handle }
  var hasAdjustments: Bool { row.flags.contains(.adjusted) }
  var isBroken: Bool { row.defect != 0 }
  var rating: Int { Int(row.rating) }
  var byteCount: Int64 { file.size }
  var nameBytes: [UInt8] { Array(segment.name(of: row)) }
  var pathBytes: [UInt8] { folder.pathBytes(of: segment.name(of: row)) }
  var hasLineBreak: Bool {
    segment.name(of: row).hasLineBreak || table.state.folders[segment.folder].pathPrefix.hasLineBreak
  }

  func compareName(to other: AssetRowView) -> Int {
    let (a, b) = (segment.name(of: row), other.segment.name(of: other.row))
    return a.elementsEqual(b) ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
  }

  func comparePath(to other: AssetRowView) -> Int {
    if handle == other.handle { return 0 }
    return table.state.pathPrecedes(handle, other.handle) ? -1 : 1
  }

  /// The whole asset.
  var asset: Asset {
    var asset = Asset(
      localIdentifier: LocalIdentifier(number: row.identifier), mediaType: mediaType, pixelSize: pixelSize,
      creationDate: creationDate, modificationDate: modificationDate, resources: resources)
    asset.mediaSubtypes = mediaSubtypes
    asset.playbackStyle = playbackStyle
    asset.addedDate = addedDate
    asset.duration = duration
    asset.location = location
    asset.isFavorite = isFavorite
    asset.isHidden = isHidden
    asset.burstIdentifier = burstIdentifier
    asset.representsBurst = representsBurst
    asset.hasAdjustments = hasAdjustments
    asset.rating = rating
    asset.defect = isBroken ? table.texts[row.defect] : nil
    return asset
  }

  /// The file that stands for the asset comes first: an edited rendition before its original.
  private var resources: [AssetResource] {
    let files = segment.files(of: row)
    let current = files.firstIndex { $0.nameOffset == file.nameOffset } ?? files.startIndex
    return ([current] + files.indices.filter { $0 != current }).map { resource(of: files[$0]) }
  }

  private func resource(of file: FileRow) -> AssetResource {
    do {
      var resource = AssetResource(
        type: AssetResource.Kind.numbered[Int(file.kind)],
        path: FilePath(bytes: folder.pathBytes(of: segment.name(of: file))),
        uniformTypeIdentifier: FileFormat(rawValue: file.format)?.uniformTypeIdentifier ?? "public.data",
        byteCount: file.isEmbedded ? Int64(file.rangeCount) : file.size,
        orientation: Orientation(rawValue: file.orientation) ?? .topLeft,
        storedSize: PixelSize(width: Int(file.storedWidth), height: Int(file.storedHeight)))
      if file.rangeCount > 0 {
        let range = Int(file.rangeStart)..<Int(file.rangeStart + file.rangeCount)
        if file.isEmbedded { resource.byteRange = range } else { resource.thumbnail = range }
      }
      return resource
    }
  }
}
