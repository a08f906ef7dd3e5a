package import AssetLibrary
import Pixels

/// A change of the library that the user makes with a key, performed by the host.
package struct LibraryEdit: Hashable, Sendable {
  package enum Request: Hashable, Sendable {
    /// Marks all assets as favorites if one of them is none; otherwise removes the mark from all.
    case toggleFavorite([LocalIdentifier])
    /// Hides all assets if one of them is visible; otherwise shows all.
    case toggleHidden([LocalIdentifier])
    case changes([AssetChange])
    /// Moves an asset of an album to the position of another one.
    case move(LocalIdentifier, to: LocalIdentifier, in: LocalIdentifier)
  }

  enum Direction: Hashable, Sendable {
    case forward, undo, redo
  }

  package var request: Request
  /// The notice after the change; empty if it depends on the state before.
  var words: String
  var direction = Direction.forward

  /// The changes to perform.
  /// - Parameters:
  ///   - albums: the current albums of the user.
  ///   - assets: returns the current state of assets.
  package func changes(
    in albums: UserAlbums, _ assets: ([LocalIdentifier]) -> [Asset]
  ) -> [AssetChange] {
    switch request {
    case .changes(let changes): return changes
    case .move(let asset, let neighbor, let album):
      guard let index = albums[album]?.assets.firstIndex(of: neighbor) else { return [] }
      return [.moveAssets([asset], to: index, in: album)]
    case .toggleFavorite(let identifiers):
      let known = assets(identifiers)
      let isFavorite = known.contains { !$0.isFavorite }
      return known.filter { $0.isFavorite != isFavorite }.map { .setFavorite($0.id, isFavorite) }
    case .toggleHidden(let identifiers):
      let known = assets(identifiers)
      let isHidden = known.contains { !$0.isHidden }
      return known.filter { $0.isHidden != isHidden }.map { .setHidden($0.id, isHidden) }
    }
  }
}

/// The result of a change.
package struct LibraryEditAnswer: Sendable {
  var edit: LibraryEdit
  var changes: [AssetChange]
  /// The changes that undo it, or the reason why it failed.
  var result: Result<[AssetChange], AssetError>

  package init(_ edit: LibraryEdit, _ changes: [AssetChange], _ result: Result<[AssetChange], AssetError>) {
    (self.edit, self.changes, self.result) = (edit, changes, result)
  }
}

/// The pending changes of the library, and the history of undo and redo.
struct LibraryEdits: Sendable {
  /// One step of the history: a change of the selection, which is stored in `PickHistory`, or one of the library.
  private enum Step: Sendable {
    case picks
    case library(words: String, inverse: [AssetChange])
  }

  enum Undo: Sendable {
    case picks
    case library(LibraryEdit)
  }

  private var past: [Step] = []
  private var future: [Step] = []
  /// The number of changes without a result yet.
  private var underWay = 0
  /// Whether visible photos may disappear because of the user's own changes; no notice reports that then.
  private(set) var explainsRemovals = false
  /// Undo and redo keys that wait for pending changes.
  private var waiting: [LibraryEdit.Direction] = []

  static let mostSteps = 200

  mutating func begin() {
    underWay += 1
    explainsRemovals = true
  }

  /// Handles a fetch result that includes the changes.
  mutating func fetched() { if underWay == 0 { explainsRemovals = false } }

  /// Records a change of the selection; clears the steps to redo.
  mutating func notePicks() { note(.picks) }

  private mutating func note(_ step: Step) {
    past.append(step)
    future = []
    if past.count > Self.mostSteps { past.removeFirst() }
  }

  /// Handles the result of a change.
  /// - Returns: the undo and redo keys that waited for it.
  mutating func finishEdit(_ answer: LibraryEditAnswer) -> [LibraryEdit.Direction] {
    underWay -= 1
    let words = answer.edit.words
    if case .success = answer.result, let gone = answer.changes.first?.permanentlyDeletedAssets {
      forget(Set(gone))
    }
    switch (answer.result, answer.edit.direction, answer.edit.request) {
    case (.success(let inverse), let direction, _) where !inverse.isEmpty:
      let step = Step.library(words: words, inverse: inverse)
      switch direction {
      case .forward: note(step)
      case .undo: future.append(step)
      case .redo: past.append(step)
      }
    // A failed undo or redo can be tried again.
    case (.failure, .undo, .changes(let changes)): past.append(.library(words: words, inverse: changes))
    case (.failure, .redo, .changes(let changes)): future.append(.library(words: words, inverse: changes))
    default: break
    }
    guard underWay == 0 else { return [] }
    defer { waiting = [] }
    return waiting
  }

