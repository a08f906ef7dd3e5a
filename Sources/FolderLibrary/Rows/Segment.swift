import AssetLibrary

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
