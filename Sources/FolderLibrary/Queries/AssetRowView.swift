import AssetLibrary
import MediaFormats
import Metadata
import Pixels
import SystemPackage

/// An asset whose attributes are read from its row on access.
struct AssetRowView: AssetAttributes {
  let table: LibraryTable
  let segment: Segment
  let row: AssetRow
  let handle: FetchHandle

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
  var isFavorite: Bool { isFavorite(with: table.marks) }
  var isHidden: Bool { isHidden(with: table.marks) }

  fileprivate func isFavorite(with marks: AssetMarks) -> Bool {
    marks.favorites[row.identifier] ?? (row.rating == 5)
  }

  fileprivate func isHidden(with marks: AssetMarks) -> Bool {
    marks.hidden[row.identifier]
      ?? (row.flags.contains(.hidden) || table.state.folders[segment.folder].isHidden)
  }
  var burstIdentifier: String? { table.burst(of: row).map { table.texts[$0] } }
  var isInBurst: Bool { table.burst(of: row) != nil }
  var representsBurst: Bool {
    table.burst(of: row).map { table.burstRepresentatives[$0] == handle } ?? false
  }
  var hasAdjustments: Bool { row.flags.contains(.adjusted) }
  var isBroken: Bool { row.defect != 0 }
  var rating: Int { Int(row.rating) }
  var byteCount: Int64 { file.byteCount }
  var nameBytes: [UInt8] { Array(segment.name(of: row)) }
  var pathBytes: [UInt8] { folder.pathBytes(of: segment.name(of: row)) }
  var hasLineBreak: Bool {
    segment.name(of: row).hasLineBreak || table.state.folders[segment.folder].pathPrefix.hasLineBreak
  }

  var successorFile: UInt64? {
    row.flags.contains(.inherited) ? segment.files(of: row).first?.inode : nil
  }

  func hasFileExtension(_ suffix: String) -> Bool { segment.name(of: row).hasFileExtension(suffix) }

  func compareName(to other: AssetRowView) -> Int {
    NaturalOrder.compare(segment.name(of: row), other.segment.name(of: other.row))
  }

  func comparePath(to other: AssetRowView) -> Int {
    if handle == other.handle { return 0 }
    return table.state.pathPrecedes(handle, other.handle) ? -1 : 1
  }

  /// When each of the asset's files was modified, in nanoseconds since 1970, UTC.
  var fileTimes: [Int64] { segment.files(of: row).map(\.modified) }

  private var creationDateSource: CreationDateSource {
    let flags = row.flags
    if flags.contains(.userDate) { return .user }
    if flags.contains(.fileDate) { return .file }
    if flags.contains(.nameDate) { return .name }
    if flags.contains(.xmpDate) { return .xmp }
    if flags.contains(.iptcDate) { return .iptc }
    return flags.contains(.quickTimeDate) ? .quicktime : .exif
  }

  /// The position of the source that the asset comes from: of any of its individually named files, else of
  /// the source folder.
  var sourcePosition: Int {
    let given = table.state.given
    var root = folder
    if root.isPartial {
      return segment.files(of: row).compactMap { given.place(of: root.pathBytes(of: segment.name(of: $0))) }
        .min() ?? .max
    }
    while let parent = root.parent { root = table.state.folders[parent] }
    return given.place(of: root.path.bytes) ?? .max
  }

