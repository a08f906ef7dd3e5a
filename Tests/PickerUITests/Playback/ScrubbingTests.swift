import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// `scrub-in-grid`: the mouse over a tile shows stills of what moves there.
@Suite struct ScrubbingTests {
  private static let cell = PixelSize(width: 10, height: 20)

  /// The items 0, 1 and 2 move, the others do not.
  private static func open(
    isOn: Bool = true, _ configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    var assets: [Asset] = .numbered(6)
    for index in 0..<3 { assets[index].playbackStyle = .imageAnimated }
    var picker = TestPicker.open(assets) {
      $0.screen.scrubsInGrid = isOn
      configure(&$0)
    }
    picker.makeDemanded()
    return picker
  }

  /// A movement of the mouse to a place of a tile, as a part of its width.
  private static func movement(_ picker: TestPicker, over name: String, _ part: Double) throws -> MouseEvent {
    let box = try #require(picker.tile(name)).rectangle
    let x = box.column * cell.width + Int(part * Double(box.columns * cell.width))
    return MouseEvent(.motion, row: (box.row + 1) * cell.height + 7, column: x).inCells(of: cell)
  }

  @discardableResult
  private static func move(
    _ picker: inout TestPicker, over name: String, _ part: Double
  ) throws -> [PickerEffect] {
    picker.send(.mouse(try movement(picker, over: name, part)))
  }

  private static func timers(_ effects: [PickerEffect]) -> [PickerTimer] {
    effects.compactMap(\.timer).filter { if case .scrubbing = $0 { true } else { false } }
  }

  /// Moves over a tile and stays there long enough.
  private static func begin(_ picker: inout TestPicker, over name: String, _ part: Double) throws {
    for timer in timers(try move(&picker, over: name, part)) { picker.send(.timer(timer)) }
  }

  /// The stills that the host was last asked for.
  private static func requested(_ picker: TestPicker) -> [Int] { picker.demand.compactMap(\.key.still) }

  /// The stills that are on the screen.
  private static func shown(_ picker: TestPicker) -> [Int] { picker.frame.slots.compactMap(\.key.still) }

  @discardableResult
  private static func answer(
    _ picker: inout TestPicker, _ still: Int, _ status: PictureStatus = .ready(note: nil)
  ) throws -> [PickerEffect] {
    let want = try #require(picker.demand.first { $0.key.still == still })
    return picker.send(.pictures([want.key: status]))
  }

