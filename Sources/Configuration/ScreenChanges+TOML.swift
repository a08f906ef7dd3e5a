import AssetLibrary
package import PickerUI

extension ScreenChanges {
  /// Reads what an earlier run stored, in the format of the configuration; invalid values count as unchanged.
  package init(toml bytes: [UInt8]) {
    self.init()
    guard let document = try? TOMLNode.document(bytes) else { return }
    if case .table(let grid) = document["grid"] { gridSize = grid["size"].flatMap { GridSize($0) } }
    if case .table(let panes) = document["panes"] {
      if case .boolean(let isOn) = panes["preview"] { showsPreview = isOn }
      albumColumns = panes["albums-width"]?.integer(in: ScreenPreferences.albumColumnRange)
      neededAlbumColumns = panes["albums-names"]?.integer(in: ScreenPreferences.neededAlbumColumnRange)
      previewShare = panes["preview-width"]?.integer(in: ScreenPreferences.previewShareRange)
    }
    if case .string(let name) = document["sort"] { sort = AssetSort(rawValue: name) }
    // Other names are rejected, because `toml` writes the name without escapes.
    if case .string(let name) = document["told"],
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
    {
      reportedFallback = name
    }
    if case .list(let searches) = document["searches"] {
      recentSearches = searches.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
  }

  /// The maximum length of a stored search in bytes as it is written, so that the file stays short: one that is too
  /// long is not read.
  private static let longestSearch = 200

  /// The changes as a TOML document that `init(toml:)` reads; long searches are left out.
  package var toml: String {
    var lines: [String] = []
    if let sort { lines.append("sort = \"\(sort.rawValue)\"") }
    if let reportedFallback { lines.append("told = \"\(reportedFallback)\"") }
    if let recentSearches {
      let kept = recentSearches.map(TOMLText.quoted).filter { $0.utf8.count <= Self.longestSearch }
      lines.append("searches = [\(kept.joined(separator: ", "))]")
    }
    if let gridSize { lines.append("grid.size = \(gridSize.toml)") }
    if let showsPreview { lines.append("panes.preview = \(showsPreview)") }
    if let albumColumns { lines.append("panes.albums-width = \(albumColumns)") }
    if let neededAlbumColumns { lines.append("panes.albums-names = \(neededAlbumColumns)") }
    if let previewShare { lines.append("panes.preview-width = \(previewShare)") }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Applies the changes of a later run.
  package mutating func update(with later: ScreenChanges) {
    gridSize = later.gridSize ?? gridSize
    showsPreview = later.showsPreview ?? showsPreview
    albumColumns = later.albumColumns ?? albumColumns
    neededAlbumColumns = later.neededAlbumColumns ?? neededAlbumColumns
    previewShare = later.previewShare ?? previewShare
    sort = later.sort ?? sort
    reportedFallback = later.reportedFallback ?? reportedFallback
    if let searches = later.recentSearches {
      // Another run may have added some meanwhile.
      let others = (recentSearches ?? []).filter { !searches.contains($0) }
      recentSearches = Array((searches + others).prefix(ScreenPreferences.mostRecentSearches))
    }
  }
}

extension TOMLNode {
  /// An integer within a range; nil for anything else.
  func integer(in range: ClosedRange<Int>) -> Int? {
    if case .integer(let number) = self, range.contains(number) { number } else { nil }
  }
}

extension GridSize {
  /// A name or a number of columns; nil if it is neither.
  init?(_ node: TOMLNode) {
    switch node {
    case .string(let name): self.init(name: name.lowercased())
    case .integer(let number) where Self.columnRange.contains(number): self = .columns(number)
    default: return nil
    }
  }

  var toml: String {
    if case .columns(let count) = self { return "\(count)" }
    return "\"\(name ?? "")\""
  }
}
