import AssetLibrary
import Pixels

@testable import PickerUI

/// A picker and its library, driven like the host drives it, without a screen and without time.
///
/// Tests query what a user sees (frames, the window's title) and what the host is asked to do (effects), never the
/// picker's stored state.
struct TestPicker {
  private var state: PickerState
  /// The options with which the picker was opened.
  let options: PickerState.Options
  /// The screen of the last message.
  private(set) var metrics: ScreenMetrics
  /// The authorization of the last message.
  private var authorization = AuthorizationStatus.notDetermined
  /// Cached results for `drawn` since the last message.
  private var drawing = Drawing()
  /// The picker's queries that were answered.
  private var answered = AnsweredQuestions()
  /// The contents of the library, in fetch order.
  var library: [Asset]
  var allowed: Set<LocalIdentifier> = []
  var isComplete = true
  /// The number of photos in the user's grid under limited access; nil = the number of assets in the library.
  var libraryCount: Int?
  /// All effects so far, in order.
  private(set) var effects: [PickerEffect] = []

  init(
    _ library: [Asset] = .numbered(30), limit: Int = 0, size: CellSize = CellSize(columns: 120, rows: 40),
    configure: (inout PickerState.Options) -> Void = { _ in }
  ) {
    self.library = library
    var options = PickerState.Options()
    options.configuration.selectionLimit = limit
    configure(&options)
    self.options = options
    metrics = .size(size)
    state = PickerState(options: options, metrics: metrics)
  }

  /// A picker with its library loaded.
  static func open(
    _ library: [Asset] = .numbered(30), limit: Int = 0, size: CellSize = CellSize(columns: 120, rows: 40),
    status: AuthorizationStatus = .authorized, allowed: Set<LocalIdentifier> = [],
    configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    var picker = TestPicker(library, limit: limit, size: size, configure: configure)
    picker.allowed = allowed
    picker.send(.authorization(status))
    picker.answerFetch()
    return picker
  }

  @discardableResult
  mutating func send(_ message: PickerMessage) -> [PickerEffect] {
    drawing = Drawing()
    switch message {
    case .resized(let metrics): self.metrics = metrics
    case .authorization(let status): authorization = status
    case .fetched(let answer): answered.fetches.insert(answer.query.generation)
    case .posters(let answer): answered.posters.append(answer.query)
    case .bulkSelected(let result): answered.bulks.insert(result.generation)
    default: break
    }
    let new = Picker.update(&state, message)
    effects += new
    return new
  }

  @discardableResult
  mutating func press(_ keys: Key...) -> [PickerEffect] {
    keys.flatMap { send(.key($0)) }
  }

  /// Makes every requested picture.
  mutating func makeDemanded() {
    let statuses = demand.map { ($0.key, PictureStatus.ready(note: nil)) }
    send(.pictures(Dictionary(uniqueKeysWithValues: statuses)))
  }

  /// The last fetch from the library.
  var query: FetchQuery? { effects.compactMap(\.fetchQuery).last }

  /// Answers the last fetch as a library would.
  @discardableResult
  mutating func answerFetch() -> [PickerEffect] {
    guard let query else { return [] }
    let new = send(.fetched(answer(to: query)))
    let albums = query.albums.map { send(.albums(self.albums(under: $0))) } ?? []
    guard let options = query.everywhere else { return new + albums }
    let count = library.count { options.admits($0) && isFound($0, options) }
    return new + albums + send(.foundEverywhere(count, generation: query.generation))
  }

  /// Whether the last fetch is still unanswered.
  var isFetching: Bool { query.map { !answered.fetches.contains($0.generation) } ?? false }

  /// Answers fetches until none is left.
  mutating func answerFetches() {
    for _ in 0..<10 where isFetching { answerFetch() }
  }

  /// The unanswered poster query.
  var posterQuery: PosterQuery? {
    let queries = effects.compactMap(\.posterQuery)
    return queries.count > answered.posters.count ? queries.last : nil
  }

  /// Answers poster queries until none is left: each album has its own.
  mutating func answerPosters() {
    while let query = posterQuery {
      let pairs = zip(query.collections, library).map { ($0, $1) }
      send(.posters(PosterAnswer(query: query, posters: Dictionary(pairs) { $1 })))
    }
  }

  /// The unanswered bulk selection.
  var bulkSelection: BulkSelection? {
    effects.compactMap(\.bulkSelection).last.flatMap { answered.bulks.contains($0.generation) ? nil : $0 }
  }

