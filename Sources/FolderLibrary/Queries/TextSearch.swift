import AssetLibrary

/// Looks for the words of a search in rows, and for what they say besides.
///
/// Shared texts (cameras, keywords, albums) and the paths of folders are compared once each; only file names are
/// compared one by one.
final class TextSearch {
  /// Words that are looked for, and what is known of them by now.
  ///
  /// A class, as the parts are: what is looked at for each asset costs one reference to count, not one for each array.
  private final class Term {
    let pattern: TextPattern
    let fields: SearchFields
    let isExcluded: Bool
    let condition: AssetPredicate?
    /// What each pooled text answered: nil = not asked yet.
    var pooled: [Bool?]
    /// Whether each folder, or one that it lies in, has the words.
    let albums: [Bool]
    let paths: PathSearch?

    init(_ term: TextTerm, textCount: Int, albums: [Bool], paths: PathSearch?) {
      pattern = term.pattern
      fields = term.fields
      isExcluded = term.isExcluded
      condition = term.condition
      pooled = [Bool?](repeating: nil, count: textCount)
      self.albums = albums
      self.paths = paths
    }
  }

  /// A search within a search, as the terms and groups that it is made of.
  private final class Part {
    /// What the attributes have to meet.
    let predicate: AssetPredicate?
    let terms: [Term]
    let groups: [Group]

    init(predicate: AssetPredicate?, terms: [Term], groups: [Group]) {
      self.predicate = predicate
      self.terms = terms
      self.groups = groups
    }
  }

  /// Searches of which one has to be met, or none.
  private final class Group {
    let alternatives: [Part]
    let isExcluded: Bool

    init(alternatives: [Part], isExcluded: Bool) {
      self.alternatives = alternatives
      self.isExcluded = isExcluded
    }
  }

  private let texts: StringPool.Texts
  private let whole: Part

  init(
    _ search: SearchQuery, texts: StringPool.Texts, folders: [LibraryFolder],
    albums: @autoclosure () -> AlbumFolders
  ) {
    self.texts = texts
    // What the attributes have to meet the fetch asks itself.
    var search = search
    search.predicate = nil
    var known: AlbumFolders?
    whole = Self.part(search, texts, folders) {
      let folders = known ?? albums()
      known = folders
      return folders
    }
  }

  private static func part(
    _ search: SearchQuery, _ texts: StringPool.Texts, _ folders: [LibraryFolder], _ albums: () -> AlbumFolders
  ) -> Part {
    let terms = search.texts.map { term in
      let fields = term.fields
      return Term(
        term, textCount: texts.count,
        albums: fields.contains(.album) ? Self.folders(folders, holding: term.pattern, albums()) : [],
        paths: fields.contains(.path) ? PathSearch(term.pattern, folders) : nil)
    }
    let groups = search.groups.map { group in
      Group(
        alternatives: group.alternatives.map { part($0, texts, folders, albums) },
        isExcluded: group.isExcluded)
    }
    return Part(predicate: search.predicate, terms: terms, groups: groups)
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
    for term in part.terms {
      let isFound = term.condition?.matches(view) ?? false || isFound(term, in: view, name: &name)
      if isFound == term.isExcluded { return false }
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

  private func isFound(_ term: Term, in view: AssetRowView, name: inout [UInt8]?) -> Bool {
    isFoundShared(term, in: view.row, of: view.segment.folder) || isFoundInPath(term, of: view, name: &name)
  }

  /// Whether the words are in what assets share, which is known of most after the first few: asked before the name.
  private func isFoundShared(_ term: Term, in row: AssetRow, of folder: Int) -> Bool {
    let fields = term.fields
    if fields.contains(.album), term.albums[folder] { return true }
    return (fields.contains(.camera) && isFound(term, inText: row.camera))
      || (fields.contains(.lens) && isFound(term, inText: row.lens))
      || (fields.contains(.keywords) && isFound(term, inText: row.keywords))
      || (fields.contains(.title) && isFound(term, inText: row.title))
      || (fields.contains(.people) && isFound(term, inText: row.people))
  }

  private func isFoundInPath(_ term: Term, of view: AssetRowView, name: inout [UInt8]?) -> Bool {
    let segment = view.segment
    let fields = term.fields
    guard fields.contains(.fileName) || fields.contains(.path) else { return false }
    if let paths = term.paths, paths.isInFolder(segment.folder) { return true }
    let folded = name ?? TextPattern.fold(utf8: segment.name(of: view.row))
    name = folded
    if fields.contains(.fileName), term.pattern.matches(folded: folded) { return true }
    return term.paths?.matches(name: folded, in: segment.folder) ?? false
  }

  private func isFound(_ term: Term, inText number: UInt32) -> Bool {
    if number == 0 { return false }
    if let known = term.pooled[Int(number)] { return known }
    let found = term.pattern.matches(folded: texts.folded[Int(number)])
    term.pooled[Int(number)] = found
    return found
  }
}
