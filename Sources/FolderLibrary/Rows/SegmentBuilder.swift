import AssetLibrary

/// Puts a segment together.
struct SegmentBuilder {
  private(set) var assets: [AssetRow] = []
  private(set) var files: [FileRow] = []
  private(set) var names: [UInt8] = []

  var isEmpty: Bool { files.isEmpty }

  /// Adds a file under its name.
  mutating func add(_ file: FileRow, named name: some Collection<UInt8>) {
    var file = file
    file.nameOffset = UInt32(names.count)
    file.nameCount = UInt16(name.count)
    names.append(contentsOf: name)
    files.append(file)
  }

  /// Adds an asset whose files are the last `count` that were added.
  mutating func add(_ asset: AssetRow, ofLastFiles count: Int) {
    var asset = asset
    asset.firstFile = UInt32(files.count - count)
    asset.fileCount = UInt16(count)
    assets.append(asset)
  }

  /// Takes an asset over from another segment.
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

  /// The assets that one of the named files belongs to.
  func assets(ofFiles names: Set<ArraySlice<UInt8>>) -> Segment {
    var builder = SegmentBuilder()
    for asset in assets where files(of: asset).contains(where: { names.contains(name(of: $0)) }) {
      builder.add(asset, from: self)
    }
    return builder.segment(folder: folder)
  }
}

/// A piece of the library that never changes: some assets of one folder with their files and names.
final class Segment: Sendable {
  /// The index of the folder.
  let folder: Int
  let assets: [AssetRow]
  /// The files of the assets, each asset's together, then those that belong to none.
  let files: [FileRow]
  /// The files' names, one after another.
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

  /// The file that stands for an asset in its current version: the edited rendition where there is one.
  func currentFile(of asset: AssetRow) -> FileRow {
    let files = files(of: asset)
    guard asset.flags.contains(.adjusted) else { return files[files.startIndex] }
    // The edited video of a Live Photo does not stand for the picture.
    let edited: AssetResource.Kind =
      asset.mediaType == MediaType.video.number ? .fullSizeVideo : .fullSizePhoto
    return files.first { $0.kind == edited.number } ?? files[files.startIndex]
  }

  /// The name of the file that stands for an asset.
  func name(of asset: AssetRow) -> ArraySlice<UInt8> { name(of: currentFile(of: asset)) }
}

/// The segments of a library, each under a number that no other segment ever gets.
struct SegmentList: Sendable {
  /// nil where the memory of a segment was given back.
  private var segments: [Segment?] = []
  /// The numbers of segments whose memory can be given back.
  private var retired: [Int] = []

  /// - Returns: the number of the segment.
  mutating func append(_ segment: Segment) -> Int {
    segments.append(segment)
    return segments.count - 1
  }

  /// nil where the segment is gone.
  subscript(number: Int) -> Segment? { segments[number] }

  /// The segment of an asset that exists.
  func segment(of handle: FetchHandle) -> Segment {
    guard let segment = segments[handle.segment] else {
      preconditionFailure("the segment of an existing asset is gone")
    }
    return segment
  }

  /// The row of an asset that exists.
  func row(of handle: FetchHandle) -> AssetRow { segment(of: handle).assets[handle.row] }

  /// Marks segments of which no asset exists any more.
  mutating func retire(_ numbers: [UInt32]) { retired += numbers.map { Int($0) } }

  /// Gives back the memory of the retired segments, once nothing speaks of them.
  mutating func removeRetired() {
    for number in retired { segments[number] = nil }
    retired = []
  }
}

// The numbers by which rows keep what is a case of an enumeration; the index keeps them too.

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
    .photoProxy,
  ]
  var number: UInt8 { UInt8(Self.numbered.firstIndex(of: self) ?? 0) }
}