  /// Performs the pending bulk selection.
  mutating func selectInBulk() {
    while let bulkSelection { send(.bulkSelected(bulkSelection.perform())) }
  }

  /// The albums of the library.
  var moments: [AssetCollection] = []
  var lists: [CollectionList] = []
  var folders: [AssetCollection]?

  func albums(under options: FetchOptions) -> AlbumsAnswer {
    let count = library.count { asset in options.filter.map { $0.matches(asset) } ?? true }
    let recents = AssetCollection(.recents, estimatedAssetCount: count)
    let album = AssetCollection(
      localIdentifier: .init("album"), title: "Lisbon", estimatedAssetCount: count / 2)
    return AlbumsAnswer(
      collections: FetchResult([recents] + (folders ?? [album])), lists: FetchResult(lists),
      moments: FetchResult(moments))
  }

  func answer(to query: FetchQuery) -> FetchAnswer {
    let isLimited = authorization == .limited && query.mode == .picking
    let visible = library.filter { asset in
      (!isLimited || allowed.contains(asset.id)) && query.options.admits(asset)
        && isFound(asset, query.options)
    }
    // Without a search or a sort order of the user's, the library keeps its order.
    let isSorted = query.options.sortDescriptors != options.configuration.sort.descriptors
    let assets = isSorted ? visible.sorted(by: query.options.areInIncreasingOrder) : visible
    let shown = query.collection == nil ? assets : Array(assets.prefix(assets.count / 2))
    var answer = FetchAnswer(
      query: query, assets: FetchResult(shown),
      status: LibraryStatus(isComplete: isComplete, assetCount: library.count), libraryCount: libraryCount,
      allowed: allowed,
      vanished: Set(query.selected).subtracting(library.map(\.id)),
      preselected: library.filter { query.preselected.contains($0.id) })
    if !isOrderedByDate { answer.days = nil }
    return answer
  }

  /// Whether the library is sorted by date.
  var isOrderedByDate = true

  private func isFound(_ asset: Asset, _ options: FetchOptions) -> Bool {
    options.search?.matches(asset) { fields in
      fields.contains(.fileName) ? [String(decoding: asset.nameBytes, as: UTF8.self)] : []
    } ?? true
  }

  /// Keeps only the effects that the next answers need, for runs of thousands of events.
  mutating func forgetOldEffects() {
    guard effects.count > 100 else { return }
    let needed: [PickerEffect] = [
      effects.last { $0.fetchQuery != nil }, effects.last { $0.wants != nil },
      effects.last { $0.bulkSelection != nil },
    ].compactMap { $0 }
    let open = posterQuery.map { [PickerEffect.fetchPosters($0)] } ?? []
    answered.posters = []
    effects = needed + open + effects.suffix(20).filter { $0.posterQuery == nil }
  }

  /// The pictures that the host was last asked to provide.
  var demand: [PictureRequest] { effects.compactMap(\.wants).last ?? [] }
  /// The picker's outcome; nil while it runs.
  var outcome: PickerOutcome? { effects.compactMap(\.outcome).last }
  /// The content of the screen.
  var frame: ScreenFrame { drawing.get(\.frame) { Picker.view(state) } }
  /// The text of the screen, by row.
  var lines: [String] {
    drawing.get(\.lines) {
      let frame = frame
      return (0..<frame.size.rows).map { frame.text(row: $0) }
    }
  }
  /// The first line.
  var title: String { lines.first ?? "" }
  var lastLine: String { lines.last ?? "" }
  /// The title of the terminal's window.
  var windowTitle: String { Picker.windowTitle(state) }
  /// Whether the terminal is asked for movements of the mouse.
  var wantsMotion: Bool { Picker.wantsMotion(state) }
  /// What the host stores for the next run.
  var screenChanges: ScreenChanges { state.screenChanges }
  /// The effects before the first message.
  var start: [PickerEffect] { Picker.start(state) }

  /// The names of the picks in order, from a query to the library.
  var selected: [String] {
    var probe = self
    if probe.isFetching, let query = probe.query {
      var answer = answer(to: query)
      (answer.vanished, answer.preselected) = ([], [])
      let next = probe.send(.libraryChanged) + probe.send(.fetched(answer))
      return next.compactMap(\.fetchQuery).last?.selected.map(\.rawValue) ?? []
    }
    return probe.send(.libraryChanged).compactMap(\.fetchQuery).last?.selected.map(\.rawValue) ?? []
  }

