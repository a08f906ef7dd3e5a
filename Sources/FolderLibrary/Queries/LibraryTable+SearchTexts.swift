import AssetLibrary

extension LibraryTable {
  /// What a search in some fields can be completed with, among the assets of a collection.
  ///
  /// One walk over the assets counts the numbers of their texts; texts are compared once each.
  func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, collection: LocalIdentifier?, options: FetchOptions
  ) -> [SearchText] {
    let handles = handles(in: collection, options: options)
    let prefix = TextPattern.fold(prefix)
    var found: [SearchText] = []
    func add(_ counts: [String: Int], _ field: SearchFields) {
      found += SearchText.commonest(of: counts, in: field, beginningWith: prefix)
    }
    if fields.contains(.album) { add(albumCounts(handles), .album) }
    if fields.contains(.camera) { add(textCounts(handles, \.camera), .camera) }
    if fields.contains(.lens) { add(textCounts(handles, \.lens), .lens) }
    if fields.contains(.people) { add(textCounts(handles, \.people), .people) }
    if fields.contains(.keywords) { add(textCounts(handles, \.keywords), .keywords) }
    if fields.contains(.fileExtension) { add(extensionCounts(handles), .fileExtension) }
    return found
  }

  /// How many files that stand for assets have each extension, in small letters.
  private func extensionCounts(_ handles: [FetchHandle]) -> [String: Int] {
    // As one number each: few differ, and making texts of all of them takes long.
    var numbers: [UInt64: Int] = [:]
    for handle in handles {
      let segment = state.segment(of: handle)
      guard let bytes = segment.name(of: segment.assets[handle.row]).fileExtension, bytes.count <= 8 else {
        continue
      }
      numbers[bytes.reduce(0) { $0 << 8 | UInt64($1) }, default: 0] += 1
    }
    var counts: [String: Int] = [:]
    for (number, count) in numbers {
      let bytes = withUnsafeBytes(of: number.bigEndian) { $0.drop { $0 == 0 } }
      counts[String(decoding: bytes, as: UTF8.self).lowercased(), default: 0] += count
    }
    return counts
  }

  /// How many assets lie in the folders of each title, or below them.
  private func albumCounts(_ handles: [FetchHandle]) -> [String: Int] {
    var own: [Int: Int] = [:]
    for handle in handles { own[state.segment(of: handle).folder, default: 0] += 1 }
    let folders = albumFolders
    var counts: [String: Int] = [:]
    for (folder, count) in own {
      let titles = Set(folders.chain(from: folder).map { state.folders[$0].title })
      for title in titles { counts[title, default: 0] += count }
    }
    return counts
  }

  /// How many assets have each text of a field, which may hold a list of them.
  private func textCounts(_ handles: [FetchHandle], _ field: KeyPath<AssetRow, UInt32>) -> [String: Int] {
    var numbers: [UInt32: Int] = [:]
    for handle in handles { numbers[state.row(of: handle)[keyPath: field], default: 0] += 1 }
    numbers[0] = nil
    var counts: [String: Int] = [:]
    for (number, count) in numbers {
      for text in Set(texts[number].split(separator: StringPool.separator)) {
        counts[String(text), default: 0] += count
      }
    }
    return counts
  }
}
