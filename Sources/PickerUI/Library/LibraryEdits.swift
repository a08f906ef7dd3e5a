package import AssetLibrary
import Pixels

/// A change of the library that the user makes with a key, performed by the host.
package struct LibraryEdit: Hashable, Sendable {
  package enum Request: Hashable, Sendable {
    /// Favorites if one of them is none, else none of them.
    case toggleFavorite([LocalIdentifier])
    /// The same for hidden ones.
    case toggleHidden([LocalIdentifier])
    case changes([AssetChange])
    /// Puts an asset of an album into the place of another one, which makes room.
    case move(LocalIdentifier, to: LocalIdentifier, in: LocalIdentifier)
  }

  enum Direction: Hashable, Sendable {
    case forward, undo, redo
  }

  package var request: Request
  /// What is said once it is done; empty where that depends on what was there.
  var words: String
  var direction = Direction.forward

  /// The changes that are to be made.
  /// - Parameters:
  ///   - albums: the user's albums as they are now.
  ///   - assets: gives the assets as they are now.
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

/// What became of a change.
package struct LibraryEditAnswer: Sendable {
  var edit: LibraryEdit
  var changes: [AssetChange]
  /// The changes that take it back, or why it was not made.
  var result: Result<[AssetChange], AssetError>

  package init(_ edit: LibraryEdit, _ changes: [AssetChange], _ result: Result<[AssetChange], AssetError>) {
    (self.edit, self.changes, self.result) = (edit, changes, result)
  }
}

/// The changes of the library that are under way, and what the user did that can be taken back, in its order.
struct LibraryEdits: Sendable {
  /// What was done last: a change of the selection, which `PickHistory` knows, or one of the library.
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
  /// Changes that the host has not answered yet.
  private var underWay = 0
  /// Whether something in sight may go because of the user's own changes: nobody is told of that.
  private(set) var explainsRemovals = false
  /// The undo and redo keys that wait for an answer.
  private var waiting: [LibraryEdit.Direction] = []

  static let mostSteps = 200

  mutating func begin() {
    underWay += 1
    explainsRemovals = true
  }

  /// A fetch has shown what is left.
  mutating func fetched() { if underWay == 0 { explainsRemovals = false } }

  /// Notes a change of the selection; what was taken back is forgotten.
  mutating func notePicks() { note(.picks) }

  private mutating func note(_ step: Step) {
    past.append(step)
    future = []
    if past.count > Self.mostSteps { past.removeFirst() }
  }

  /// Takes what became of a change.
  /// - Returns: the undo and redo keys that waited for it.
  mutating func take(_ answer: LibraryEditAnswer) -> [LibraryEdit.Direction] {
    underWay -= 1
    let words = answer.edit.words
    switch (answer.result, answer.edit.direction, answer.edit.request) {
    case (.success(let inverse), let direction, _) where !inverse.isEmpty:
      let step = Step.library(words: words, inverse: inverse)
      switch direction {
      case .forward: note(step)
      case .undo: future.append(step)
      case .redo: past.append(step)
      }
    // What could not be taken back can be tried again.
    case (.failure, .undo, .changes(let changes)): past.append(.library(words: words, inverse: changes))
    case (.failure, .redo, .changes(let changes)): future.append(.library(words: words, inverse: changes))
    default: break
    }
    guard underWay == 0 else { return [] }
    defer { waiting = [] }
    return waiting
  }

  /// What is to be taken back, or made again; nil where there is nothing, or where it has to wait.
  mutating func step(_ direction: LibraryEdit.Direction) -> Undo? {
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
  /// What a command that changes the library is about: the picks, or with nothing picked the photo under the cursor.
  private var editedPhotos: [Asset] {
    picks.selection.isEmpty || input.focus == .strip
      ? current.map { [$0] } ?? [] : Array(picks.selection.assets)
  }

  private func words(for assets: [Asset]) -> String {
    assets.count == 1 ? assets[0].shortName : options.locale.count(assets.count, "photo", "photos")
  }

  private mutating func edit(_ request: LibraryEdit.Request, _ words: String) -> [PickerEffect] {
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

  /// The album of the user's that is shown.
  private var shownUserAlbum: AssetCollection? {
    guard case .collection(let identifier) = library.album else { return nil }
    return UserAlbum.isIdentifier(identifier) ? sidebar.albums.collection(identifier) : nil
  }

  /// The albums of the user's.
  var userAlbums: [AssetCollection] { sidebar.albums.collections.filter(\.isUserAlbum) }

  /// Opens the list of albums that photos can be added to.
  mutating func addToAlbum() -> [PickerEffect] {
    let photos = editedPhotos
    guard !photos.isEmpty else { return [] }
    if authorization.status == .limited {
      return status.showNotice("under limited access there are no albums", .dim)
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

  /// Asks for another name of the user's album that is shown.
  mutating func renameAlbum() -> [PickerEffect] {
    guard let album = shownUserAlbum else {
      return status.showNotice("only albums of your own can be renamed here", .dim)
    }
    return open(AlbumMenu(renaming: album))
  }

  fileprivate mutating func rename(_ album: LocalIdentifier, to title: String) -> [PickerEffect] {
    edit(.changes([.renameAlbum(album, title: title)]), "the album is called \(title)")
  }

  /// Takes photos out of the album that is shown, deletes the album under the sidebar's cursor, or asks whether photos are to
  /// go to the trash.
  mutating func remove() -> [PickerEffect] {
    guard let album = shownUserAlbum else { return input.focus == .sidebar ? [] : askToDelete() }
    if input.focus == .sidebar {
      let words = "album \(album.title) deleted; its photos stay"
      return enter(.recents) + edit(.changes([.deleteAlbum(album.id)]), words)
    }
    let photos = editedPhotos
    guard !photos.isEmpty else { return [] }
    return edit(
      .changes([.removeAssets(photos.map(\.id), from: album.id)]),
      "\(words(for: photos)) taken out of \(album.title)")
  }

  private mutating func askToDelete() -> [PickerEffect] {
    let photos = editedPhotos
    if photos.isEmpty { return [] }
    if let photo = photos.first(where: { !$0.isLocallyAvailable }) {
      return status.showNotice("\(photo.shortName) is on a server, where nothing is changed", .warning)
    }
    layers.open(DeleteQuestion(photos))
    return []
  }

  fileprivate mutating func delete(_ photos: [Asset]) -> [PickerEffect] {
    edit(.changes([.delete(photos.map(\.id))]), "\(words(for: photos)) moved to the trash")
  }

  /// Moves the photo under the cursor in the user's album that is shown, or the album itself in the sidebar.
  mutating func moveInAlbum(by step: Int) -> [PickerEffect] {
    guard let album = shownUserAlbum else { return [] }
    if input.focus == .sidebar {
      guard let index = userAlbums.firstIndex(where: { $0.id == album.id }),
        userAlbums.indices.contains(index + step)
      else { return [] }
      return edit(.changes([.moveAlbum(album.id, to: index + step)]), "\(album.title) moved")
    }
    guard library.sort == .given, library.userFilter.isEmpty else {
      return status.showNotice("photos can be moved in the album's own order, with nothing left out", .dim)
    }
    guard let photo = current, let neighbor = neighbor(step) else { return [] }
    grid.anchor = photo.id
    return edit(
      .move(photo.id, to: neighbor.id, in: album.id),
      "\(photo.shortName) moved \(step < 0 ? "before" : "behind") \(neighbor.shortName)")
  }

  /// Tells what became of a change, and notes it for undo.
  mutating func take(_ answer: LibraryEditAnswer) -> [PickerEffect] {
    var answer = answer
    if answer.edit.words.isEmpty { answer.edit.words = describe(answer.changes) }
    let waiting = edits.take(answer)
    var effects: [PickerEffect]
    switch answer.result {
    case .failure(let error): effects = status.showNotice("nothing was changed: \(error)", .error)
    case .success(let inverse):
      let undo = options.keyLabel(.undo).map { " · \($0) undoes it" } ?? ""
      switch answer.edit.direction {
      case .forward where inverse.isEmpty:
        effects = status.showNotice("nothing to change: it is so already", .dim)
      case .forward: effects = status.showNotice("\(answer.edit.words)\(undo)", .dim)
      case .undo: effects = status.showNotice("undone: \(answer.edit.words)", .dim)
      case .redo: effects = status.showNotice("done again: \(answer.edit.words)", .dim)
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

  /// Takes back what the user did last, or makes it again.
  mutating func stepBack(_ direction: LibraryEdit.Direction) -> [PickerEffect] {
    let wasUnderWay = edits.isUnderWay
    switch edits.step(direction) {
    case .picks: return choose { direction == .undo ? $0.undo(on: $1) : $0.redo(on: $1) }
    case .library(let edit):
      edits.begin()
      return [.edit(edit)]
    case nil where wasUnderWay: return []
    // Changes of the selection that were made before the log began, or are older than it.
    case nil: return choose { direction == .undo ? $0.undo(on: $1) : $0.redo(on: $1) }
    }
  }
}

/// The question whether photos are to go to the trash, with what goes.
struct DeleteQuestion: Layer {
  let kind = LayerKind.modal
  private let photos: [Asset]
  private let fileCount: Int
  private let byteCount: Int64

  init(_ photos: [Asset]) {
    self.photos = photos
    // The clip of a Motion Photo lies in the photo's own file.
    let files = photos.flatMap { $0.resources.filter { $0.byteRange == nil } }
    fileCount = files.count
    byteCount = files.reduce(0) { $0.addingSaturated($1.byteCount) }
  }

  private func box(in picker: PickerState) -> OverlayBox {
    let width = lines(in: picker).map { DisplayText($0.text).width }.max() ?? 0
    return OverlayBox(
      title: "Move to the trash?", footer: footer(picker.options.symbols), width: width,
      height: lines(in: picker).count, screen: picker.layout.metrics.size)
  }

  private func footer(_ symbols: Symbols) -> String {
    "\(Key.enter.label(symbols)) or y: move to the trash    \(Key.escape.label(symbols)): keep"
  }

  private func lines(in picker: PickerState) -> [(text: String, style: TextStyle)] {
    let locale = picker.options.locale
    var lines: [(text: String, style: TextStyle)] = [
      (
        "\(locale.count(photos.count, "photo", "photos")), \(locale.count(fileCount, "file", "files")), "
          + locale.size(byteCount), .title
      )
    ]
    // With the border and the footer.
    let room = max(0, min(8, picker.layout.metrics.size.rows - 6))
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
    case .key(.enter, _), .key(.character("y"), _): return .closed(picker.delete(photos))
    case .key: return .closed(picker.status.showNotice("nothing was moved to the trash", .dim))
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
    [(Key.enter, "move to the trash"), (.escape, "keep")].map {
      StatusLine.Hint($0, $1, picker.options.symbols)
    }
  }

  func cover(in picker: PickerState) -> CellRect? { box(in: picker).cover }
}

/// The albums of the user's, to choose one that photos are added to, or the line in which one gets another name.
struct AlbumMenu: Menu {
  private enum Purpose: Hashable {
    case add([LocalIdentifier], words: String)
    case rename(LocalIdentifier)
  }

  private let purpose: Purpose
  let title: String
  var list = MenuState()

  init(adding photos: [LocalIdentifier], _ words: String) {
    purpose = .add(photos, words: words)
    title = photos.count == 1 ? "Add to album" : "Add \(photos.count) to album"
  }

  init(renaming album: AssetCollection) {
    purpose = .rename(album.id)
    title = "Rename"
    list.text = album.title
  }

  /// An album, or the name of one that is to be made or of the one that is renamed.
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
        return .handled(picker.status.showNotice("type a name", .dim))
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