  /// Drops what can no longer be undone or redone because assets were deleted for good.
  private mutating func forget(_ gone: Set<LocalIdentifier>) {
    func rest(of step: Step) -> Step? {
      guard case .library(let words, let inverse) = step else { return step }
      let rest = inverse.compactMap { $0.without(gone) }
      return rest.isEmpty ? nil : .library(words: words, inverse: rest)
    }
    past = past.compactMap(rest)
    future = future.compactMap(rest)
  }

  /// The next step to undo or redo; nil if there is none, or if changes are pending.
  mutating func popStep(_ direction: LibraryEdit.Direction) -> Undo? {
    if underWay > 0 {
      waiting.append(direction)
      return nil
    }
    guard let step = direction == .undo ? past.popLast() : future.popLast() else { return nil }
    switch step {
    case .picks:
      if direction == .undo { future.append(step) } else { past.append(step) }
      return .picks
    case .library(let words, let inverse):
      return .library(LibraryEdit(request: .changes(inverse), words: words, direction: direction))
    }
  }

  var isUnderWay: Bool { underWay > 0 }
}

extension PickerState {
  /// The photos that a command changes: the picks, or the photo under the cursor if nothing is picked.
  private var editedPhotos: [Asset] {
    picks.selection.isEmpty || input.focus == .strip
      ? current.map { [$0] } ?? [] : Array(picks.selection.assets)
  }

  func words(for assets: [Asset]) -> String {
    assets.count == 1 ? assets[0].shortName : options.locale.count(assets.count, "photo", "photos")
  }

  mutating func edit(_ request: LibraryEdit.Request, _ words: String) -> [PickerEffect] {
    edits.begin()
    return [.edit(LibraryEdit(request: request, words: words))]
  }

  mutating func toggleFavorite() -> [PickerEffect] {
    let photos = editedPhotos
    return photos.isEmpty ? [] : edit(.toggleFavorite(photos.map(\.id)), "")
  }

  mutating func toggleHidden() -> [PickerEffect] {
    let photos = editedPhotos
    return photos.isEmpty ? [] : edit(.toggleHidden(photos.map(\.id)), "")
  }

  /// The open album, if it is one of the user's.
  private var shownUserAlbum: AssetCollection? {
    guard case .collection(let identifier) = library.album else { return nil }
    return UserAlbum.isIdentifier(identifier) ? sidebar.albums.collection(identifier) : nil
  }

  /// The user's albums.
  var userAlbums: [AssetCollection] { sidebar.albums.collections.filter(\.isUserAlbum) }

  /// Opens the menu of albums to add photos to.
  mutating func addToAlbum() -> [PickerEffect] {
    let photos = editedPhotos
    guard !photos.isEmpty else { return [] }
    if authorization.status == .limited {
      return status.showNotice("Limited access has no albums", .dim)
    }
    return open(AlbumMenu(adding: photos.map(\.id), words(for: photos)))
  }

  fileprivate mutating func add(
    _ photos: [LocalIdentifier], _ words: String, to album: AssetCollection
  ) -> [PickerEffect] {
    edit(.changes([.addAssets(photos, to: album.id)]), "\(words) added to \(album.title)")
  }

  fileprivate mutating func add(
    _ photos: [LocalIdentifier], _ words: String, toNew title: String
  ) -> [PickerEffect] {
    let album = UserAlbum.newIdentifier()
    return edit(
      .changes([.createAlbum(album, title: title), .addAssets(photos, to: album)]),
      "\(words) added to the new album \(title)")
  }

  /// Asks for a new name of the open album; restores photos of Recently Deleted.
  mutating func renameAlbum() -> [PickerEffect] {
    if handlesDeletedPhotos { return restoreDeletedPhotos() }
    guard let album = shownUserAlbum else {
      return status.showNotice("Only your own albums can be renamed", .dim)
    }
    return open(AlbumMenu(renaming: album))
  }

