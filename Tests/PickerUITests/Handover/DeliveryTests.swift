import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// The picker waits until its result has been delivered.
@Suite struct DeliveryTests {
  private func open(
    columns: Int = 120, configure: (inout PickerState.Options) -> Void = { $0.deliversResults = true }
  ) -> TestPicker {
    .open(size: CellSize(columns: columns, rows: 40), configure: configure)
  }

  /// A picker that is delivering five photos.
  private func delivering(
    columns: Int = 120, configure: (inout PickerState.Options) -> Void = { $0.deliversResults = true }
  ) -> TestPicker {
    var picker = open(columns: columns, configure: configure)
    picker.press(.character("v"), .right, .right, .right, .right, .enter)
    return picker
  }

  private let halfway = DeliveryProgress(
    assets: 1, assetCount: 5, bytes: 12_000_000, byteCount: 36_000_000, activity: .converting)

  @Test func `The result is delivered before the picker ends with it`() {
    var picker = open()
    picker.press(.right, .space, .space, .space)
    let effects = picker.press(.enter)
    #expect(effects.contains(.deliver([picker.library[1]], RepresentationOptions())))
    #expect(picker.outcome == nil)
    picker.send(.delivered)
    #expect(picker.outcome == .picked([picker.library[1]]))
  }

  @Test func `Unchanged files need no delivery if the caller makes no copies`() {
    var picker = open { _ in }
    picker.press(.enter)
    #expect(picker.outcome == .picked([picker.library[0]]))
  }

  @Test func `Converted files are always delivered, in the chosen representation`() {
    var picker = open { _ in }
    picker.press(.space, .character("O"), .down, .space, .escape, .enter)
    #expect(picker.effects.compactMap(\.delivery).map(\.mode) == [.compatible] && picker.outcome == nil)
    picker.send(.delivered)
    guard case .picked(let assets, nil, let options) = picker.outcome else {
      Issue.record("no result")
      return
    }
    #expect(assets.map(\.id.rawValue) == ["0"] && options.mode == .compatible)
  }

  @Test func `An empty result needs no delivery`() {
    var picker = open {
      $0.deliversResults = true
      $0.allowsEmpty = true
    }
    picker.press(.space, .character("u"), .enter)
    #expect(picker.outcome == .picked([]))
  }

  @Test func `The confirming key is reported at the end`() {
    var picker = open {
      $0.deliversResults = true
      $0.callerKeys.expected = [.control("e")]
    }
    picker.press(.space, .character("/"), .control("e"))
    #expect(picker.prompt == nil && picker.outcome == nil)
    picker.send(.delivered)
    #expect(picker.outcome == .picked([picker.library[0]], by: .control("e")))
  }

  @Test func `The status line shows the progress`() {
    var picker = delivering()
    #expect(picker.lastLine.contains("copying ──────────── 1 of 5") && picker.lastLine.contains("Esc stop"))
    picker.send(.delivery(halfway, elapsed: 4))
    #expect(picker.lastLine.contains("converting ━━━━──────── 2 of 5 · 12.0 MB · 0:08 left"))
    #expect(picker.windowTitle.hasPrefix("33 % - "))
  }

  @Test func `If the number of bytes is unknown the progress counts photos`() {
    var picker = delivering()
    var progress = halfway
    progress.byteCount = nil
    picker.send(.delivery(progress, elapsed: 4))
    #expect(picker.lastLine.contains("converting ━━────────── 2 of 5 · 12.0 MB · 0:16 left"))
    progress.assets = 5
    picker.send(.delivery(progress, elapsed: 4))
    #expect(picker.lastLine.contains("━━━━━━━━━━━━ 5 of 5"))
  }

  @Test(arguments: [
    (80, "converting ━━━━──────── 2 of 5 · 12.0 MB · 0:08 left "),
    (60, "converting ━━━━──────── 2 of 5 · 12.0 MB "), (50, "converting 2 of 5 · 12.0 MB "),
    (30, "converting 2 of 5 "),
  ])
  func `Narrow windows show a shorter progress line`(columns: Int, words: String) {
    var picker = delivering(columns: columns)
    picker.send(.delivery(halfway, elapsed: 4))
    #expect(picker.lastLine.hasPrefix(" " + words) && picker.lastLine.hasSuffix("Esc stop "))
  }

