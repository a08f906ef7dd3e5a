import AssetLibrary

/// Looks for the words of a search in rows, and for what they say besides.
///
/// Shared texts (cameras, keywords, albums) and the paths of folders are compared once each; only file names are
/// compared one by one.
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
    var paths: PathSearch?
  }

  /// A search within a search, as the terms and groups that it is made of.
  private struct Part {
    /// What the attributes have to meet.
    var predicate: AssetPredicate?
    var terms: Range<Int>
    var groups: [(alternatives: [Part], isExcluded: Bool)]
  }

  private let texts: StringPool.Texts
  private var terms: [Term] = []
  private var whole = Part(terms: 0..<0, groups: [])

  init(
    _ search: SearchQuery, texts: StringPool.Texts, folders: [LibraryFolder],
    albums: @autoclosure () -> AlbumFolders
  ) {
    self.texts = texts
    // What the attributes have to meet the fetch asks itself.
    var search = search
    search.predicate = nil
    var known: AlbumFolders?
    whole = part(search, folders) {
      let folders = known ?? albums()
      known = folders
      return folders
    }
  }

  private func part(
    _ search: SearchQuery, _ folders: [LibraryFolder], _ albums: () -> AlbumFolders
  ) -> Part {
    let first = terms.count
    for term in search.texts {
      let fields = term.fields
      terms.append(
        Term(
          pattern: term.pattern, fields: fields, isExcluded: term.isExcluded, condition: term.condition,
          pooled: [Bool?](repeating: nil, count: texts.count),
          albums: fields.contains(.album) ? Self.folders(folders, holding: term.pattern, albums()) : [],
          paths: fields.contains(.path) ? PathSearch(term.pattern, folders) : nil))
    }
    let range = first..<terms.count
    let groups = search.groups.map { group in
      (group.alternatives.map { part($0, folders, albums) }, group.isExcluded)
    }
    return Part(predicate: search.predicate, terms: range, groups: groups)
  }

  /// Which folders have the words in their titles, or lie in one that has.
  private static func folders(
    _ folders: [LibraryFolder], holding pattern: TextPattern, _ albums: AlbumFolders
  ) -> [Bool] {
    let own = folders.map { pattern.matches(folded: TextPattern.fold($0.title)) }
    return albums.withDescendants { own[$0] }
  }

  func matches(_ view: AssetRowView) -> Bool {
    var name: [UInt8]?
    return matches(view, whole, &name)
  }

  /// - Parameter name: the folded file name, once a term has asked for it.
  private func matches(_ view: AssetRowView, _ part: Part, _ name: inout [UInt8]?) -> Bool {
    if let predicate = part.predicate, !predicate.matches(view) { return false }
    for index in part.terms {
      let isFound =
        terms[index].condition?.matches(view) ?? false || isFound(index, in: view, name: &name)
      if isFound == terms[index].isExcluded { return false }
    }
    for group in part.groups {
      var isFound = false
      for alternative in group.alternatives where matches(view, alternative, &name) {
        isFound = true
        break
      }
      if isFound == group.isExcluded { return false }
    }
    return true
  }

  private func isFound(_ index: Int, in view: AssetRowView, name: inout [UInt8]?) -> Bool {
    let (row, segment) = (view.row, view.segment)
    let fields = terms[index].fields
    if fields.contains(.fileName) || fields.contains(.path) {
      let folded = name ?? Self.folded(segment.name(of: row))
      name = folded
      if fields.contains(.fileName), terms[index].pattern.matches(folded: folded) { return true }
      if let paths = terms[index].paths, paths.matches(name: folded, in: segment.folder) { return true }
    }
    if fields.contains(.album), terms[index].albums[segment.folder] { return true }
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
  private static func folded(_ name: ArraySlice<UInt8>) -> [UInt8] {
    if name.allSatisfy({ $0 < 0x80 }) {
      return name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
    return TextPattern.fold(String(decoding: name, as: UTF8.self))
  }
}