  @Test func `The still of the mouse's place replaces the thumbnail, the last one until the next is ready`()
    throws
  {
    var picker = Self.open()
    let before = picker.frame.slots.map(\.key)
    let timers = Self.timers(try Self.move(&picker, over: "1", 0.05))
    #expect(timers.count == 1 && Self.requested(picker).isEmpty)
    picker.send(.timer(timers[0]))
    #expect(Self.requested(picker) == [0] && picker.frame.slots.map(\.key) == before)
    let want = try #require(picker.demand.first { $0.key.still == 0 })
    // In the size of the thumbnail.
    #expect(want.asset.id.rawValue == "1" && before.contains { $0.showing(still: 0) == want.key })
    try Self.answer(&picker, 0)
    #expect(Self.shown(picker) == [0])
    // From now on each movement requests at once.
    try Self.move(&picker, over: "1", 0.35)
    #expect(Self.requested(picker) == [3, 0] && Self.shown(picker) == [0])
    try Self.answer(&picker, 3)
    #expect(Self.requested(picker) == [3] && Self.shown(picker) == [3])
    let slots = picker.frame.slots.map(\.key)
    #expect(
      slots.filter { $0.still == nil } == before.filter { $0.asset.rawValue != "1" || $0.mode == .aspectFit })
  }

  @Test func `A mouse on its way requests nothing`() throws {
    var picker = Self.open()
    var timers: [PickerTimer] = []
    for (name, part) in [("0", 0.2), ("0", 0.8), ("1", 0.2), ("1", 0.8), ("3", 0.5)] {
      timers += Self.timers(try Self.move(&picker, over: name, part))
    }
    #expect(timers.count == 2)
    for timer in timers { picker.send(.timer(timer)) }
    // Back over the first tile, whose first timer has passed.
    try Self.move(&picker, over: "0", 0.5)
    picker.send(.timer(timers[0]))
    #expect(Self.requested(picker).isEmpty)
  }

  @Test func `One still is requested at a time, and the newest place wins`() throws {
    var picker = Self.open()
    try Self.begin(&picker, over: "1", 0.05)
    let effects = try [0.25, 0.45, 0.65, 0.85].flatMap { try Self.move(&picker, over: "1", $0) }
    #expect(effects.isEmpty && Self.requested(picker) == [0])
    try Self.answer(&picker, 0)
    #expect(Self.requested(picker) == [8, 0])
    try Self.answer(&picker, 8)
    #expect(Self.shown(picker) == [8])
    let all = picker.effects.compactMap(\.wants).flatMap { $0.compactMap(\.key.still) }
    #expect(Set(all) == [0, 8])
  }

  @Test func `A still that can't be made leaves what is shown, and the next one is requested`() throws {
    var picker = Self.open()
    try Self.begin(&picker, over: "1", 0.05)
    try Self.answer(&picker, 0, .failed(reason: "damaged"))
    #expect(Self.shown(picker).isEmpty && !picker.shows("damaged"))
    try Self.move(&picker, over: "1", 0.15)
    try Self.answer(&picker, 1)
    try Self.move(&picker, over: "1", 0.25)
    try Self.answer(&picker, 2, .failed(reason: "damaged"))
    #expect(Self.shown(picker) == [1])
  }

  /// What ends it.
  enum Ending: CaseIterable {
    case gap, otherTile, leave, drag, otherPhoto, help, fullScreen, focus
  }

  @Test(arguments: Ending.allCases)
  func `The thumbnail comes back, and the request is withdrawn`(ending: Ending) throws {
    var picker = Self.open()
    let before = picker.frame.slots.map(\.key)
    try Self.begin(&picker, over: "1", 0.05)
    try Self.answer(&picker, 0)
    try Self.move(&picker, over: "1", 0.95)
    #expect(Self.requested(picker) == [9, 0] && Self.shown(picker) == [0])
    let box = try #require(picker.tile("1")).rectangle
    switch ending {
    case .gap: picker.mouse(.motion, row: box.row, column: box.endColumn)
    case .otherTile: try Self.move(&picker, over: "2", 0.5)
    case .leave: picker.mouse(.leave, row: 0, column: 0)
    case .drag: picker.mouse(.drag, row: box.row, column: box.endColumn + 1)
    case .otherPhoto:
      picker.library.reverse()
      picker.send(.libraryChanged)
      picker.answerFetch()
    case .help: picker.press("?")
    case .fullScreen: picker.press("o")
    case .focus: picker.send(.focused(false))
    }
    #expect(Self.requested(picker).isEmpty && Self.shown(picker).isEmpty)
    if ending == .gap { #expect(picker.frame.slots.map(\.key) == before) }
    // What covered it is gone, but nothing happens before the mouse moves.
    switch ending {
    case .help: picker.press(.escape)
    case .fullScreen: picker.press(.escape)
    case .focus: picker.send(.focused(true))
    default: return
    }
    #expect(Self.requested(picker).isEmpty && Self.shown(picker).isEmpty)
    try Self.begin(&picker, over: "1", 0.95)
    #expect(Self.requested(picker) == [9])
  }

  @Test func `Scrolling takes the tile away from the mouse`() throws {
    var assets: [Asset] = .numbered(200)
    for index in 0..<3 { assets[index].playbackStyle = .imageAnimated }
    var picker = TestPicker.open(assets) { $0.screen.scrubsInGrid = true }
    picker.makeDemanded()
    try Self.begin(&picker, over: "1", 0.05)
    try Self.answer(&picker, 0)
    let box = try #require(picker.tile("1")).rectangle
    picker.mouse(.wheelDown, row: box.row, column: box.column)
    #expect(Self.requested(picker).isEmpty && Self.shown(picker).isEmpty)
    #expect(!picker.wantsMotion)
  }

  @Test func `Only what moves and is on this machine has stills, where pictures are drawn`() throws {
    var picker = Self.open()
    #expect(Self.timers(try Self.move(&picker, over: "4", 0.5)).isEmpty && picker.wantsMotion)
    var off = Self.open(isOn: false)
    #expect(Self.timers(try Self.move(&off, over: "1", 0.5)).isEmpty && !off.wantsMotion)
    var assets: [Asset] = .numbered(2)
    for index in assets.indices {
      assets[index].playbackStyle = .video
      assets[index].resources[0].isLocallyAvailable = index == 0
    }
    var remote = TestPicker.open(assets) { $0.screen.scrubsInGrid = true }
    remote.makeDemanded()
    #expect(Self.timers(try Self.move(&remote, over: "1", 0.5)).isEmpty)
    #expect(Self.timers(try Self.move(&remote, over: "0", 0.5)).count == 1)
    let movement = try Self.movement(picker, over: "1", 0.5)
    var metrics = picker.metrics
    metrics.pictureGeometry = nil
    picker.send(.resized(metrics))
    #expect(Self.timers(picker.send(.mouse(movement))).isEmpty && !picker.wantsMotion)
  }

  @Test func `The mouse is of interest only while tiles can show stills`() throws {
    var picker = Self.open()
    #expect(picker.wantsMotion)
    for (begin, end) in [(Key.character("?"), Key.escape), ("o", .escape)] {
      picker.press(begin)
      #expect(!picker.wantsMotion)
      picker.press(end)
      #expect(picker.wantsMotion)
    }
    picker.send(.focused(false))
    #expect(!picker.wantsMotion)
  }

  @Test func `Ten stills are spread over the tile, to the pixel`() throws {
    var picker = Self.open()
    try Self.begin(&picker, over: "1", 0)
    let box = try #require(picker.tile("1")).rectangle
    let width = box.columns * Self.cell.width
    var stills: [Int] = []
    for pixel in 0..<width {
      let event = MouseEvent(
        .motion, row: (box.row + 1) * Self.cell.height, column: box.column * Self.cell.width + pixel)
      picker.send(.mouse(event.inCells(of: Self.cell)))
      let still = try #require(Self.requested(picker).first)
      // Only the first one of each is new.
      if stills.last != still { try Self.answer(&picker, still) }
      stills.append(still)
    }
    #expect(stills == (0..<width).map { $0 * Scrubbing.stillCount / width })
  }

  @Test func `Without pixels the middle of the cell counts`() throws {
    var picker = Self.open()
    let box = try #require(picker.tile("1")).rectangle
    let timers = Self.timers(picker.mouse(.motion, row: box.row, column: box.endColumn - 1))
    for timer in timers { picker.send(.timer(timer)) }
    #expect(Self.requested(picker) == [9])
  }

  @Test func `A still stands for the middle of its tenth`() {
    let key = PictureKey(.photo("1"), size: Self.cell, mode: .aspectFill)
    #expect(key.place == nil)
    let times = (0..<10).map { key.showing(still: $0).place?.time(in: .seconds(10)) }
    #expect(times == (0..<10).map { .milliseconds(500 + 1000 * $0) })
  }

  @Test func `A picked tile keeps its mark`() throws {
    var picker = Self.open()
    picker.press(.right, .space)
    picker.makeDemanded()
    try Self.begin(&picker, over: "1", 0.05)
    let want = try #require(picker.demand.first { $0.key.still == 0 })
    #expect(want.key.isPicked)
    try Self.answer(&picker, 0)
    #expect(Self.shown(picker) == [0])
    // Unpicked, it stays until the one without the mark is ready.
    picker.press(.space)
    #expect(Self.shown(picker) == [0] && picker.demand.contains { $0.key.still == 0 && !$0.key.isPicked })
  }

  @Test func `Movements change nothing else`() throws {
    var picker = Self.open()
    picker.press(".")
    let (line, cursor) = (picker.lastLine, picker.cursor)
    #expect(line.contains("Hidden photos are shown"))
    try Self.begin(&picker, over: "1", 0.5)
    picker.mouse(.leave, row: 0, column: 0)
    #expect(picker.lastLine == line && picker.cursor == cursor)
  }

  @Test func `What plays in the tile stops, and begins again after the mouse has left`() throws {
    var picker = Self.open { $0.screen.playsInGrid = true }
    let playback = { (effects: [PickerEffect]) in
      effects.compactMap(\.timer).filter { if case .playback = $0 { true } else { false } }
    }
    for timer in playback(picker.press(.right)) { picker.send(.timer(timer)) }
    picker.makeDemanded()
    for timer in playback(picker.press(.left) + picker.press(.right)) { picker.send(.timer(timer)) }
    #expect(picker.effects.contains { if case .play = $0 { true } else { false } })
    #expect(try Self.move(&picker, over: "1", 0.5).contains(.stopPlaying))
    #expect(playback(picker.mouse(.leave, row: 0, column: 0)).count == 1)
  }
}