  /// The cell where some text begins.
  func place(of words: String) -> (row: Int, column: Int)? {
    for (row, line) in lines.enumerated() {
      for (column, start) in line.indices.enumerated() where line[start...].hasPrefix(words) {
        return (row, column)
      }
    }
    return nil
  }

  func shows(_ text: String) -> Bool { lines.contains { $0.contains(text) } }
}

/// What a user sees in the panes, derived from the frame once all pictures have arrived.
extension TestPicker {
  /// A tile of the grid or of the strip.
  struct Tile: Hashable {
    var name: String
    var rectangle: CellRect
    /// Whether the cursor's frame is drawn around it, bright if its pane has the focus.
    var isCursor: Bool
    /// The pick mark in its corner: the number, how many of a burst are picked, or a check mark; nil = not picked.
    var pick: String?
    /// Whether it is dimmed because it can't be picked.
    var isDimmed: Bool

    /// The cell in its middle.
    var middle: (row: Int, column: Int) {
      (rectangle.row + rectangle.rows / 2, rectangle.column + rectangle.columns / 2)
    }
  }

  /// A line of a list: of the albums, a menu, or the suggestions.
  struct Line: Hashable {
    var text: String
    var row: Int
    /// Whether the cursor of the list is on it.
    var isCurrent: Bool
    /// Whether it is drawn as the active choice.
    var isChosen: Bool
  }

  /// A box over the screen.
  struct Box: Hashable {
    var title: String
    var lines: [String]
    var rectangle: CellRect
  }

  /// The screen once all pictures have arrived, without a box over it.
  var drawn: ScreenFrame {
    drawing.get(\.complete) {
      var probe = self
      if probe.box != nil { probe.press(.escape) }
      var demand: [PictureRequest] = []
      for _ in 0..<4 where demand != probe.demand {
        demand = probe.demand
        probe.makeDemanded()
      }
      return probe.frame
    }
  }

  /// The visible tiles of the grid, in reading order.
  var tiles: [Tile] { drawing.get(\.tiles) { tiles(of: drawn, inStrip: false) } }

  /// The visible tiles of the strip, in reading order; nil without a strip.
  var strip: [Tile]? {
    let frame = drawn
    return stripHeading(of: frame) == nil ? nil : tiles(of: frame, inStrip: true)
  }

  /// The tile of a photo in the grid; nil if it is not visible.
  func tile(_ name: String) -> Tile? { tiles.first { $0.name == name } }

  /// The number of tiles in the first row of the grid.
  var columns: Int {
    let tiles = tiles; return tiles.count { $0.rectangle.row == tiles.first?.rectangle.row }
  }

  /// The number of grid rows that are not cut off.
  var wholeRows: Int {
    let tiles = tiles.map(\.rectangle)
    return Set(tiles.filter { $0.rows == tiles.first?.rows }.map(\.row)).count
  }

  /// The photo of the first visible tile, which shows how far the grid is scrolled.
  var firstVisible: String? { tiles.first?.name }

  /// The photo that keys apply to: the one in full screen or in the preview, else the one in the cursor's frame.
  var cursor: String? {
    let frame = drawn
    if let shown = previewSlot(of: frame) { return shown.key.asset.rawValue }
    return (tiles + (strip ?? [])).first(where: \.isCursor)?.name
  }

  /// The index of that photo in `library`.
  var cursorIndex: Int? { cursor.flatMap { name in library.firstIndex { $0.id.rawValue == name } } }

  /// The photo in the preview or in full screen.
  var shownPhoto: String? { previewSlot(of: drawn)?.key.asset.rawValue }

  /// The cells of the picture in the preview or in full screen; nil without one.
  var previewRectangle: CellRect? { previewSlot(of: drawn)?.rect }

  /// Whether a photo is shown beside, below or in place of the tiles.
  var hasPreview: Bool { !isFullScreen && shownPhoto != nil }

  /// Whether a photo fills the screen except for its last two lines and the metadata beside it.
  var isFullScreen: Bool {
    let frame = drawn
    guard let rect = previewSlot(of: frame)?.rect else { return false }
    return rect.column == 0 && rect.row == 0 && rect.rows == frame.size.rows - 2
  }

  /// The visible part of the photo in full screen; nil = all of it.
  var zoomedPart: PicturePart? { previewSlot(of: drawn)?.key.part }

  /// Whether the grid has the focus: its cursor is drawn brightly.
  var gridHasFocus: Bool {
    let frame = drawn
    return tiles.contains { $0.isCursor && isFramed($0.rectangle, .cursor, in: frame) }
  }

