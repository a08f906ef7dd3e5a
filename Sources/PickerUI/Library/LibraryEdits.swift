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
    /// Saves a frame of a clip as a new photo.
    case saveFrame(FrameCapture)
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
    // The photo does not exist yet.
    case .saveFrame: return []
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

/// The changes of the library that the user makes with keys: which are pending, and the history of undo and redo.
///
/// Independent of other parts of the picker: what the changes apply to is passed in (`EditingGround`), and
/// further actions are returned (`EditConsequence`).
struct LibraryEdits: Sendable {
  /// One step of the history: a change of the selection, which is stored in `PickHistory`, or one of the library.
  private enum Step: Sendable {
    case picks
    case library(words: String, inverse: [AssetChange])
  }

  private var past: [Step] = []
  private var future: [Step] = []
  /// The number of changes without a result yet.
  private var underWay = 0
  /// Whether visible photos may disappear because of the user's own changes; no notice reports that then.
  private(set) var explainsRemovals = false
  /// Undo and redo keys that wait for pending changes.
  private var waiting: [LibraryEdit.Direction] = []

  private static let mostSteps = 200

  /// Handles a fetch result that includes the changes.
  mutating func fetched() { if underWay == 0 { explainsRemovals = false } }

  // MARK: Photos

  mutating func toggleFavorite(on ground: EditingGround) -> [EditConsequence] {
    let photos = ground.photos
    return photos.isEmpty ? [] : [begin(.toggleFavorite(photos.map(\.id)), "")]
  }

  mutating func toggleHidden(on ground: EditingGround) -> [EditConsequence] {
    let photos = ground.photos
    return photos.isEmpty ? [] : [begin(.toggleHidden(photos.map(\.id)), "")]
  }

  /// Removes photos from the open album, deletes the album under the sidebar's cursor, or asks whether to move photos to
  /// the trash or, in Recently Deleted, to delete them for good.
  mutating func remove(on ground: EditingGround) -> [EditConsequence] {
    if let deleted = ground.deletedPhotos {
      return deleted.isEmpty ? [] : [.askToDelete(deleted, isPermanent: true)]
    }
    let photos = ground.photos
    guard let album = ground.album else {
      return ground.focusesSidebar || photos.isEmpty ? [] : askToDelete(photos)
    }
    if ground.focusesSidebar {
      let words = "Album \(album.title) deleted; its photos stay"
      return [.show(.recents), begin(.changes([.deleteAlbum(album.id)]), words)]
    }
    guard !photos.isEmpty else { return [] }
    return [
      begin(
        .changes([.removeAssets(photos.map(\.id), from: album.id)]),
        "\(ground.words(for: photos)) removed from \(album.title)")
    ]
  }

  private func askToDelete(_ photos: [Asset]) -> [EditConsequence] {
    // Its original may be here: deleting that would delete nothing.
    let isOnServer = { (photo: Asset) in
      !photo.isLocallyAvailable || photo.resources.contains { $0.remoteAddress != nil }
    }
    if let photo = photos.first(where: isOnServer) {
      return [.notice("\(photo.shortName) is on a server and can't be deleted", .warning)]
    }
    return [.askToDelete(photos, isPermanent: false)]
  }

  fileprivate mutating func delete(_ photos: [Asset], on ground: EditingGround) -> [EditConsequence] {
    [begin(.changes([.delete(photos.map(\.id))]), "\(ground.words(for: photos)) moved to the trash")]
  }

  fileprivate mutating func deletePermanently(
    _ photos: [Asset], on ground: EditingGround
  ) -> [EditConsequence] {
    [begin(.changes([.deletePermanently(photos.map(\.id))]), "\(ground.words(for: photos)) deleted for good")]
  }

  /// Saves the frame that is seen as a new photo; the cursor stays.
  mutating func saveFrame(on ground: EditingGround) -> [EditConsequence] {
    guard let played = ground.played else { return [] }
    let capture = FrameCapture(of: played.asset, played.version, at: played.playback.time)
    if capture.frames.resource?.remoteAddress != nil {
      return [.notice("\(played.asset.shortName) is on a server, where no frame can be saved", .warning)]
    }
    return [begin(.saveFrame(capture), "\(capture.name).jpg saved")]
  }

