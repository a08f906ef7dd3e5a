import AssetLibrary
import Fixtures
import Pixels
import Testing

@testable import PickerUI

/// Twenty thousand random events, and what has to hold after each.
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

  // Seconds: after each of twenty thousand events the whole state is looked at.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `No sequence of events breaks the picker`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let limit = Int.random(in: 0...4, using: &random)
    let isLimited = seed.isMultiple(of: 3)
    var picker = TestPicker.open(
      .numbered(20), limit: limit, status: isLimited ? .limited : .authorized,
      allowed: [LocalIdentifier("3"), LocalIdentifier("4")]
    ) { options in
      options.configuration.mode = seed.isMultiple(of: 4) ? .compact : .default
      if seed.isMultiple(of: 2) { options.maximumSynchronousPicks = 2 }
    }
    for step in 0..<2000 {
      happen(&picker, step, &random)
      var faults = faults(of: picker.state, library: picker.library, limit: limit)
      // Drawing costs more than updating; every third screen will do.
      if step.isMultiple(of: 3) { faults += Self.faults(of: picker.frame, metrics: picker.state.metrics) }
      #expect(faults.isEmpty, "seed \(seed), step \(step)")
      guard faults.isEmpty else { return }
    }
    // A double click or a click on a hint may have ended it: nothing else can.
    if let outcome = picker.outcome { #expect(outcome != .refused(.denied)) }
  }

  private func happen(_ picker: inout TestPicker, _ step: Int, _ random: inout SeededGenerator) {
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
    case 8 where picker.state.authorization.mode == .managing: picker.press(.enter)
    // Closes what is open, where something is.
    case 9
    where picker.state.input.overlay != nil || picker.state.input.prompt != nil
      || picker.state.picks.range != nil:
      picker.press(Bool.random(using: &random) || picker.state.input.prompt == nil ? .escape : .enter)
    case 10, 11, 12:
      picker.send(.mouse(mouseEvent(in: picker.state.metrics.size, &random)))
    case 13:
      let pastes = ["1", "type:", "a\nb", "日本", "\u{1B}[2J", "20240110", "new"]
      picker.send(.paste(pastes.randomElement(using: &random) ?? ""))
    case 14 where picker.state.library.isFetching: picker.answerFetches()
    case 14, 15:
      picker.selectInBulk()
      picker.answerPosters()
    default: picker.press(Self.keys.randomElement(using: &random) ?? .right)
    }
    picker.forgetOldEffects()
  }

  /// The mouse anywhere, also outside of the screen; two clicks in one place use what is there, and end it.
  private func mouseEvent(in size: CellSize, _ random: inout SeededGenerator) -> MouseEvent {
    let actions: [MouseEvent.Action] = [
      .press, .press, .rightPress, .drag, .drag, .drag, .release, .wheelUp, .wheelDown,
    ]
    return MouseEvent(
      actions.randomElement(using: &random) ?? .press, row: Int.random(in: 0..<size.rows + 3, using: &random),
      column: Int.random(in: 0..<size.columns + 3, using: &random),
      isControl: Int.random(in: 0..<4, using: &random) == 0)
  }

  private func faults(of state: PickerState, library: [Asset], limit: Int) -> [String] {
    var faults: [String] = []
    if state.authorization.mode == .picking, limit > 0, state.picks.selection.count > limit {
      faults.append("over the limit")
    }
    let known = Set(library.map(\.id))
    if !state.picks.selection.assets.allSatisfy({ known.contains($0.id) && !$0.isBroken }) {
      faults.append("picked what can't be picked")
    }
    if !state.library.assets.isEmpty, !state.library.assets.indices.contains(state.grid.cursor) {
      faults.append("cursor is lost")
    }
    if state.library.assets.isEmpty, state.grid.cursor != 0 { faults.append("cursor in nothing") }
    if state.layout != ScreenLayout(metrics: state.metrics, options: state.layoutOptions) {
      faults.append("a layout of what was before")
    }
    let geometry = state.layout.cells
    let row = state.grid.rows.row(of: state.grid.cursor)
    if geometry.columns > 0, !(state.grid.topRow..<state.grid.topRow + max(1, geometry.rows)).contains(row) {
      faults.append("cursor out of sight")
    }
    if geometry.columns > 0, state.grid.rows.columns != geometry.columns {
      faults.append("rows of another width")
    }
    if state.grid.rows.count != state.library.assets.count { faults.append("rows of other assets") }
    if state.picks.bulk == nil, !state.picks.deferred.isEmpty {
      faults.append("keys are kept back for nothing")
    }
    let sizes = state.picks.selection.assets.map { state.pickMeasure.size(of: $0) }
    if state.picks.selection.byteCount != sizes.reduce(0, { $0 + $1.byteCount }) {
      faults.append("another size")
    }
    let tally = state.picks.selection.tally
    if tally.estimates != sizes.count(where: \.isEstimate) { faults.append("other estimates") }
    if tally.unavailable != sizes.count(where: \.isUnavailable) { faults.append("others can't be used") }
    if state.picks.showsStrip, !state.picks.selection.assets.indices.contains(state.picks.stripCursor) {
      faults.append("strip without a cursor")
    }
    if state.input.focus == .strip, !state.picks.showsStrip { faults.append("focus on nothing") }
    if state.preview.isFullScreen, state.input.focus == .sidebar { faults.append("focus behind the photo") }
    if state.picks.range != nil, state.input.focus != .grid { faults.append("a range that is not seen") }
    if state.input.overlay != nil, state.input.prompt != nil { faults.append("typing under an overlay") }
    if state.grid.topRow < 0 { faults.append("scrolled past the beginning") }
    if state.picks.selection.assets.enumerated().contains(where: {
      state.picks.selection.number(of: $1.id) != $0 + 1
    }) {
      faults.append("numbers are wrong")
    }
    return faults
  }

  /// What is wrong with a screen, in words.
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

  /// A wide character has its second half, and no half stands alone.
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