  fileprivate mutating func rename(_ album: LocalIdentifier, to title: String) -> [PickerEffect] {
    edit(.changes([.renameAlbum(album, title: title)]), "Album renamed to \(title)")
  }

  /// Removes photos from the open album, deletes the album under the sidebar's cursor, or asks whether to move photos to
  /// the trash or, in Recently Deleted, to delete them for good.
  mutating func remove() -> [PickerEffect] {
    if handlesDeletedPhotos { return askToDeletePermanently() }
    guard let album = shownUserAlbum else { return input.focus == .sidebar ? [] : askToDelete() }
    if input.focus == .sidebar {
      let words = "Album \(album.title) deleted; its photos stay"
      return enter(.recents) + edit(.changes([.deleteAlbum(album.id)]), words)
    }
    let photos = editedPhotos
    guard !photos.isEmpty else { return [] }
    return edit(
      .changes([.removeAssets(photos.map(\.id), from: album.id)]),
      "\(words(for: photos)) removed from \(album.title)")
  }

  private mutating func askToDelete() -> [PickerEffect] {
    let photos = editedPhotos
    if photos.isEmpty { return [] }
    if let photo = photos.first(where: { !$0.isLocallyAvailable }) {
      return status.showNotice("\(photo.shortName) is on a server and can't be deleted", .warning)
    }
    layers.open(DeleteQuestion(photos, isPermanent: false))
    return []
  }

  fileprivate mutating func delete(_ photos: [Asset]) -> [PickerEffect] {
    edit(.changes([.delete(photos.map(\.id))]), "\(words(for: photos)) moved to the trash")
  }

  /// Moves the photo under the cursor within the open album, or the album itself within the sidebar.
  mutating func moveInAlbum(by step: Int) -> [PickerEffect] {
    guard let album = shownUserAlbum else { return [] }
    if input.focus == .sidebar {
      guard let index = userAlbums.firstIndex(where: { $0.id == album.id }),
        userAlbums.indices.contains(index + step)
      else { return [] }
      return edit(.changes([.moveAlbum(album.id, to: index + step)]), "\(album.title) moved")
    }
    guard library.sort == .given, library.userFilter.isEmpty else {
      return status.showNotice("Photos can be moved only in album order and without filters", .dim)
    }
    guard let photo = current, let neighbor = neighbor(step) else { return [] }
    grid.anchor = photo.id
    return edit(
      .move(photo.id, to: neighbor.id, in: album.id),
      "\(photo.shortName) moved \(step < 0 ? "before" : "after") \(neighbor.shortName)")
  }

  /// Shows the result of a change, and records it for undo.
  mutating func finishEdit(_ answer: LibraryEditAnswer) -> [PickerEffect] {
    var answer = answer
    if answer.edit.words.isEmpty { answer.edit.words = describe(answer.changes) }
    let waiting = edits.finishEdit(answer)
    var effects: [PickerEffect]
    switch answer.result {
    case .failure(let error):
      let words = answer.changes.first?.permanentlyDeletedAssets == nil ? "Nothing changed" : "Not deleted"
      effects = status.showNotice("\(words): \(error)", .error)
    case .success(let inverse):
      let undo = options.keyLabel(.undo).map { " · Press \($0) to undo" } ?? ""
      switch answer.edit.direction {
      case .forward where answer.changes.first?.permanentlyDeletedAssets != nil:
        effects = status.showNotice(answer.edit.words, .dim)
      case .forward where inverse.isEmpty:
        effects = status.showNotice("Nothing to change", .dim)
      case .forward: effects = status.showNotice("\(answer.edit.words)\(undo)", .dim)
      case .undo: effects = status.showNotice("Undone: \(answer.edit.words)", .dim)
      case .redo: effects = status.showNotice("Redone: \(answer.edit.words)", .dim)
      }
    }
    for direction in waiting { effects += stepBack(direction) }
    return effects
  }