  // MARK: Albums

  /// Opens the menu of albums to add photos to.
  func chooseAlbum(on ground: EditingGround) -> [EditConsequence] {
    let photos = ground.photos
    guard !photos.isEmpty else { return [] }
    if ground.isLimited { return [.notice("Limited access has no albums")] }
    return [.chooseAlbum(for: photos.map(\.id), words: ground.words(for: photos))]
  }

  fileprivate mutating func add(
    _ photos: [LocalIdentifier], _ words: String, to album: AssetCollection
  ) -> [EditConsequence] {
    [begin(.changes([.addAssets(photos, to: album.id)]), "\(words) added to \(album.title)")]
  }

  fileprivate mutating func add(
    _ photos: [LocalIdentifier], _ words: String, toNew title: String
  ) -> [EditConsequence] {
    let album = UserAlbum.newIdentifier()
    return [
      begin(
        .changes([.createAlbum(album, title: title), .addAssets(photos, to: album)]),
        "\(words) added to the new album \(title)")
    ]
  }

  /// Asks for a new name of the open album; restores photos of Recently Deleted.
  mutating func renameOrRestore(on ground: EditingGround) -> [EditConsequence] {
    if let deleted = ground.deletedPhotos {
      if deleted.isEmpty { return [] }
      return [begin(.changes([.restore(deleted.map(\.id))]), "\(ground.words(for: deleted)) restored")]
    }
    guard let album = ground.album else { return [.notice("Only your own albums can be renamed")] }
    return [.askForName(of: album)]
  }

  fileprivate mutating func rename(_ album: LocalIdentifier, to title: String) -> [EditConsequence] {
    [begin(.changes([.renameAlbum(album, title: title)]), "Album renamed to \(title)")]
  }

  /// Moves the photo under the cursor within the open album, or the album itself within the sidebar.
  mutating func move(by step: Int, on ground: EditingGround) -> [EditConsequence] {
    guard let album = ground.album else { return [] }
    if ground.focusesSidebar {
      guard let index = ground.userAlbums.firstIndex(where: { $0.id == album.id }),
        ground.userAlbums.indices.contains(index + step)
      else { return [] }
      return [begin(.changes([.moveAlbum(album.id, to: index + step)]), "\(album.title) moved")]
    }
    guard ground.showsAlbumOrder else {
      return [.notice("Photos can be moved only in album order and without filters")]
    }
    guard let photo = ground.cursor[0], let neighbor = ground.cursor[step] else { return [] }
    return [
      .follow(photo.id),
      begin(
        .move(photo.id, to: neighbor.id, in: album.id),
        "\(photo.shortName) moved \(step < 0 ? "before" : "after") \(neighbor.shortName)"),
    ]
  }

  // MARK: Results, undo and redo

  private mutating func begin(_ request: LibraryEdit.Request, _ words: String) -> EditConsequence {
    begin(LibraryEdit(request: request, words: words))
  }

  private mutating func begin(_ edit: LibraryEdit) -> EditConsequence {
    underWay += 1
    explainsRemovals = true
    return .effect(.edit(edit))
  }

  /// Shows the result of a change, and records it for undo.
  mutating func finish(_ answer: LibraryEditAnswer, on ground: EditingGround) -> [EditConsequence] {
    let words = answer.edit.words.isEmpty ? ground.describe(answer.changes) : answer.edit.words
    underWay -= 1
    // Also after a failure: some may be gone, and undo of a step that names one of them would fail for ever.
    if let gone = answer.changes.first?.permanentlyDeletedAssets { forget(Set(gone)) }
    record(answer, words)
    let notice: EditConsequence
    switch answer.result {
    case .failure(let error):
      let isForGood = answer.changes.first?.permanentlyDeletedAssets != nil
      notice = .notice("\(isForGood ? "Not deleted" : "Nothing changed"): \(error)", .error)
    case .success(let inverse):
      let undo = ground.options.keyLabel(.undo).map { " · Press \($0) to undo" } ?? ""
      switch answer.edit.direction {
      case .forward where answer.changes.first?.permanentlyDeletedAssets != nil: notice = .notice(words)
      case .forward where inverse.isEmpty: notice = .notice("Nothing to change")
      case .forward: notice = .notice("\(words)\(undo)")
      case .undo: notice = .notice("Undone: \(words)")
      case .redo: notice = .notice("Redone: \(words)")
      }
    }
    guard underWay == 0 else { return [notice] }
    defer { waiting = [] }
    return [notice] + waiting.map { .step($0) }
  }

