import AssetLibrary

/// Builds a segment.
struct SegmentBuilder {
  private(set) var assets: [AssetRow] = []
  private(set) var files: [FileRow] = []
  private(set) var names: [UInt8] = []

  var isEmpty: Bool { files.isEmpty }

  /// Adds a file with its name.
  mutating func add(_ file: FileRow, named name: some Collection<UInt8>) {
    var file = file
    file.nameOffset = UInt32(names.count)
    file.nameCount = UInt16(name.count)
    names.append(contentsOf: name)
    files.append(file)
  }

  /// Adds an asset whose files are the last `count` files that were added.
  ///
  /// The edited clip of a Live Photo is put before the original one, as `Asset.resources` requires.
  mutating func add(_ asset: AssetRow, ofLastFiles count: Int) {
    let own = (files.count - count)..<files.count
    if count > 2, let edited = files[own].firstIndex(where: { $0.isOf(.fullSizePairedVideo) }),
      let clip = files[own].firstIndex(where: { $0.isOf(.pairedVideo) }), clip < edited
    {
      files.swapAt(clip, edited)
    }
    var asset = asset
    asset.firstFile = UInt32(files.count - count)
    asset.fileCount = UInt16(count)
    assets.append(asset)
  }

  /// Copies an asset from another segment.
  mutating func add(_ asset: AssetRow, from segment: Segment) {
    let own = segment.files(of: asset)
    for file in own { add(file, named: segment.name(of: file)) }
    add(asset, ofLastFiles: own.count)
  }

  func segment(folder: Int) -> Segment {
    Segment(folder: folder, assets: assets, files: files, names: names)
  }
}

extension Segment {
  /// The segment without the files that belong to no asset.
  var withoutUnusedFiles: Segment {
    if files.count == assets.reduce(0, { $0 + Int($1.fileCount) }) { return self }
    var builder = SegmentBuilder()
    for asset in assets { builder.add(asset, from: self) }
    return builder.segment(folder: folder)
  }

  /// Returns the assets that contain one of the named files.
  func assets(ofFiles names: Set<ArraySlice<UInt8>>) -> Segment {
    var builder = SegmentBuilder()
    for asset in assets where files(of: asset).contains(where: { names.contains(name(of: $0)) }) {
      builder.add(asset, from: self)
    }
    return builder.segment(folder: folder)
  }
}

/// An immutable part of a library: some assets of one folder with their files and names.
final class Segment: Sendable {
  /// The index of the folder.
  let folder: Int
  let assets: [AssetRow]
  /// The files grouped by asset, followed by those that belong to no asset.
  let files: [FileRow]
  /// The files' names, concatenated.
  let names: [UInt8]

  init(folder: Int, assets: [AssetRow], files: [FileRow], names: [UInt8]) {
    self.folder = folder
    self.assets = assets
    self.files = files
    self.names = names
  }

  func name(of file: FileRow) -> ArraySlice<UInt8> {
    names[Int(file.nameOffset)..<Int(file.nameOffset) + Int(file.nameCount)]
  }

  /// The files of an asset.
  func files(of asset: AssetRow) -> ArraySlice<FileRow> {
    files[Int(asset.firstFile)..<Int(asset.firstFile) + Int(asset.fileCount)]
  }

  /// The file that represents the current version of an asset: the edited rendition, if there is one.
  func currentFile(of asset: AssetRow) -> FileRow {
    let files = files(of: asset)
    guard asset.flags.contains(.adjusted) else { return files[files.startIndex] }
    let edited: AssetResource.Kind =
      asset.mediaType == MediaType.video.number ? .fullSizeVideo : .fullSizePhoto
    return files.first { $0.kind == edited.number } ?? files[files.startIndex]
  }

  /// The name of the file that represents an asset.
  func name(of asset: AssetRow) -> ArraySlice<UInt8> { name(of: currentFile(of: asset)) }
}

/// The segments of a library.
///
/// Each has a number that is never reused.
struct SegmentList: Sendable {
  /// nil for freed segments.
  private var segments: [Segment?] = []
  /// The numbers of segments that can be freed.
  private var retired: [Int] = []

  /// - Returns: the number of the segment.
  mutating func append(_ segment: Segment) -> Int {
    segments.append(segment)
    return segments.count - 1
  }

  /// nil if the segment was freed.
  subscript(number: Int) -> Segment? { segments[number] }

  /// The segment of an existing asset.
  func segment(of handle: FetchHandle) -> Segment {
    guard let segment = segments[handle.segment] else {
      preconditionFailure("the segment of an existing asset is gone")
    }
    return segment
  }

  /// The row of an existing asset.
  func row(of handle: FetchHandle) -> AssetRow { segment(of: handle).assets[handle.row] }

  /// Marks segments without remaining assets.
  mutating func retire(_ numbers: [UInt32]) { retired += numbers.map { Int($0) } }

  /// Frees the retired segments.
  ///
  /// Call it when nothing refers to them any more.
  mutating func removeRetired() {
    for number in retired { segments[number] = nil }
    retired = []
  }
}

// The numbers under which rows store enumeration cases. They are stored in the index too.

extension MediaType {
  static let numbered: [MediaType] = [.unknown, .image, .video, .audio]
  var number: UInt8 { UInt8(Self.numbered.firstIndex(of: self) ?? 0) }
}

extension PlaybackStyle {
  static let numbered: [PlaybackStyle] = [
    .unsupported, .image, .imageAnimated, .livePhoto, .video, .videoLooping,
  ]
  var number: UInt8 { UInt8(Self.numbered.firstIndex(of: self) ?? 0) }
}

extension AssetResource.Kind {
  static let numbered: [AssetResource.Kind] = [
    .photo, .video, .audio, .alternatePhoto, .fullSizePhoto, .fullSizeVideo, .adjustmentData, .pairedVideo,
    .photoProxy, .fullSizePairedVideo,
  ]
  var number: UInt8 { UInt8(Self.numbered.firstIndex(of: self) ?? 0) }
}

extension FileRow {
  fileprivate func isOf(_ kind: AssetResource.Kind) -> Bool { self.kind == kind.number }
}