  /// Whether the strip has the focus: the cursor is in it.
  var stripHasFocus: Bool { strip?.contains(where: \.isCursor) ?? false }

  /// Whether moving the cursor selects, as the status line says when it shows no notice.
  var isSelectingRange: Bool {
    var probe = self
    let says = { (line: String) in line.contains("picking a range") || line.contains("unpicking") }
    if says(lastLine) { return true }
    probe.press(.left)
    return says(probe.lastLine)
  }

  /// Whether the sidebar has the focus: its cursor is drawn.
  var sidebarHasFocus: Bool { sidebar?.contains(where: \.isCurrent) ?? false }

  private func tiles(of frame: ScreenFrame, inStrip: Bool) -> [Tile] {
    let heading = stripHeading(of: frame)
    return frame.slots.filter { slot in
      let isInStrip = heading.map { slot.rect.row > $0.row && slot.rect.column >= $0.column - 1 } ?? false
      // Posters of albums are two cells wide.
      return slot.key.mode == .aspectFill && slot.rect.columns > 2 && isInStrip == inStrip
    }
    .sorted { ($0.rect.row, $0.rect.column) < ($1.rect.row, $1.rect.column) }
    .map { slot in
      let mark = frame.marks.first { $0.style == .pickNumber && $0.rect.intersects(slot.rect) }
      return Tile(
        name: slot.key.asset.rawValue, rectangle: slot.rect,
        isCursor: isFramed(slot.rect, .cursor, in: frame) || isFramed(slot.rect, .rule, in: frame),
        pick: mark.map { String($0.text.trimmed) }, isDimmed: slot.key.isDimmed)
    }
  }

  /// Whether lines of a style are on both sides of a tile, and a corner above it.
  func isFramed(_ rect: CellRect, _ style: TextStyle, in frame: ScreenFrame) -> Bool {
    let row = frame.row(rect.row)
    if rect.row > 0 {
      // Beside a box a tile may have its edge on one side and the frame of the next one on the other. A heading may
      // cover the first corner.
      let above = frame.row(rect.row - 1)
      let lines = options.symbols.lines
      let corners = [(rect.column - 1, lines.topLeft), (rect.endColumn, lines.topRight)]
      let hasCorner = corners.contains { column, corner in
        !(0..<frame.size.columns).contains(column)
          || above[above.startIndex + column] == FrameCell(content: .text(corner), style: style)
      }
      guard hasCorner else { return false }
    }
    let line = FrameCell(content: .text(options.symbols.lines.vertical), style: style)
    return [rect.column - 1, rect.endColumn].allSatisfy { column in
      !(0..<frame.size.columns).contains(column) || row[row.startIndex + column] == line
    }
  }

  private func previewSlot(of frame: ScreenFrame) -> PictureSlot? {
    frame.slots.first { $0.key.mode == .aspectFit }
  }

  private func stripHeading(of frame: ScreenFrame) -> (row: Int, column: Int)? {
    for row in 0..<frame.size.rows where frame.row(row).contains(where: { $0.style.part == .heading }) {
      for run in frame.runs(row: row) where run.style == .heading {
        guard run.text.hasPrefix("Picks, ") || run.text.hasPrefix("Photos that ") else { continue }
        // Beside the cursor's frame in its row, it is not at the left edge of the strip.
        let cells = Array(frame.row(row))
        let corner = FrameCell(content: .text(options.symbols.lines.topRight), style: .cursor)
        return (row, run.column >= 2 && cells[run.column - 2] == corner ? 0 : run.column)
      }
    }
    return nil
  }
}

/// What a user sees of lists, boxes and prompts.
extension TestPicker {
  /// The sidebar lines; nil without a sidebar.
  var sidebar: [Line]? {
    guard let width = sidebarWidth else { return nil }
    let frame = frame
    return (1..<frame.size.rows - 1).compactMap { row in
      let cells = frame.row(row).prefix(width)
      return Line(in: cells.dropFirst(), row: row)
    }
  }