  private func describe(_ changes: [AssetChange]) -> String {
    let count = options.locale.count(changes.count, "photo", "photos")
    switch changes.first {
    case .setFavorite(_, true): return "\(count) added to Favorites"
    case .setFavorite(_, false): return "\(count) removed from Favorites"
    case .setHidden(_, true): return "\(count) hidden"
    case .setHidden(_, false): return "\(count) shown again"
    default: return count
    }
  }

  /// Undoes the user's last action, or redoes it.
  mutating func stepBack(_ direction: LibraryEdit.Direction) -> [PickerEffect] {
    let wasUnderWay = edits.isUnderWay
    switch edits.popStep(direction) {
    case .picks: return choose { direction == .undo ? $0.undo(on: $1) : $0.redo(on: $1) }
    case .library(let edit):
      edits.begin()
      return [.edit(edit)]
    case nil where wasUnderWay: return []
    // Changes of the selection that are older than the history.
    case nil: return choose { direction == .undo ? $0.undo(on: $1) : $0.redo(on: $1) }
    }
  }
}

/// The question whether to move photos to the trash, or to delete them for good; lists them.
struct DeleteQuestion: Layer {
  let kind = LayerKind.modal
  private let photos: [Asset]
  /// Whether the photos are deleted for good.
  ///
  /// Then Enter, which is easily pressed, does not confirm.
  private let isPermanent: Bool
  private let fileCount: Int
  private let byteCount: Int64

  init(_ photos: [Asset], isPermanent: Bool) {
    (self.photos, self.isPermanent) = (photos, isPermanent)
    // The clip of a Motion Photo is part of the photo's file.
    let files = photos.flatMap { $0.resources.filter { $0.byteRange == nil } }
    fileCount = files.count
    byteCount = files.reduce(0) { $0.addingSaturated($1.byteCount) }
  }

  private func box(in picker: PickerState) -> OverlayBox {
    let width = lines(in: picker).map { DisplayText($0.text).width }.max() ?? 0
    return OverlayBox(
      title: isPermanent ? "Delete for good?" : "Move to the trash?", footer: footer(picker.options.symbols),
      width: width,
      height: lines(in: picker).count, screen: picker.layout.metrics.size)
  }

  private func footer(_ symbols: Symbols) -> String {
    let keep = "    \(Key.escape.label(symbols)): keep"
    return isPermanent
      ? "y: delete for good" + keep : "\(Key.enter.label(symbols)) or y: move to the trash" + keep
  }

  private func lines(in picker: PickerState) -> [(text: String, style: TextStyle)] {
    let locale = picker.options.locale
    var lines: [(text: String, style: TextStyle)] = [
      (
        "\(locale.count(photos.count, "photo", "photos")), \(locale.count(fileCount, "file", "files")), "
          + locale.size(byteCount), .title
      )
    ]
    if isPermanent { lines.append(("This can't be undone.", TextStyle(.warning))) }
    // With the border and the footer.
    let room = max(0, min(8, picker.layout.metrics.size.rows - 5 - lines.count))
    let shown = photos.count > room ? max(0, room - 1) : photos.count
    for photo in photos.prefix(shown) {
      let files = photo.resources.count { $0.byteRange == nil }
      lines.append((photo.shortName + (files > 1 ? " · \(locale.number(files)) files" : ""), .plain))
    }
    if photos.count > shown, shown > 0 {
      lines.append(("and \(locale.number(photos.count - shown)) more", .dim))
    }
    return lines
  }

  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    switch input {
    case .key(.character("y"), _):
      return .closed(isPermanent ? picker.deletePermanently(photos) : picker.delete(photos))
    case .key(.enter, _) where !isPermanent: return .closed(picker.delete(photos))
    case .key:
      let words = isPermanent ? "Nothing deleted for good" : "Nothing moved to the trash"
      return .closed(picker.status.showNotice(words, .dim))
    case .mouse(let event):
      guard event.action == .press else { return .handled([]) }
      let isOutside = !box(in: picker).outer.contains(row: event.row, column: event.column)
      return isOutside ? .closed([]) : .handled([])
    case .paste: return .handled([])
    }
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    let box = box(in: picker)
    frame.draw(box)
    for (row, line) in lines(in: picker).enumerated() where row < box.inner.rows {
      frame.put(
        DisplayText(line.text).middleTruncated(to: box.inner.columns), row: box.inner.row + row,
        column: box.inner.column, style: line.style)
    }
  }

  func hints(in picker: PickerState) -> [StatusLine.Hint]? {
    let confirming: (Key, String) =
      isPermanent ? ("y", "delete for good") : (Key.enter, "move to the trash")
    return [confirming, (.escape, "keep")].map { StatusLine.Hint($0, $1, picker.options.symbols) }
  }

  func cover(in picker: PickerState) -> CellRect? { box(in: picker).cover }
}

