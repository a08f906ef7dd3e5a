import AssetLibrary

/// Looks for the words of a search in rows.
///
/// Shared texts (cameras, keywords, albums) are compared once each; only file names are compared one by one.
final class TextSearch {
  private struct Term {
    var pattern: TextPattern
    var fields: SearchFields
    var isExcluded: Bool
    /// What each pooled text answered: nil = not asked yet.
    var pooled: [Bool?]
    var albums: [Bool]
  }

  private let texts: StringPool.Texts
  private var terms: [Term]
  private let needsNames: Bool

  init(_ search: SearchQuery, texts: StringPool.Texts, folders: [LibraryFolder]) {
    self.texts = texts
    terms = search.texts.map { term in
      Term(
        pattern: term.pattern, fields: term.fields, isExcluded: term.isExcluded,
        pooled: [Bool?](repeating: nil, count: texts.count),
        albums: term.fields.contains(.album)
          ? folders.map { term.pattern.matches(folded: TextPattern.fold($0.title)) } : [])
    }
    needsNames = search.texts.contains { $0.fields.contains(.fileName) }
  }

  func matches(_ row: AssetRow, of segment: Segment) -> Bool {
    let name = needsNames ? folded(segment.name(of: row)) : []
    return terms.indices.allSatisfy {
      isFound($0, in: row, name: name, folder: segment.folder) != terms[$0].isExcluded
    }
  }

  private func isFound(_ index: Int, in row: AssetRow, name: [UInt8], folder: Int) -> Bool {
    let fields = terms[index].fields
    if fields.contains(.fileName), terms[index].pattern.matches(folded: name) { return true }
    if fields.contains(.album), terms[index].albums[folder] { return true }
    return (fields.contains(.camera) && isFound(index, inText: row.camera))
      || (fields.contains(.lens) && isFound(index, inText: row.lens))
      || (fields.contains(.keywords) && isFound(index, inText: row.keywords))
      || (fields.contains(.title) && isFound(index, inText: row.title))
      || (fields.contains(.people) && isFound(index, inText: row.people))
  }

  private func isFound(_ index: Int, inText number: UInt32) -> Bool {
    if number == 0 { return false }
    if let known = terms[index].pooled[Int(number)] { return known }
    let found = terms[index].pattern.matches(folded: texts.folded[Int(number)])
    terms[index].pooled[Int(number)] = found
    return found
  }

  /// Most names are ASCII: folding them is a matter of bits.
  private func folded(_ name: ArraySlice<UInt8>) -> [UInt8] {
    if name.allSatisfy({ $0 < 0x80 }) {
      return name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
    return TextPattern.fold(String(decoding: name, as: UTF8.self))
  }
}
