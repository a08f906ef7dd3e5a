import AssetLibrary
import Fixtures
import Foundation
import Pixels
import Testing

@testable import PickerUI

/// Twenty thousand random events, and invariants that hold between them.
@Suite struct PickerPropertyTests {
  private static let keys: [Key] = {
    let leaving: Set<Key> = [.escape, .enter, .character("q"), .control("c")]
    let bound = KeyBindings.standard.groups.flatMap { $0.bindings.map(\.key) }
    return bound.filter { !leaving.contains($0) }
      + [.space, .right, .down, .backspace, .character("x"), .character("東"), .delete, .character(":")]
  }()

  private static let cells = [
    PixelSize(width: 10, height: 20), .init(width: 8, height: 16), .init(width: 20, height: 20),
  ]

  // Takes seconds: the whole screen is checked after every tenth of twenty thousand events.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `No sequence of events breaks the picker`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (picker, limit) = Self.open(seed, &random)
    for step in 0..<2000 {
      happen(&picker, step, &random)
      // Drawing costs more than updating, so every tenth screen is checked.
      guard step.isMultiple(of: 10) else { continue }
      var faults =
        Self.faults(of: picker.frame, metrics: picker.metrics) + Self.faults(of: picker, limit: limit)
      if step.isMultiple(of: 50) { faults += Self.faultsInGrid(of: picker) }
      #expect(faults.isEmpty, "seed \(seed), step \(step)")
      guard faults.isEmpty else { return }
    }
    // Only a double click or a click on a hint may have ended it.
    if let outcome = picker.outcome { #expect(outcome != .refused(.denied)) }
  }

  private static func open(_ seed: UInt64, _ random: inout SeededGenerator) -> (TestPicker, limit: Int) {
    let limit = Int.random(in: 0...4, using: &random)
    let isLimited = seed.isMultiple(of: 3)
    let picker = TestPicker.open(
      .numbered(20), limit: limit, status: isLimited ? .limited : .authorized,
      allowed: [LocalIdentifier("3"), LocalIdentifier("4")]
    ) { options in
      options.configuration.mode = seed.isMultiple(of: 4) ? .compact : .default
      if seed.isMultiple(of: 2) { options.maximumSynchronousPicks = 2 }
    }
    return (picker, limit)
  }

  /// Writes one line per event to the file named by `TPICK_RECORD_SESSIONS`: a checksum of the screen, and the effects.
  ///
  /// Run with two versions of the picker and with `SWIFT_DETERMINISTIC_HASHING` set, it shows whether they behave
  /// alike.
  @Test(.enabled(if: Self.record != nil))
  func `Random sessions are recorded`() throws {
    var lines: [String] = []
    for seed in 1...10 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var picker = Self.open(seed, &random).0
      for step in 0..<2000 {
        let before = picker.effects.count
        happen(&picker, step, &random, keepsEffects: true)
        let effects = String(describing: Array(picker.effects.dropFirst(before)))
        let screen = picker.frame.hashValue
        lines.append("\(seed) \(step) \(screen) \(effects.hashValue) \(effects.prefix(150))")
        picker.forgetOldEffects()
      }
    }
    try lines.joined(separator: "\n").write(
      toFile: try #require(Self.record), atomically: true, encoding: .utf8)
  }

  private static let record = ProcessInfo.processInfo.environment["TPICK_RECORD_SESSIONS"]

