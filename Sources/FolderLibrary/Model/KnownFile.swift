import AssetLibrary

/// A file with its row in the library.
struct KnownFile {
  let segment: Segment
  let file: FileRow
  /// The asset that it belongs to; nil if it belongs to none.
  let asset: FetchHandle?

  var name: ArraySlice<UInt8> { segment.name(of: file) }
}

extension LibraryState {
  /// Finds a file of a folder's assets by its name.
  func file(named name: ArraySlice<UInt8>, in folder: Int) -> FileRow? {
    for handle in contents(of: folder) {
      let segment = segment(of: handle)
      for file in segment.files(of: segment.assets[handle.row]) where !file.isEmbedded {
        if segment.name(of: file).elementsEqual(name) { return file }
      }
    }
    return nil
  }

  /// All known files of a folder, sorted by name, including those that belong to no asset.
  func knownFiles(in folder: Int) -> [KnownFile] {
    var files: [KnownFile] = []
    for number in folders[folder].segments {
      guard let segment = segments[Int(number)] else { continue }
      var isAssets = [Bool](repeating: false, count: segment.files.count)
      for (row, asset) in segment.assets.enumerated() {
        let handle = FetchHandle(segment: Int(number), row: row)
        for place in Int(asset.firstFile)..<Int(asset.firstFile) + Int(asset.fileCount) {
          isAssets[place] = true
          guard handles[asset.identifier] == handle, !segment.files[place].isEmbedded else { continue }
          files.append(KnownFile(segment: segment, file: segment.files[place], asset: handle))
        }
      }
      for (place, file) in segment.files.enumerated() where !isAssets[place] {
        files.append(KnownFile(segment: segment, file: file, asset: nil))
      }
    }
    // Drop the entry without an asset that a file may still have from before it joined an asset.
    return files.sorted { $0.name.lexicographicallyPrecedes($1.name) }
      .reduce(into: []) { result, file in
        guard let last = result.last, last.name.elementsEqual(file.name) else { return result.append(file) }
        if last.asset == nil { result[result.count - 1] = file }
      }
  }
}