  private mutating func record(_ answer: LibraryEditAnswer, _ words: String) {
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
  }

  /// Records a change of the selection; clears the steps to redo.
  mutating func notePicks() { note(.picks) }

  private mutating func note(_ step: Step) {
    past.append(step)
    future = []
    if past.count > Self.mostSteps { past.removeFirst() }
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

  /// Undoes the user's last action, or redoes it; waits for pending changes.
  mutating func stepBack(_ direction: LibraryEdit.Direction) -> [EditConsequence] {
    if underWay > 0 {
      waiting.append(direction)
      return []
    }
    switch direction == .undo ? past.popLast() : future.popLast() {
    case .picks:
      if direction == .undo { future.append(.picks) } else { past.append(.picks) }
      return [.restorePicks(direction)]
    case .library(let words, let inverse):
      return [begin(LibraryEdit(request: .changes(inverse), words: words, direction: direction))]
    // Changes of the selection that are older than the history.
    case nil: return [.restorePicks(direction)]
    }
  }
}

/// What the user's changes of the library apply to, and what they need to know of the other parts.
struct EditingGround {
  let options: PickerOptions
  /// The picks, if a command changes them rather than the photo under the cursor.
  private let picks: Selection?
  /// The photo under the cursor, and those beside it.
  let cursor: CursorPhotos
  /// What plays; nil = nothing.
  fileprivate let played: PlayedClip?
  let focusesSidebar: Bool
  /// The open album, if it is one of the user's.
  let album: AssetCollection?
  let userAlbums: [AssetCollection]
  /// Whether all photos of the open album are shown, in the order that the user gave them.
  let showsAlbumOrder: Bool
  /// Whether the client's access is limited.
  let isLimited: Bool
  /// The photos on the screen, if keys apply to photos of Recently Deleted; empty until that album is fetched.
  private let deleted: FetchResult<Asset>?

  /// The photos that a command changes.
  fileprivate var photos: [Asset] { picks.map { Array($0.assets) } ?? cursor[0].map { [$0] } ?? [] }

  /// The photos that are restored or deleted for good: all shown ones if the sidebar has the focus, otherwise the
  /// one under the cursor; nil if keys apply to photos of the library.
  fileprivate var deletedPhotos: [Asset]? {
    guard let deleted else { return nil }
    if deleted.isEmpty { return [] }
    let photos = focusesSidebar ? Array(deleted) : cursor[0].map { [$0] } ?? []
    return photos.filter { $0.deletion != nil }
  }

  fileprivate func words(for assets: [Asset]) -> String {
    assets.count == 1 ? assets[0].shortName : options.locale.count(assets.count, "photo", "photos")
  }

