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