  private func happen(
    _ picker: inout TestPicker, _ step: Int, _ random: inout SeededGenerator, keepsEffects: Bool = false
  ) {
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      let size = CellSize(
        columns: Int.random(in: 1...140, using: &random), rows: Int.random(in: 1...50, using: &random))
      var metrics = ScreenMetrics.size(size)
      metrics.cell = Self.cells.randomElement(using: &random) ?? metrics.cell
      let hasPictures = Int.random(in: 0..<5, using: &random) > 0
      metrics.pictureGeometry = hasPictures ? PictureGeometry(cell: metrics.cell, heightStep: 6) : nil
      picker.send(.resized(metrics))
    case 1:
      let index = Int.random(in: 0...picker.library.count, using: &random)
      picker.library.insert(step.isMultiple(of: 9) ? .broken("\(step)\n") : .photo("new \(step)"), at: index)
      picker.send(.libraryChanged)
    case 2, 3: picker.answerFetch()
    case 4, 5:
      let some = picker.demand.shuffled(using: &random).prefix(10)
      let statuses = some.map { ($0.key, PictureStatus.ready(note: nil)) }
      picker.send(.pictures(Dictionary(uniqueKeysWithValues: statuses)))
    case 6:
      if let want = picker.demand.randomElement(using: &random) {
        picker.send(.pictures([want.key: .failed(reason: "not enough memory")]))
      }
    case 7:
      if let timer = picker.effects.compactMap(\.timer).suffix(3).randomElement(using: &random) {
        picker.send(.timer(timer))
      }
    case 8 where picker.query?.mode == .managing: picker.press(.enter)
    // Closes whatever is open.
    case 9
    where picker.box != nil || picker.menu != nil || picker.prompt != nil || picker.lastLine.contains("range"):
      picker.press(Bool.random(using: &random) || picker.prompt == nil ? .escape : .enter)
    case 10, 11, 12: picker.send(.mouse(mouseEvent(in: picker.metrics.size, &random)))
    case 13:
      let pastes = ["1", "type:", "a\nb", "日本", "\u{1B}[2J", "20240110", "new"]
      picker.send(.paste(pastes.randomElement(using: &random) ?? ""))
    case 14 where picker.isFetching: picker.answerFetches()
    case 14, 15:
      picker.selectInBulk()
      picker.answerPosters()
    default: picker.press(Self.keys.randomElement(using: &random) ?? .right)
    }
    if !keepsEffects { picker.forgetOldEffects() }
  }

  /// The mouse anywhere, also outside the screen; two clicks in one place confirm what is there and end the picker.
  private func mouseEvent(in size: CellSize, _ random: inout SeededGenerator) -> MouseEvent {
    let actions: [MouseEvent.Action] = [
      .press, .press, .rightPress, .drag, .drag, .drag, .release, .wheelUp, .wheelDown, .motion, .motion,
      .leave,
    ]
    return MouseEvent(
      actions.randomElement(using: &random) ?? .press, row: Int.random(in: 0..<size.rows + 3, using: &random),
      column: Int.random(in: 0..<size.columns + 3, using: &random),
      isControl: Int.random(in: 0..<4, using: &random) == 0)
  }

  /// Contradictions in what a picker shows, as text.
  private static func faults(of picker: TestPicker, limit: Int) -> [String] {
    var faults: [String] = []
    // A message without news changes nothing: the layout matches what is shown now, and no key is held back.
    var copy = picker
    let effects = copy.send(.resized(picker.metrics))
    if copy.frame != picker.frame { faults.append("a screen of what was before") }
    if !effects.isEmpty { faults.append("something was left to do") }
    let tiles = picker.tiles
    if tiles.count(where: \.isCursor) > 1 { faults.append("two cursors") }
    if picker.prompt != nil, picker.box != nil || picker.menu != nil { faults.append("typing under a box") }
    let line = picker.lastLine
    // The position of the cursor among photos and among picks.
    let position = line.firstMatch(of: /· (\d+)\/(\d+)/).flatMap { numbers($0.1, $0.2) }
    let pick = line.firstMatch(of: /pick (\d+) of (\d+)/).flatMap { numbers($0.1, $0.2) }
    for place in [position, pick].compactMap({ $0 }) where !(1...max(1, place.of)).contains(place.number) {
      faults.append("cursor is lost")
    }
    if pick != nil, line.contains("picking a range") { faults.append("a range that is not seen") }
    guard picker.query?.mode == .picking,
      let match = line.firstMatch(of: /^ (\d+)(?: of \d+)? picked(?: · (\S+ [kMG]?B))?/),
      let count = Int(match.1)
    else { return faults }
    if limit > 0, count > limit { faults.append("over the limit") }
    if let pick, pick.of != count { faults.append("a strip of other picks") }
    let size = LocaleFormat().size(Int64(count) * 2_000_000)
    // The size of converted photos is an estimate.
    if let shown = match.2, !shown.hasPrefix("≈"), shown != size { faults.append("another size") }
    let marked = tiles.compactMap(\.pick).compactMap { Int($0) }
    if Set(marked).count != marked.count || marked.contains(where: { !(1...max(1, count)).contains($0) }) {
      faults.append("numbers are wrong")
    }
    return faults
  }

  private static func numbers(_ a: Substring, _ b: Substring) -> (number: Int, of: Int)? {
    Int(a).flatMap { number in Int(b).map { (number, $0) } }
  }

  /// The faults once everything open over the photos is closed.
  private static func faultsInGrid(of picker: TestPicker) -> [String] {
    var picker = picker
    picker.selectInBulk()
    for _ in 0..<20 {
      var next = picker
      next.press(.escape)
      next.answerFetches()
      if next.outcome != picker.outcome || next.lastLine.contains("to discard") { break }
      picker = next
    }
    var faults: [String] = []
    let tiles = picker.tiles
    if !tiles.isEmpty, !picker.frame.cells.contains(where: { $0.style == .cursor }) {
      faults.append("cursor out of sight")
    }
    let names = picker.library.map(\.id.rawValue)
    let places = tiles.compactMap { names.firstIndex(of: $0.name) }
    if picker.query?.options.sortDescriptors == AssetSort.newest.descriptors, places != Set(places).sorted() {
      faults.append("rows of other assets")
    }
    let selected = picker.selected
    let known = Set(picker.library.lazy.filter { !$0.isBroken }.map(\.id.rawValue))
    if !known.isSuperset(of: selected) { faults.append("picked what can't be picked") }
    for tile in tiles {
      let number = selected.firstIndex(of: tile.name).map { $0 + 1 }
      if tile.pick != number.map({ picker.options.configuration.selectionLimit == 1 ? "✓" : "\($0)" }) {
        faults.append("numbers are wrong: \(tile.name) \(tile.pick ?? "-") \(selected)")
      }
    }
    return faults
  }

  /// The faults of a screen, as text.
  static func faults(of frame: ScreenFrame, metrics: ScreenMetrics) -> [String] {
    var faults: [String] = []
    if frame.size != metrics.size { faults.append("another size") }
    let screen = CellRect(column: 0, row: 0, columns: frame.size.columns, rows: frame.size.rows)
    for (index, slot) in frame.slots.enumerated() {
      let rect = slot.rect
      let isAcross = rect.column >= 0 && rect.endColumn <= screen.endColumn
      let isDown = rect.row >= 0 && rect.endRow <= screen.endRow
      guard !rect.isEmpty, isAcross, isDown else {
        faults.append("a picture leaves the screen")
        continue
      }
      if rect.endRow == screen.endRow { faults.append("a picture in the last row") }
      for row in rect.row..<rect.endRow {
        let cells = frame.row(row).dropFirst(rect.column).prefix(rect.columns)
        if !cells.allSatisfy({ $0.content == .picture }) { faults.append("text in a picture") }
      }
      if frame.slots[(index + 1)...].contains(where: { $0.rect.intersects(rect) }) {
        faults.append("pictures overlap")
      }
    }
    let covered = frame.slots.reduce(0) { $0 + $1.rect.columns * $1.rect.rows }
    if frame.cells.count(where: { $0.content == .picture }) != covered {
      faults.append("picture cells left over")
    }
    return faults + wideFaults(of: frame)
  }

  /// A wide character has its second half, and no half occurs alone.
  private static func wideFaults(of frame: ScreenFrame) -> [String] {
    for row in 0..<frame.size.rows {
      let cells = Array(frame.row(row))
      for (column, cell) in cells.enumerated() where cell.content == .continuation {
        guard column > 0, case .text(let text) = cells[column - 1].content, DisplayText(text).width == 2
        else { return ["half a wide character"] }
      }
    }
    return []
  }
}