  /// The width of the sidebar, measured by the end of the line of the displayed album or at the cursor; nil without a
  /// sidebar.
  var sidebarWidth: Int? {
    let frame = frame
    guard frame.size.rows > 2 else { return nil }
    for row in 1..<frame.size.rows - 1 {
      let cells = Array(frame.row(row))
      guard cells.count > 8, cells[0].style == .plain,
        let start = (1...6).first(where: {
          cells[$0].style.part == .chosenLine || cells[$0].style.part == .currentLine
        })
      else { continue }
      let part = cells[start].style.part
      let isEnd: (TextStyle) -> Bool = part == .currentLine ? { $0.part == part } : { $0 == .accent }
      guard let first = cells[start...].firstIndex(where: { isEnd($0.style) }) else { continue }
      // Matches in a name have a style of their own.
      let end =
        part == .currentLine
        ? (cells.lastIndex { isEnd($0.style) } ?? first) + 1
        : cells[first...].firstIndex { !isEnd($0.style) } ?? cells.count
      let edge = FrameCell(content: .text(options.symbols.lines.vertical), style: .rule)
      return end + 1 < cells.count && cells[end + 1] == edge ? end + 2 : end + 1
    }
    return nil
  }

  /// The first line of an open menu: its title and the typed text; nil without a menu.
  var menu: String? {
    let frame = frame
    for row in 1..<max(1, frame.size.rows - 1) {
      let runs = frame.runs(row: row)
      for (title, typed) in zip(runs, runs.dropFirst(2)) where title.style == .title {
        if typed.style == .prompt || typed.text.hasPrefix("Type to") {
          return title.text + "  " + typed.text
        }
      }
    }
    return nil
  }

  /// The box over the screen; nil without one.
  var box: Box? {
    let frame = frame
    let lines = options.symbols.lines
    for row in 0..<frame.size.rows
    where frame.row(row).contains(where: { $0.style.part == .rule && $0.content == .text(lines.topLeft) }) {
      let cells = Array(frame.row(row))
      for column in cells.indices.dropLast(3)
      where cells[column] == FrameCell(content: .text(lines.topLeft), style: .rule)
        && cells[column + 2] == FrameCell(content: .text(" "), style: .title)
      {
        let end = cells[(column + 1)...].firstIndex(
          of: FrameCell(content: .text(lines.topRight), style: .rule))
        let side = FrameCell(content: .text(lines.vertical), style: .rule)
        let inner = (row + 1..<frame.size.rows).prefix { Array(frame.row($0))[column] == side }
        guard let end else { continue }
        let rectangle = CellRect(
          column: column, row: row, columns: end + 1 - column, rows: inner.count + 2)
        let title = frame.runs(row: row).first { $0.column == column + 2 }?.text.trimmed ?? ""
        let texts = inner.map { frame.row($0).dropFirst(column + 1).prefix(end - column - 1).words.trimmed }
        return Box(title: title, lines: texts, rectangle: rectangle)
      }
    }
    return nil
  }

  /// The text typed in the prompt; nil without one.
  var prompt: String? {
    let frame = frame
    for row in [0, frame.size.rows - 1] where frame.size.rows > 0 {
      let cells = Array(frame.row(row))
      guard cells.count > 1, cells[1].style == .prompt,
        let label = cells[1...].firstIndex(where: { $0.style != .prompt })
      else { continue }
      let caretStyle = TextStyle(.accent, reversed: true)
      let text = cells[min(label + 2, cells.count)...].prefix { $0.style == .plain || $0.style == caretStyle }
      let caret = text.firstIndex { $0.style == caretStyle } ?? text.startIndex
      let last = text.lastIndex { $0.content != .text(" ") }.map { $0 + 1 } ?? text.startIndex
      return text[..<max(caret, last)].words
    }
    return nil
  }

  /// The search suggestions, one per line.
  var suggestions: [Line] {
    let frame = frame
    let lines = options.symbols.lines
    for row in 1..<max(1, frame.size.rows - 1) {
      let cells = Array(frame.row(row))
      let rule = FrameCell(content: .text(lines.horizontal), style: .rule)
      guard let end = cells.firstIndex(where: { $0 != rule }), end > 0, cells[end].style == .rule else {
        continue
      }
      let isBelow = cells[end].content == .text(lines.bottomRight)
      let rows = isBelow ? 1..<row : row + 1..<frame.size.rows - 1
      return rows.compactMap { Line(in: frame.row($0).prefix(end), row: $0) }
    }
    return []
  }
}

/// What a user sees of the sort order, menus and tile corners.
extension TestPicker {
  /// The sort order shown in the title line; nil if there is no room.
  var order: AssetSort? {
    title.firstMatch(of: /(\S+(?: reversed)?) ▾/).flatMap { AssetSort(rawValue: String($0.1)) }
  }

  /// The cells of an open menu, from its title to the last line but one; nil without a menu.
  var menuRectangle: CellRect? {
    guard let title = menu?.split(separator: " ").first, let place = place(of: String(title)) else {
      return nil
    }
    let size = frame.size
    return CellRect(
      column: place.column - 2, row: place.row, columns: size.columns - place.column + 2,
      rows: size.rows - 1 - place.row)
  }