/// The menu of the user's albums, to add photos to one, or the line for a new name of one.
struct AlbumMenu: Menu {
  private enum Purpose: Hashable {
    case add([LocalIdentifier], words: String)
    case rename(LocalIdentifier)
  }

  private let purpose: Purpose
  let title: String
  var list = MenuState()
  let invitation = "Type a name"
  var emptyWords: String {
    if case .rename = purpose { invitation } else { "Type a name for a new one" }
  }

  init(adding photos: [LocalIdentifier], _ words: String) {
    purpose = .add(photos, words: words)
    title = photos.count == 1 ? "Add to album" : "Add \(photos.count) to album"
  }

  init(renaming album: AssetCollection) {
    purpose = .rename(album.id)
    title = "Rename"
    list.text = album.title
  }

  /// An album, or the name for a new or renamed album.
  private enum Entry {
    case album(AssetCollection)
    case new(String)
  }

  private func entries(in picker: PickerState) -> [Entry] {
    let name = list.text.split(separator: " ").joined(separator: " ")
    if case .rename = purpose { return name.isEmpty ? [] : [.new(name)] }
    let albums = picker.userAlbums
    let found = list.matching(albums, \.title).map(Entry.album)
    let isTaken = albums.contains { $0.title.lowercased() == name.lowercased() }
    return found + (name.isEmpty || isTaken ? [] : [.new(name)])
  }

  func rows(in picker: PickerState) -> Int? {
    if case .rename = purpose { return 2 }
    return max(3, picker.userAlbums.count + 2)
  }

  mutating func press(_ key: Key, _ command: Command?, in picker: inout PickerState) -> Handled {
    let entries = entries(in: picker)
    switch key {
    case .space:
      list.text.append(" ")
      list.cursor = 0
    case .enter:
      guard entries.indices.contains(list.cursor) else {
        return .handled(picker.status.showNotice("Type a name", .dim))
      }
      return .closed(use(entries[list.cursor], in: &picker))
    default: list.move(command, count: entries.count)
    }
    return .handled([])
  }

  mutating func click(row: Int, in picker: inout PickerState) -> Handled {
    let entries = entries(in: picker)
    guard let area = picker.layout.menu?.menuList else { return .handled([]) }
    let line = area.firstEntry(showing: list.cursor, of: entries.count) + row
    return entries.indices.contains(line) ? .closed(use(entries[line], in: &picker)) : .handled([])
  }

  private func use(_ entry: Entry, in picker: inout PickerState) -> [PickerEffect] {
    switch (purpose, entry) {
    case (.add(let photos, let words), .album(let album)): picker.add(photos, words, to: album)
    case (.add(let photos, let words), .new(let name)): picker.add(photos, words, toNew: name)
    case (.rename(let album), .new(let name)): picker.rename(album, to: name)
    case (.rename, .album): []
    }
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    let entries = entries(in: picker)
    drawList(count: entries.count, on: &frame, in: picker) { index, frame, row, area in
      switch entries[index] {
      case .album(let album):
        frame.drawLine(
          mark: " ", album.title, detail: album.estimatedAssetCount.map(picker.options.locale.number) ?? "",
          row: row, in: area, isCurrent: index == list.cursor, isChosen: false)
      case .new(let name):
        let text = if case .rename = purpose { "rename to “\(name)”" } else { "new album “\(name)”" }
        frame.drawLine(
          mark: "+", text, row: row, in: area, isCurrent: index == list.cursor,
          isChosen: false)
      }
    }
  }

  func hints(in picker: PickerState) -> [StatusLine.Hint]? {
    if case .rename = purpose { return fixedHints([.enter: "rename", .escape: "cancel"], in: picker) }
    return fixedHints([.enter: "add", .escape: "cancel"], in: picker)
  }
}