  fileprivate func describe(_ changes: [AssetChange]) -> String {
    let count = options.locale.count(changes.count, "photo", "photos")
    switch changes.first {
    case .setFavorite(_, true): return "\(count) added to Favorites"
    case .setFavorite(_, false): return "\(count) removed from Favorites"
    case .setHidden(_, true): return "\(count) hidden"
    case .setHidden(_, false): return "\(count) shown again"
    default: return count
    }
  }
}

extension EditingGround {
  fileprivate init(of picker: PickerState) {
    options = picker.options
    cursor = CursorPhotos(of: picker)
    played = PlayedClip(of: picker)
    picks = picker.picks.selection.isEmpty || picker.input.focus == .strip ? nil : picker.picks.selection
    focusesSidebar = picker.input.focus == .sidebar
    userAlbums = picker.sidebar.albums.userAlbums
    if case .collection(let identifier) = picker.library.album, UserAlbum.isIdentifier(identifier) {
      album = picker.sidebar.albums.collection(identifier)
    } else {
      album = nil
    }
    showsAlbumOrder = picker.library.sort == .given && picker.library.userFilter.isEmpty
    isLimited = picker.authorization.status == .limited
    let library = picker.library
    // Until the album is fetched, the photos on the screen may be those of another one.
    deleted =
      library.handlesDeletedPhotos(in: picker.input.focus)
      ? library.isFetchingNewQuery ? FetchResult() : library.assets : nil
  }
}

/// An action elsewhere that follows from a change of the library.
enum EditConsequence {
  case effect(PickerEffect)
  case notice(String, TextStyle.Tone = .dim)
  /// The user chooses an album to add photos to.
  case chooseAlbum(for: [LocalIdentifier], words: String)
  /// The user types a new name of an album.
  case askForName(of: AssetCollection)
  case askToDelete([Asset], isPermanent: Bool)
  /// Another album is shown.
  case show(AlbumTarget)
  /// The cursor stays on a photo that moves.
  case follow(LocalIdentifier)
  /// The next step of undo or redo is due.
  case step(LibraryEdit.Direction)
  /// The selection returns to its previous or next state.
  case restorePicks(LibraryEdit.Direction)
}

extension PickerState {
  /// Changes the library, and performs the consequences.
  mutating func edit(
    _ change: (inout LibraryEdits, EditingGround) -> [EditConsequence]
  ) -> [PickerEffect] {
    var effects: [PickerEffect] = []
    for consequence in change(&edits, EditingGround(of: self)) {
      switch consequence {
      case .effect(let effect): effects.append(effect)
      case .notice(let text, let tone): effects += status.showNotice(text, tone)
      case .chooseAlbum(let photos, let words): effects += open(AlbumMenu(adding: photos, words))
      case .askForName(let album): effects += open(AlbumMenu(renaming: album))
      case .askToDelete(let photos, let isPermanent):
        layers.open(DeleteQuestion(photos, isPermanent: isPermanent))
      case .show(let album): effects += enter(album)
      case .follow(let photo): grid.keepCursor(on: photo)
      case .step(let direction): effects += edit { edits, _ in edits.stepBack(direction) }
      case .restorePicks(let direction):
        effects += choose { direction == .undo ? $0.undo(on: $1) : $0.redo(on: $1) }
      }
    }
    return effects
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
    let keep = "   \(Key.escape.label(symbols)) keep"
    return isPermanent
      ? "y delete for good" + keep : "\(Key.enter.label(symbols)) or y move to the trash" + keep
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
    case .key(.character("y"), _): return .closed(delete(in: &picker))
    case .key(.enter, _) where !isPermanent: return .closed(delete(in: &picker))
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

  private func delete(in picker: inout PickerState) -> [PickerEffect] {
    picker.edit { isPermanent ? $0.deletePermanently(photos, on: $1) : $0.delete(photos, on: $1) }
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
    let albums = picker.sidebar.albums.userAlbums
    let found = list.matching(albums, \.title).map(Entry.album)
    let isTaken = albums.contains { $0.title.lowercased() == name.lowercased() }
    return found + (name.isEmpty || isTaken ? [] : [.new(name)])
  }

  func rows(in picker: PickerState) -> Int? {
    if case .rename = purpose { return 2 }
    return max(3, picker.sidebar.albums.userAlbums.count + 2)
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
    picker.edit { edits, _ in
      switch (purpose, entry) {
      case (.add(let photos, let words), .album(let album)): edits.add(photos, words, to: album)
      case (.add(let photos, let words), .new(let name)): edits.add(photos, words, toNew: name)
      case (.rename(let album), .new(let name)): edits.rename(album, to: name)
      case (.rename, .album): []
      }
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

extension AssetChange {
  /// The change without assets that were deleted for good; nil if nothing of it remains.
  fileprivate func without(_ gone: Set<LocalIdentifier>) -> AssetChange? {
    let rest = { (assets: [LocalIdentifier]) in assets.filter { !gone.contains($0) } }
    switch self {
    case .delete(let assets): return Self.some(rest(assets)) { .delete($0) }
    case .restore(let assets): return Self.some(rest(assets)) { .restore($0) }
    case .addAssets(let assets, let album): return Self.some(rest(assets)) { .addAssets($0, to: album) }
    default: return requiredAssets.contains(where: gone.contains) ? nil : self
    }
  }

  private static func some(
    _ assets: [LocalIdentifier], _ change: ([LocalIdentifier]) -> AssetChange
  ) -> AssetChange? {
    assets.isEmpty ? nil : change(assets)
  }
}