  /// The text over the picture of a tile.
  func words(over tile: Tile) -> String {
    drawn.marks.filter { $0.rect.intersects(tile.rectangle) }.map(\.text).joined(separator: " ")
  }

}

/// Actions of the user's mouse.
extension TestPicker {
  @discardableResult
  mutating func mouse(
    _ action: MouseEvent.Action, row: Int, column: Int, control: Bool = false
  ) -> [PickerEffect] {
    send(.mouse(MouseEvent(action, row: row, column: column, isControl: control)))
  }

  /// Clicks where some text begins.
  @discardableResult
  mutating func click(on words: String) -> [PickerEffect] {
    guard let place = place(of: words) else { return [] }
    return mouse(.press, row: place.row, column: place.column)
  }

  /// Presses, moves or releases the button, or turns the wheel, in the middle of a photo's tile.
  @discardableResult
  mutating func mouse(
    _ action: MouseEvent.Action, over name: String, control: Bool = false
  ) -> [PickerEffect] {
    guard let middle = tile(name)?.middle else { return [] }
    return mouse(action, row: middle.row, column: middle.column, control: control)
  }

  /// Drags from one cell to another and releases.
  mutating func drag(from start: (row: Int, column: Int), to end: (row: Int, column: Int)) {
    mouse(.press, row: start.row, column: start.column)
    mouse(.drag, row: end.row, column: end.column)
    mouse(.release, row: end.row, column: end.column)
  }
}

/// Cached drawings of one state of a picker.
private final class Drawing {
  var frame: ScreenFrame?
  var lines: [String]?
  var complete: ScreenFrame?
  var tiles: [TestPicker.Tile]?

  func get<Value>(_ path: ReferenceWritableKeyPath<Drawing, Value?>, _ make: () -> Value) -> Value {
    if let value = self[keyPath: path] { return value }
    let value = make()
    self[keyPath: path] = value
    return value
  }
}

/// The answered queries of a picker.
private struct AnsweredQuestions {
  var fetches: Set<Int> = []
  var posters: [PosterQuery] = []
  var bulks: Set<Int> = []
}

extension TestPicker.Line {
  /// The text in some cells; nil if there is none.
  fileprivate init?(in cells: ArraySlice<FrameCell>, row: Int) {
    let text = cells.words.trimmed
    guard !text.isEmpty else { return nil }
    self.init(
      text: text, row: row, isCurrent: cells.contains { $0.style.part == .currentLine },
      isChosen: cells.contains { $0.style.part == .chosenLine })
  }
}

extension ScreenFrame {
  /// The pieces of a row that share a style.
  func runs(row: Int) -> [(text: String, column: Int, style: TextStyle)] {
    let cells = Array(self.row(row))
    var runs: [(text: String, column: Int, style: TextStyle)] = []
    for (column, cell) in cells.enumerated() {
      let text = [cell][...].words
      if let last = runs.last, last.style == cell.style {
        runs[runs.count - 1].text += text
      } else {
        runs.append((text, column, cell.style))
      }
    }
    return runs
  }
}

extension ArraySlice<FrameCell> {
  /// The text of cells, with pictures as spaces.
  var words: String {
    map { cell in
      switch cell.content {
      case .text(let text): text
      case .continuation: ""
      case .picture: " "
      }
    }.joined()
  }
}

extension PickerEffect {
  var fetchQuery: FetchQuery? { if case .fetch(let query) = self { query } else { nil } }
  var posterQuery: PosterQuery? { if case .fetchPosters(let query) = self { query } else { nil } }
  var wants: [PictureRequest]? { if case .demand(let wants) = self { wants } else { nil } }
  var outcome: PickerOutcome? { if case .finish(let outcome) = self { outcome } else { nil } }
  var bulkSelection: BulkSelection? { if case .selectInBulk(let bulk) = self { bulk } else { nil } }
  var timer: PickerTimer? { if case .startTimer(let timer, _) = self { timer } else { nil } }
}

extension StringProtocol {
  /// The text without the blanks at both ends.
  var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension ScreenMetrics {
  static func size(_ size: CellSize) -> ScreenMetrics {
    let cell = PixelSize(width: 10, height: 20)
    return ScreenMetrics(size: size, cell: cell, pictureGeometry: PictureGeometry(cell: cell, heightStep: 6))
  }
}
