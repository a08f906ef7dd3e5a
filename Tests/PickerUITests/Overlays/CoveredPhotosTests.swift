import AssetLibrary
import Pixels
import SystemPackage
import Testing

@testable import PickerUI

/// The visible part of the photos beside a box that covers some of them.
@Suite struct CoveredPhotosTests {
  /// A way to open a box, and its name.
  struct Way: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var keys: [Key]
  }

  private static let ways = [
    Way(testDescription: "help", keys: ["?"]), Way(testDescription: "info", keys: ["i"]),
    Way(testDescription: "search", keys: ["/"]), Way(testDescription: "deleting", keys: ["D"]),
  ]
  private static let sizes = [
    CellSize(columns: 60, rows: 18), .init(columns: 80, rows: 24), .init(columns: 100, rows: 30),
    .init(columns: 120, rows: 40),
  ]

  private func open(_ size: CellSize) -> TestPicker {
    var picker = TestPicker.open(.numbered(300), size: size) { options in
      options.screen.showsPreview = false
      options.screen.showsAlbums = false
    }
    picker.makeDemanded()
    return picker
  }

  private func opened(_ way: Way, _ size: CellSize) -> TestPicker {
    var picker = open(size)
    for key in way.keys { picker.press(key) }
    if way.testDescription == "search" {
      let suggestions = (0..<4).map {
        SearchSuggestion(subject: .kind, title: "suggestion \($0 as Int)", term: "\($0 as Int)", count: $0)
      }
      if let query = picker.effects.lazy.reversed().compactMap({ effect in
        if case .suggest(let query) = effect { query } else { nil }
      }).first {
        picker.send(.suggestions(SuggestionAnswer(query: query, suggestions: suggestions)))
      }
    }
    picker.makeDemanded()
    return picker
  }

  @Test(arguments: ways, sizes)
  func `Photos outside a box stay visible, and those it overlaps are cropped at its edge`(
    way: Way, size: CellSize
  ) {
    let (before, after) = (open(size).frame, opened(way, size).frame)
    // Only the box and what it covers has changed.
    #expect(before != after)
    let changed = Self.changedCells(from: before, to: after)
    for slot in before.slots {
      let now = after.slots.first { $0.key.asset == slot.key.asset }
      let cells = Self.cells(of: slot.rect)
      guard cells.isDisjoint(with: changed) == false else {
        #expect(now == slot, "\(slot.key.asset) stands as it did")
        continue
      }
      guard let now else { continue }
      #expect(Self.cells(of: now.rect).isSubset(of: cells), "\(slot.key.asset) stays in its place")
      #expect(now.key.cut != nil && now.key.size == slot.key.size)
      #expect(Self.cells(of: now.rect).isDisjoint(with: Self.texts(of: after)))
    }
  }

  @Test(arguments: sizes)
  func `The uncovered part of photos below the suggestions stays visible`(size: CellSize) {
    let (before, after) = (open(size).frame, opened(Self.ways[2], size).frame)
    let isCut = { (slot: PictureSlot) in slot.key.cut != nil }
    #expect(after.slots.count(where: isCut) > before.slots.count(where: isCut))
    // The top row is partly covered, and all of its photos are still there.
    #expect(after.slots.count == before.slots.count)
  }

  @Test(arguments: ways, sizes)
  func `The visible part of a cropped photo is unchanged`(way: Way, size: CellSize) {
    let (before, after) = (open(size).frame, opened(way, size).frame)
    let cell = PixelSize(width: 10, height: 20)
    for slot in after.slots {
      guard let whole = before.slots.first(where: { $0.key.asset == slot.key.asset }),
        whole.key.cut == nil, whole.rect != slot.rect, let cut = slot.key.cut
      else { continue }
      // Heights are multiples of six pixels, so that a picture can be a few pixels away from its cells.
      #expect(cut.x == (slot.rect.column - whole.rect.column) * cell.width)
      #expect(abs(cut.y - (slot.rect.row - whole.rect.row) * cell.height) <= 6)
      #expect(cut.size.width == slot.rect.columns * cell.width)
      #expect((0..<6).contains(slot.rect.rows * cell.height - cut.size.height))
    }
  }

  @Test(arguments: ways, sizes)
  func `Beside a box texts are shown completely or not at all`(way: Way, size: CellSize) {
    let (before, after) = (open(size).frame, opened(way, size).frame)
    for row in 0..<size.rows {
      for columns in Self.runs(of: before, row) {
        let cells = columns.map { after.row(row)[after.row(row).startIndex + $0] }
        let old = columns.map { before.row(row)[before.row(row).startIndex + $0] }
        // A remainder would be some of its cells, unchanged, beside others.
        let kept = zip(cells, old).filter { $0 == $1 && $0.content != .text(" ") }.count
        let visible = old.filter { $0.content != .text(" ") }.count
        let isRest = kept > 0 && kept < visible
        // Letters of the box may match by chance: a remainder has two of them side by side at one end.
        let ends = [cells.prefix(2) == old.prefix(2), cells.suffix(2) == old.suffix(2)]
        #expect(
          !isRest || ends.allSatisfy { !$0 } || columns.count < 3,
          "row \(row), \(columns): \(before.text(row: row)) → \(after.text(row: row))")
      }
    }
  }

  @Test(arguments: [CellSize(columns: 120, rows: 75), .init(columns: 200, rows: 50)])
  func `A photo in full screen is cropped at the edge of the help`(size: CellSize) throws {
    var picker = open(size)
    picker.press("o")
    picker.makeDemanded()
    let before = try #require(picker.frame.slots.first)
    picker.press("?")
    picker.makeDemanded()
    let frame = picker.frame
    let now = try #require(frame.slots.first)
    #expect(frame.slots.count == 1 && now.key.asset == before.key.asset && now.key.size == before.key.size)
    #expect(Self.cells(of: now.rect).isSubset(of: Self.cells(of: before.rect)))
    #expect(Self.cells(of: now.rect).isDisjoint(with: Self.texts(of: frame)))
    let box = try #require(picker.box)
    // Only a blank column is between the picture and the box.
    #expect(now.rect.endColumn == box.rectangle.column - 1 && now.rect.rows > 20)
    let cut = try #require(now.key.cut)
    #expect(cut.x == 0 && cut.y == 0 && cut.size.width == now.rect.columns * 10)
    picker.press(.escape)
    #expect(picker.frame.slots == [before])
  }

  @Test(arguments: [CellSize(columns: 120, rows: 75), .init(columns: 240, rows: 50)])
  func `A wide preview is cropped at the edge of the help`(size: CellSize) throws {
    var picker = TestPicker.open(.numbered(30), size: size) { options in
      options.screen.showsAlbums = false
      options.screen.showsPreview = true
      options.screen.previewShare = 70
    }
    picker.makeDemanded()
    let isPreview = { (slot: PictureSlot) in slot.key.mode == .aspectFit }
    let before = try #require(picker.frame.slots.first(where: isPreview))
    picker.press("?")
    picker.makeDemanded()
    let now = try #require(picker.frame.slots.first(where: isPreview))
    let box = try #require(picker.box?.rectangle)
    #expect(now.key.asset == before.key.asset && now.key.cut != nil)
    #expect(Self.cells(of: now.rect).isSubset(of: Self.cells(of: before.rect)))
    #expect(now.rect.endColumn == box.column - 1)
  }

  @Test(arguments: [CellSize(columns: 39, rows: 24), .init(columns: 30, rows: 20)])
  func `A blank column lies between the photos and albums that lie over them`(size: CellSize) throws {
    let picker = opened(Way(testDescription: "albums", keys: [.tab]), size)
    let edge = FrameCell(content: .text(picker.options.symbols.lines.vertical), style: .rule)
    let column = try #require(Array(picker.frame.row(2)).firstIndex(of: edge))
    #expect(picker.frame.slots.contains { $0.rect.column > column })
    for slot in picker.frame.slots { #expect(slot.rect.endColumn <= column || slot.rect.column > column + 1) }
  }

  // MARK: With albums and preview

  /// Ways to open everything that is drawn over the panes or beside them.
  private static let everything =
    ways + [
      Way(testDescription: "albums", keys: [.tab]),
      Way(testDescription: "finding an album", keys: [.tab, "/"]),
      Way(testDescription: "filter", keys: ["f", .down]), Way(testDescription: "sort", keys: ["s"]),
      Way(testDescription: "options", keys: [" ", "O"]),
      Way(testDescription: "adding to an album", keys: [" ", "A"]),
      Way(testDescription: "jumping", keys: ["2"]), Way(testDescription: "leaving", keys: [" ", "q"]),
      Way(testDescription: "strip", keys: [" ", "r"]),
      Way(testDescription: "help in full screen", keys: ["o", "?"]),
    ]
  private static let sizesOfPanes = sizes + [.init(columns: 160, rows: 45), .init(columns: 70, rows: 60)]

  private func openWithPanes(
    _ size: CellSize, _ library: [Asset] = .numbered(300), status: AuthorizationStatus = .authorized,
    albums: [AssetCollection] = [], configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    var picker = TestPicker(library, size: size, configure: configure)
    picker.allowed = Set(library.prefix(7).map(\.id))
    picker.folders =
      albums
      + ["Lisbon", "Trip to the Azores", "Alps"].map {
        AssetCollection(localIdentifier: .init("album." + $0), title: $0, estimatedAssetCount: 12)
      }
    picker.send(.authorization(status))
    picker.answerFetch()
    settle(&picker)
    return picker
  }

  /// Answers all questions about pictures: those of albums are known only after their posters.
  private func settle(_ picker: inout TestPicker) {
    for _ in 0..<3 {
      picker.answerFetches()
      picker.answerPosters()
      picker.makeDemanded()
    }
  }

  @Test(arguments: everything, sizesOfPanes)
  func `No text is in a picture, and no album's picture is without its name`(way: Way, size: CellSize) {
    var picker = openWithPanes(size)
    for key in way.keys { picker.press(key) }
    settle(&picker)
    expectNoRemains(in: picker)
  }

  /// Expects that no text is in a picture, that no album's picture is without its name, and that cells of pictures are
  /// only where pictures are.
  private func expectNoRemains(in picker: TestPicker) {
    let (frame, size) = (picker.frame, picker.frame.size)
    for slot in frame.slots {
      let cells = (slot.rect.row..<slot.rect.endRow).flatMap { row in
        Array(frame.row(row))[slot.rect.column..<slot.rect.endColumn]
      }
      #expect(cells.allSatisfy { $0.content == .picture }, "\(slot.rect)")
      guard slot.rect.rows == 1 else { continue }
      // A blank is between an album's picture and its name.
      let name = Array(frame.row(slot.rect.row)).dropFirst(slot.rect.endColumn + 1).first
      #expect(![nil, .text(" "), .picture].contains(name?.content), "\(picker.lines[slot.rect.row])")
    }
    // All other cells are free of remains of pictures.
    let pictured = frame.slots.reduce(into: Set<[Int]>()) { $0.formUnion(Self.cells(of: $1.rect)) }
    for row in 0..<size.rows {
      for (column, cell) in frame.row(row).enumerated() where cell.content == .picture {
        #expect(pictured.contains([row, column]), "row \(row), column \(column)")
      }
    }
  }

  // MARK: States that keys alone do not lead to

  /// What is shown beside the photos, over them or in place of them after a request, an answer or a frame.
  enum Situation: String, CaseIterable, Sendable {
    case consentToSee, consentToSave, consentToDelete
    case limited, choiceOfAccess, stripOfAccess
    case delivery, downloads, timeLine, timeLineInFullScreen
    case recentlyDeleted, recentlyDeletedInSidebar, deletingForGood
  }

  private func reach(_ situation: Situation, _ size: CellSize) throws -> TestPicker {
    switch situation {
    case .consentToSee:
      var picker = TestPicker(.numbered(300), size: size)
      picker.send(.consent(.access(ConsentRequest(client: "mutt", purpose: "to attach photos"))))
      return picker
    case .consentToSave:
      var picker = openWithPanes(size)
      picker.send(.consent(.access(ConsentRequest(client: "mutt", purpose: "to save", level: .addOnly))))
      return picker
    case .consentToDelete:
      var picker = openWithPanes(size)
      let ids = picker.library.prefix(3).map(\.id)
      picker.send(.consent(.change(ChangeConsentRequest(client: "mutt", kind: .deletion, assets: ids))))
      return picker
    case .limited, .choiceOfAccess, .stripOfAccess:
      var picker = openWithPanes(size, status: .limited)
      if situation == .limited { return picker }
      picker.press("m")
      settle(&picker)
      picker.press(.right, .space)
      if situation == .stripOfAccess { picker.press("r") }
      settle(&picker)
      return picker
    case .delivery:
      var picker = openWithPanes(size) { $0.deliversResults = true }
      picker.press(.space, .enter)
      let progress = DeliveryProgress(
        assets: 0, assetCount: 1, bytes: 12_000_000, byteCount: 36_000_000, activity: .converting)
      picker.send(.delivery(progress, elapsed: 4))
      settle(&picker)
      return picker
    case .downloads:
      var library: [Asset] = .numbered(300)
      for index in 0..<3 { library[index].resources[0].isLocallyAvailable = false }
      var picker = openWithPanes(size, library)
      picker.press(.space, .right, .space, .right, .space, .enter)
      picker.send(.downloaded(DownloadProgress(library[1].id, fraction: 0.5, elapsed: 2)))
      settle(&picker)
      return picker
    case .timeLine, .timeLineInFullScreen:
      var library: [Asset] = .numbered(300)
      library[0].playbackStyle = .imageAnimated
      var picker = openWithPanes(size, library)
      if situation == .timeLineInFullScreen { picker.press("o") }
      settle(&picker)
      picker.press("w")
      let requests: [PlaybackRequest] = picker.effects.compactMap {
        if case .play(let request) = $0 { request } else { nil }
      }
      let request = try #require(requests.last)
      let moment = PlaybackMoment(time: .seconds(25), length: .seconds(100))
      picker.send(.playback(.frame(moment), generation: request.generation))
      settle(&picker)
      return picker
    case .recentlyDeleted, .recentlyDeletedInSidebar, .deletingForGood:
      var library: [Asset] = .numbered(300)
      for index in library.indices {
        library[index].deletion = DeletionRecord(date: nil, originalPath: FilePath("p/\(index)"))
      }
      let album = try #require(AssetCollection(recentlyDeleted: library))
      var picker = openWithPanes(size, library, albums: [album])
      picker.press(.tab)
      for _ in 0..<10
      where picker.sidebar?.first(where: \.isCurrent)?.text.contains("Recently Deleted") == false {
        picker.press(.down)
        settle(&picker)
      }
      if situation != .recentlyDeletedInSidebar { picker.press(.tab) }
      if situation == .deletingForGood { picker.press("D") }
      settle(&picker)
      return picker
    }
  }

  /// A text that proves that the state has been reached.
  private static let proofs: [Situation: String] = [
    .consentToSee: "see your photos", .consentToSave: "add to your photos",
    .consentToDelete: "delete 3 photos", .limited: "Limited access", .choiceOfAccess: "6 allowed",
    .stripOfAccess: "6 allowed", .delivery: "converting", .downloads: "Downloading", .timeLine: "0:25",
    .timeLineInFullScreen: "0:25", .recentlyDeleted: "delete for good",
    .recentlyDeletedInSidebar: "delete all for good", .deletingForGood: "This can't be undone",
  ]

  @Test(arguments: Situation.allCases, sizesOfPanes)
  func
    `Also while a program asks, results are made, a clip plays or deleted photos are shown, nothing is cut`(
      situation: Situation, size: CellSize
    ) throws
  {
    let picker = try reach(situation, size)
    let proof = try #require(Self.proofs[situation])
    // Where the last line has no room for all keys, the album is named in the first line or in the sidebar.
    let isNarrow = situation == .recentlyDeleted || situation == .recentlyDeletedInSidebar
    #expect(picker.shows(proof) || isNarrow && picker.shows("Recently Deleted"), "\(picker.lines)")
    expectNoRemains(in: picker)
    switch situation {
    // Until the user has answered, no photo is shown.
    case .consentToSee, .consentToSave, .consentToDelete: #expect(picker.frame.slots.isEmpty)
    case .timeLineInFullScreen: #expect(picker.frame.slots.count == 1)
    default: #expect(!picker.frame.slots.isEmpty)
    }
  }

  @Test(arguments: sizesOfPanes)
  func `While results are made all photos stay where they are`(size: CellSize) throws {
    var before = openWithPanes(size)
    before.press(.space)
    settle(&before)
    let after = try reach(.delivery, size).frame
    #expect(after.slots == before.frame.slots && !after.slots.isEmpty)
    for row in 0..<size.rows - 1 { #expect(after.text(row: row) == before.lines[row]) }
  }

  @Test(arguments: sizesOfPanes)
  func `A question about deleted photos crops those at its edge, and the others stay`(size: CellSize) throws {
    let before = try reach(.recentlyDeleted, size).frame
    let after = try reach(.deletingForGood, size).frame
    let changed = Self.changedCells(from: before, to: after)
    #expect(!changed.isEmpty)
    for slot in before.slots where Self.cells(of: slot.rect).isDisjoint(with: changed) {
      #expect(after.slots.contains(slot), "\(slot.key.asset) in \(slot.rect)")
    }
  }

  @Test(arguments: ["help", "search", "deleting"], sizesOfPanes)
  func `Pictures that no box touches stay, in all panes`(name: String, size: CellSize) throws {
    let way = try #require(Self.ways.first { $0.testDescription == name })
    let before = openWithPanes(size).frame
    var picker = openWithPanes(size)
    for key in way.keys { picker.press(key) }
    settle(&picker)
    let after = picker.frame
    let changed = Self.changedCells(from: before, to: after)
    #expect(!changed.isEmpty && !before.slots.isEmpty)
    for slot in before.slots where Self.cells(of: slot.rect).isDisjoint(with: changed) {
      #expect(after.slots.contains(slot), "\(slot.key.asset) in \(slot.rect)")
    }
  }

  private static func changedCells(from before: ScreenFrame, to after: ScreenFrame) -> Set<[Int]> {
    var changed: Set<[Int]> = []
    for row in 0..<after.size.rows {
      let (old, new) = (Array(before.row(row)), Array(after.row(row)))
      for column in old.indices where old[column].content != new[column].content {
        changed.insert([row, column])
      }
    }
    return changed
  }

  private static func cells(of rect: CellRect) -> Set<[Int]> {
    Set((rect.row..<rect.endRow).flatMap { row in (rect.column..<rect.endColumn).map { [row, $0] } })
  }

  /// The cells with characters.
  private static func texts(of frame: ScreenFrame) -> Set<[Int]> {
    Set(
      (0..<frame.size.rows).flatMap { row in
        Array(frame.row(row)).enumerated().filter { ![.picture, .text(" ")].contains($0.element.content) }
          .map { [row, $0.offset] }
      })
  }

  /// The texts of a row, separated by gaps of two cells.
  private static func runs(of frame: ScreenFrame, _ row: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    let cells = Array(frame.row(row))
    // The cursor's frame is no text, and is not drawn beside a box.
    let isText = { (column: Int) in
      column < cells.count && ![.text(" "), .picture].contains(cells[column].content)
        && ![.cursor, .rule].contains(cells[column].style)
    }
    var start: Int?
    for column in 0...cells.count {
      if isText(column) {
        start = start ?? column
      } else if !isText(column + 1), let first = start {
        runs.append(first..<column)
        start = nil
      }
    }
    return runs
  }
}
