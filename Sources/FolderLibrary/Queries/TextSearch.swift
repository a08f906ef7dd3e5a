import AssetLibrary

/// Looks for the words of a search in rows, and for what they say besides.
///
/// Shared texts (cameras, keywords, albums) are compared once each; only file names are compared one by one.
final class TextSearch {
  private struct Term {
    var pattern: TextPattern
    var fields: SearchFields
    var isExcluded: Bool
    var condition: AssetPredicate?
    /// What each pooled text answered: nil = not asked yet.
    var pooled: [Bool?]
    /// Whether each folder, or one that it lies in, has the words.
    var albums: [Bool]
  }

  private let texts: StringPool.Texts
  private var terms: [Term]
  private let needsNames: Bool

  init(
    _ search: SearchQuery, texts: StringPool.Texts, folders: [LibraryFolder],
    albums: @autoclosure () -> AlbumFolders
  ) {
    self.texts = texts
    let albums = search.texts.contains { $0.fields.contains(.album) } ? albums() : nil
    terms = search.texts.map { term in
      Term(
        pattern: term.pattern, fields: term.fields, isExcluded: term.isExcluded, condition: term.condition,
        pooled: [Bool?](repeating: nil, count: texts.count),
        albums: term.fields.contains(.album) ? Self.folders(folders, holding: term.pattern, albums) : [])
    }
    needsNames = search.texts.contains { $0.fields.contains(.fileName) }
  }

  /// Which folders have the words in their titles, or lie in one that has.
  private static func folders(
    _ folders: [LibraryFolder], holding pattern: TextPattern, _ albums: AlbumFolders?
  ) -> [Bool] {
    let own = folders.map { pattern.matches(folded: TextPattern.fold($0.title)) }
    return albums?.withDescendants { own[$0] } ?? own
  }

  func matches(_ view: AssetRowView) -> Bool {
    let (row, segment) = (view.row, view.segment)
    let name = needsNames ? folded(segment.name(of: row)) : []
    return terms.indices.allSatisfy { index in
      let isFound =
        terms[index].condition?.matches(view) ?? false
        || isFound(index, in: row, name: name, folder: segment.folder)
      return isFound != terms[index].isExcluded
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
