import AssetLibrary

/// Matches assets against the terms and conditions of a search.
///
/// Compares shared texts (cameras, keywords, albums) and folder paths once each; only file names are compared
/// per asset.
final class TextSearch {
  /// A term of the search with cached results.
  ///
  /// A class, like the other parts: accessing it for each asset costs one reference count, not one for each
  /// array.
  private final class Term {
    let pattern: TextPattern
    let fields: SearchFields
    let isExcluded: Bool
    let condition: AssetPredicate?
    /// The cached result for each pooled text: nil = not compared yet.
    var pooled: [Bool?]
    /// For each folder, whether its title or that of an ancestor matches.
    let albums: [Bool]
    /// The assets of user albums whose titles match.
    let albumMembers: Set<UInt64>
    let paths: PathSearch?

    init(
      _ term: TextTerm, textCount: Int, albums: [Bool], albumMembers: Set<UInt64>, paths: PathSearch?
    ) {
      self.albumMembers = albumMembers
      pattern = term.pattern
      fields = term.fields
      isExcluded = term.isExcluded
      condition = term.condition
      pooled = [Bool?](repeating: nil, count: textCount)
      self.albums = albums
      self.paths = paths
    }
  }

  /// A search, or a search nested in another, with its terms and groups.
  private final class Part {
    /// The condition on attributes.
    let predicate: AssetPredicate?
    let terms: [Term]
    let groups: [Group]

    init(predicate: AssetPredicate?, terms: [Term], groups: [Group]) {
      self.predicate = predicate
      self.terms = terms
      self.groups = groups
    }
  }

  /// Alternative searches, of which at least one must match; none if `isExcluded`.
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

  init(_ search: SearchQuery, in table: LibraryTable) {
    texts = table.texts
    // The fetch itself checks the top-level condition on attributes.
    var search = search
    search.predicate = nil
    whole = Self.part(search, table)
  }

  private static func part(_ search: SearchQuery, _ table: LibraryTable) -> Part {
    let folders = table.state.folders.all
    let terms = search.texts.map { term in
      let fields = term.fields
      return Term(
        term, textCount: table.texts.count,
        albums: fields.contains(.album)
          ? Self.folders(folders, holding: term.pattern, table.albumFolders) : [],
        albumMembers: fields.contains(.album) ? Self.members(of: table.marks.albums, term.pattern) : [],
        paths: fields.contains(.path) ? PathSearch(term.pattern, folders) : nil)
    }
    let groups = search.groups.map { group in
      Group(
        alternatives: group.alternatives.map { part($0, table) },
        isExcluded: group.isExcluded)
    }
    return Part(predicate: search.predicate, terms: terms, groups: groups)
  }

  /// For each folder, whether its title or that of an ancestor matches.
  private static func folders(
    _ folders: [LibraryFolder], holding pattern: TextPattern, _ albums: AlbumFolders
  ) -> [Bool] {
    let own = folders.map { pattern.matches(folded: TextPattern.fold($0.title)) }
    return albums.withDescendants { own[$0] }
  }

  /// The assets of user albums whose titles match.
  private static func members(of albums: UserAlbums, _ pattern: TextPattern) -> Set<UInt64> {
    let found = albums.all.filter { pattern.matches(folded: TextPattern.fold($0.title)) }
    return Set(found.flatMap(\.assets).compactMap(\.number))
  }

  func matches(_ view: AssetRowView) -> Bool {
    var name: [UInt8]?
    return matches(view, whole, &name)
  }

  /// - Parameter name: the folded file name, set when a term first needs it.
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

  /// Whether a shared text matches.
  ///
  /// Checked before the name, since most results are cached after the first assets.
  private func isFoundShared(_ term: Term, in row: AssetRow, of folder: Int) -> Bool {
    let fields = term.fields
    if fields.contains(.album), term.albums[folder] || term.albumMembers.contains(row.identifier) {
      return true
    }
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

/// Matches paths of files; compares the paths of folders once each.
private struct PathSearch {
  private let pattern: TextPattern
  /// For each folder, whether its path matches.
  private let holds: [Bool]
  /// The last bytes of each folder's path: a match may begin there and continue in the file's name.
  ///
  /// Empty if the pattern has no slash: such a match would contain the slash at the end of the folder's path.
  private let ends: [[UInt8]]

  init(_ pattern: TextPattern, _ folders: [LibraryFolder]) {
    self.pattern = pattern
    let paths = folders.map { TextPattern.fold(String(decoding: $0.pathPrefix, as: UTF8.self)) }
    holds = paths.map { pattern.matches(folded: $0) }
    let length = pattern.folded.contains(UInt8(ascii: "/")) ? pattern.folded.count - 1 : 0
    ends = paths.map { Array($0.suffix(length)) }
  }

  /// Whether a folder's path matches, and so all its files do.
  func isInFolder(_ folder: Int) -> Bool { holds[folder] }

  /// Whether a file's path matches.
  /// - Parameter name: the folded file name.
  func matches(name: [UInt8], in folder: Int) -> Bool {
    if isInFolder(folder) { return true }
    let end = ends[folder]
    return pattern.matches(folded: end.isEmpty ? name : end + name)
  }
}

extension LibraryTable {
  /// Returns texts with which a search in some fields can be completed, among the assets of a collection.
  ///
  /// Counts the text numbers in one pass over the assets, and compares each text once.
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

  /// Counts the file extensions of primary files, in lower case.
  private func extensionCounts(_ handles: [FetchHandle]) -> [String: Int] {
    // Count extensions as integers: few are distinct, and creating strings for all assets is slow.
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
      let bytes = withUnsafeBytes(of: number.bigEndian) { Array($0.drop { $0 == 0 }) }
      counts[String(decoding: bytes, as: UTF8.self).lowercased(), default: 0] += count
    }
    return counts
  }

  /// Counts the assets per album title: in folders with that title or below them, or in user albums with it.
  ///
  /// Each asset counts once per title.
  private func albumCounts(_ handles: [FetchHandle]) -> [String: Int] {
    var own: [Int: Int] = [:]
    for handle in handles { own[state.segment(of: handle).folder, default: 0] += 1 }
    let folders = albumFolders
    var counts: [String: Int] = [:]
    var titles: [Int: Set<String>] = [:]
    for (folder, count) in own {
      let all = Set(folders.chain(from: folder).map { state.folders[$0].title })
      titles[folder] = all
      for title in all { counts[title, default: 0] += count }
    }
    if marks.albums.all.isEmpty { return counts }
    let isAsked = Set(handles)
    for album in marks.albums.all {
      let members = album.assets.compactMap(handle(of:)).filter(isAsked.contains)
      let new = members.count { titles[state.segment(of: $0).folder]?.contains(album.title) != true }
      if new > 0 { counts[album.title, default: 0] += new }
    }
    return counts
  }

  /// Counts the assets per text of a field, which may hold a list of texts.
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