  @Test func `Other actions are disabled during the delivery`() {
    var picker = delivering()
    let (frame, box) = (picker.frame, picker.tiles[0].rectangle)
    picker.press(.left, .space, .character("u"), .character("/"), .character("o"), .enter, .character("?"))
    picker.send(.mouse(MouseEvent(.press, row: box.row, column: box.column)))
    picker.send(.paste("lisbon"))
    // Cursor, picks, prompt and boxes are unchanged.
    #expect(picker.frame == frame && picker.outcome == nil)
    #expect(picker.effects.compactMap(\.delivery).count == 1)
  }

  @Test(arguments: [Key.escape, .character("q"), .control("c")])
  func `Esc, q and Ctrl-C cancel the delivery once, and it ends by itself`(key: Key) {
    var picker = delivering()
    #expect(picker.press(key).contains(.stopWork(Work.delivery)))
    #expect(picker.lastLine.contains("stopping") && !picker.lastLine.contains("Esc stop"))
    #expect(!picker.press(key, .escape).contains(.stopWork(Work.delivery)))
    #expect(picker.outcome == nil)
    picker.send(.delivered)
    #expect(picker.outcome == .picked(Array(picker.library.prefix(5))))
  }

  @Test func `Clicking the key hint cancels it as well`() throws {
    var picker = delivering()
    let place = try #require(picker.place(of: "Esc stop"))
    picker.send(.mouse(MouseEvent(.wheelUp, row: place.row, column: place.column)))
    #expect(!picker.effects.contains(.stopWork(Work.delivery)))
    picker.send(.mouse(MouseEvent(.press, row: place.row, column: place.column)))
    #expect(picker.effects.contains(.stopWork(Work.delivery)))
  }

  @Test func `Resizing, redrawing and suspending work during the delivery`() {
    var picker = delivering()
    picker.send(.resized(.size(CellSize(columns: 80, rows: 24))))
    #expect(picker.lines.count == 24 && picker.lastLine.contains("copying"))
    #expect(picker.press(.control("l")).contains(.redraw))
    #expect(picker.press(.control("z")).contains(.suspend))
  }

  @Test func `Messages about the library do not replace the progress`() {
    var picker = delivering()
    picker.library.removeFirst()
    picker.send(.libraryChanged)
    picker.answerFetches()
    #expect(picker.lastLine.contains("copying"))
    picker.send(.delivered)
    guard case .picked(let assets, _, _) = picker.outcome else {
      Issue.record("no result")
      return
    }
    #expect(assets.count == 5)
  }

  @Test func `The end of long work triggers the bell if enabled`() {
    for (elapsed, isHeard) in [(30.0, true), (3, false)] {
      var picker = delivering {
        $0.deliversResults = true
        $0.ringsBell = true
      }
      picker.send(.delivery(halfway, elapsed: elapsed))
      #expect(picker.send(.delivered).contains(.ring) == isHeard)
    }
  }

  @Test func `Keys queued behind a bulk selection are dropped once the selection is confirmed`() {
    var picker = TestPicker.open(.numbered(100)) {
      $0.deliversResults = true
      $0.maximumSynchronousPicks = 20
    }
    picker.press(.character("a"), .enter, .character("u"), .character("/"))
    picker.selectInBulk()
    #expect(picker.effects.compactMap(\.delivered).map(\.count) == [100])
    #expect(picker.prompt == nil && picker.windowTitle.hasSuffix("0 and 99 more - tpick"))
    picker.send(.delivered)
    #expect(picker.outcome == .picked(picker.library))
  }

  @Test func `An end without a start is ignored`() {
    var picker = open()
    #expect(picker.send(.delivered).isEmpty)
    #expect(picker.outcome == nil)
  }
}