  /// The whole asset.
  var asset: Asset {
    var asset = Asset(
      localIdentifier: LocalIdentifier(number: row.identifier), mediaType: mediaType, pixelSize: pixelSize,
      creationDate: creationDate, modificationDate: modificationDate, resources: resources)
    asset.mediaSubtypes = mediaSubtypes
    asset.playbackStyle = playbackStyle
    asset.creationDateSource = creationDateSource
    asset.creationDateZone =
      row.flags.contains(.systemZone) ? .system : row.flags.contains(.placeZone) ? .place : .file
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

  /// The file that represents the asset (an edited rendition before its original), and all others.
  private var files: (primary: FileRow, others: [FileRow]) {
    let files = segment.files(of: row)
    guard files.count > 1 else { return (files.first ?? file, []) }
    let primary = files.firstIndex { $0.nameOffset == file.nameOffset } ?? files.startIndex
    return (files[primary], files.indices.filter { $0 != primary }.map { files[$0] })
  }

  private var resources: [AssetResource] {
    let files = files
    return [resource(of: files.primary)] + files.others.map(resource)
  }

  /// The attributes that a selection needs.
  var brief: AssetBrief {
    let files = files
    return AssetBrief(
      localIdentifier: localIdentifier, mediaType: mediaType, duration: duration, byteCount: byteCount,
      isBroken: isBroken, hasLineBreak: hasLineBreak, pixelSize: pixelSize,
      primaryResource: AssetBrief.Resource(files.primary),
      otherResources: files.others.map(AssetBrief.Resource.init))
  }

  private func resource(of file: FileRow) -> AssetResource {
    var resource = AssetResource(
      type: file.resourceKind, path: FilePath(bytes: folder.pathBytes(of: segment.name(of: file))),
      uniformTypeIdentifier: file.uniformTypeIdentifier, byteCount: file.resourceByteCount,
      orientation: Orientation(rawValue: file.orientation) ?? .topLeft, storedSize: file.storedSize)
    if let remote = folder.remoteName {
      let name = segment.name(of: file)
      resource.remoteName = RemoteFolderName.joined(remote.displayName, name)
      resource.remoteAddress = RemoteFolderName.joined(remote.printed, name)
      resource.remoteScheme = remote.scheme
      let version = file.remoteVersion
      resource.remoteVersion = version
      resource.isLocallyAvailable = table.copies.originals.contains(version)
      resource.hasLocalThumbnail = table.copies.hasThumbnail(of: version, hasOwn: file.remoteThumbnail != nil)
    } else {
      resource.fileVersion = FileVersion(inode: file.inode, changeTime: file.changed)
    }
    resource.thumbnail = file.thumbnail
    resource.isRareJPEG = file.isRareJPEG && !file.isEmbedded
    if file.rangeCount > 0, file.isEmbedded {
      resource.byteRange = Int(file.rangeStart)..<Int(file.rangeStart + file.rangeCount)
    }
    return resource
  }
}

extension FileRow {
  fileprivate var resourceKind: AssetResource.Kind { AssetResource.Kind.numbered[Int(kind)] }

  fileprivate var uniformTypeIdentifier: String {
    FileFormat(rawValue: format)?.uniformTypeIdentifier ?? FileFormat.unknownTypeIdentifier
  }

  fileprivate var resourceByteCount: Int64 { isEmbedded ? Int64(rangeCount) : byteCount }

  fileprivate var storedSize: PixelSize { PixelSize(width: Int(storedWidth), height: Int(storedHeight)) }
}

extension AssetBrief.Resource {
  fileprivate init(_ file: FileRow) {
    self.init(
      type: file.resourceKind, uniformTypeIdentifier: file.uniformTypeIdentifier,
      byteCount: file.resourceByteCount, storedSize: file.storedSize,
      isEmbedded: file.isEmbedded && file.rangeCount > 0)
    isRareJPEG = file.isRareJPEG && !file.isEmbedded
  }
}

extension LibraryTable {
  /// Returns the change that restores an asset's current favorite or hidden state, its date or its location; nil for
  /// other changes, or if the asset doesn't exist.
  /// - Parameter marks: the state before the change.
  func mark(before change: AssetChange, with marks: AssetMarks) -> AssetChange? {
    switch change {
    case .setFavorite(let asset, _):
      handle(of: asset).map { .setFavorite(asset, view(of: $0).isFavorite(with: marks)) }
    case .setHidden(let asset, _):
      handle(of: asset).map { .setHidden(asset, view(of: $0).isHidden(with: marks)) }
    case .setCreationDate(let asset, _):
      handle(of: asset).map { _ in
        .setCreationDate(asset, asset.number.flatMap { marks.corrections[$0]?.date })
      }
    case .setLocation(let asset, _):
      handle(of: asset).map { _ in
        .setLocation(asset, asset.number.flatMap { marks.corrections[$0]?.location })
      }
    default: nil
    }
  }
}
