import AssetLibrary
import Pixels

@testable import PickerUI

/// A picker and a library for it, driven like the host drives it, without a screen and without time.
struct TestPicker {
  private(set) var state: PickerState
  /// What the library holds, in the order in which a fetch gives it.
  var library: [Asset]
  var allowed: Set<LocalIdentifier> = []
  var isComplete = true
  /// How many photos the user's grid would show under limited access; nil = as many as the library has assets.
  var libraryCount: Int?
  /// Everything that was to be done outside, in order.
  private(set) var effects: [PickerEffect] = []

  init(
    _ library: [Asset] = .numbered(30), limit: Int = 0, size: CellSize = CellSize(columns: 120, rows: 40),
    configure: (inout PickerState.Options) -> Void = { _ in }
  ) {
    self.library = library
    var options = PickerState.Options()
    options.configuration.selectionLimit = limit
    configure(&options)
    state = PickerState(options: options, metrics: .size(size))
  }

  /// One that stands in its library.
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
    let new = Picker.update(&state, message)
    effects += new
    return new
  }

  @discardableResult
  mutating func press(_ keys: Key...) -> [PickerEffect] {
    keys.flatMap { send(.key($0)) }
  }

  /// Makes every picture that is asked for.
  mutating func makeDemanded() {
    let statuses = demand.map { ($0.key, PictureStatus.ready(note: nil)) }
    send(.pictures(Dictionary(uniqueKeysWithValues: statuses)))
  }

  /// The last question to the library.
  var query: FetchQuery? { effects.compactMap(\.fetchQuery).last }

  /// Answers the last question as a library would.
  @discardableResult
  mutating func answerFetch() -> [PickerEffect] {
    guard let query else { return [] }
    let new = send(.fetched(answer(to: query)))
    let albums = query.albums.map { send(.albums(self.albums(under: $0))) } ?? []
    guard let options = query.everywhere else { return new + albums }
    let count = library.count { options.admits($0) && isFound($0, options) }
    return new + albums + send(.foundEverywhere(count, generation: query.generation))
  }

  /// Answers questions to the library until there are none.
  mutating func answerFetches() {
    for _ in 0..<10 where state.library.isFetching { answerFetch() }
  }

  /// The question for posters that was not answered yet.
  var posterQuery: PosterQuery? {
    effects.lazy.reversed().compactMap(\.posterQuery).first.flatMap {
      state.sidebar.posters.pendingQuery == $0 ? $0 : nil
    }
  }

  /// Answers questions for posters until there are none: each album has another one.
  mutating func answerPosters() {
    while let query = posterQuery {
      let pairs = zip(query.collections, library).map { ($0, $1) }
      send(.posters(PosterAnswer(query: query, posters: Dictionary(pairs) { $1 })))
    }
  }

  /// Picks what is to be picked beside the run loop.
  mutating func selectInBulk() {
    while let bulkSelection = state.picks.bulk { send(.bulkSelected(bulkSelection.perform())) }
  }

  /// The albums and where everything is in them.
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
    let isLimited = state.authorization.status == .limited && query.mode == .picking
    let visible = library.filter { asset in
      (!isLimited || allowed.contains(asset.id)) && query.options.admits(asset)
        && isFound(asset, query.options)
    }
    // Without a search or an order of the user's the library stands as it is.
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

  /// Whether the library stands in the order of its dates.
  var isOrderedByDate = true
  var options: PickerState.Options { state.options }

  private func isFound(_ asset: Asset, _ options: FetchOptions) -> Bool {
    options.search?.matches(asset) { fields in
      fields.contains(.fileName) ? [String(decoding: asset.nameBytes, as: UTF8.self)] : []
    } ?? true
  }

  /// Keeps of all effects those that the next answers need: for runs of thousands of events.
  mutating func forgetOldEffects() {
    guard effects.count > 100 else { return }
    let needed = [effects.last { $0.fetchQuery != nil }, effects.last { $0.wants != nil }].compactMap { $0 }
    effects = needed + effects.suffix(20)
  }

  var demand: [PictureRequest] { effects.compactMap(\.wants).last ?? [] }
  var outcome: PickerOutcome? { effects.compactMap(\.outcome).last }
  var frame: ScreenFrame { Picker.view(state) }
  var lines: [String] { let frame = frame; return (0..<frame.size.rows).map { frame.text(row: $0) } }
  var lastLine: String { lines.last ?? "" }
  var selected: [String] { state.picks.selection.assets.map(\.id.rawValue) }

  /// The cell in which some words begin.
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

extension PickerEffect {
  var fetchQuery: FetchQuery? { if case .fetch(let query) = self { query } else { nil } }
  var posterQuery: PosterQuery? { if case .fetchPosters(let query) = self { query } else { nil } }
  var wants: [PictureRequest]? { if case .demand(let wants) = self { wants } else { nil } }
  var outcome: PickerOutcome? { if case .finish(let outcome) = self { outcome } else { nil } }
  var timer: PickerTimer? { if case .startTimer(let timer, _) = self { timer } else { nil } }
}

extension StringProtocol {
  /// Without the blanks at both ends.
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
