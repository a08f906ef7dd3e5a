import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct LimitedAccessTests {
  private static let allowed: Set = [LocalIdentifier("2"), LocalIdentifier("5")]

  private func limited() -> TestPicker { .open(limit: 3, status: .limited, allowed: Self.allowed) }

  @Test func `A banner shows how many photos are allowed`() {
    #expect(limited().shows("Limited access · 2 of 30 photos · m to choose others"))
  }

  @Test func `The banner counts like the grid: a burst is one photo`() {
    var picker = TestPicker(limit: 3)
    (picker.allowed, picker.libraryCount) = (Self.allowed, 28)
    picker.send(.authorization(.limited))
    picker.answerFetch()
    #expect(picker.shows("Limited access · 2 of 28 photos"))
  }

  @Test func `With no allowed photos the selection can still be changed`() {
    let picker = TestPicker.open(status: .limited)
    #expect(picker.shows("No photos allowed yet"))
    #expect(picker.shows("m choose photos"))
  }

  @Test func `m shows the whole library and marks the allowed photos`() {
    var picker = limited()
    picker.press(.character("m"))
    #expect(picker.query?.mode == .managing)
    picker.answerFetch()
    #expect(picker.title.contains("30 photos"))
    #expect(Set(picker.selected) == ["2", "5"])
    #expect(picker.shows("Photos that tpick may see"))
  }

  @Test func `Allowed photos have a check mark, because they have no order, and the keys say what they do`() {
    var picker = limited()
    picker.press(.character("m"))
    picker.answerFetch()
    #expect(picker.tiles.compactMap(\.pick) == ["✓", "✓"])
    #expect(picker.lastLine.contains("Space allow"))
    picker.press(.right, .right)
    #expect(picker.lastLine.contains("Space don't allow"))
    picker.press(.character("r"))
    #expect(picker.strip?.map(\.pick) == ["✓", "✓"])
    #expect(picker.lastLine.contains("2 allowed · 1 of 2"))
    #expect(picker.lastLine.contains("Enter done   Space don't allow"))
    #expect(!picker.lastLine.contains("use 2") && !picker.lastLine.contains("pick"))
  }

  @Test func `Enter without changes changes nothing`() {
    var picker = limited()
    picker.press(.character("m"))
    picker.answerFetch()
    #expect(picker.press(.enter).contains(.setLimitedSelection(Self.allowed)))
  }

  @Test func `A picker opened only for this choice ends with it, and not before it is possible`() {
    var picker = TestPicker { options in
      options.opening.choosesAccess = true
      options.opening.endsWithAccess = true
    }
    picker.allowed = Self.allowed
    picker.send(.authorization(.limited))
    #expect(picker.press(.enter).isEmpty)
    picker.answerFetch()
    let effects = picker.press(.enter)
    #expect(effects.contains(.setLimitedSelection(Self.allowed)) && effects.contains(.finish(.accessChosen)))
    var left = TestPicker {
      $0.opening.choosesAccess = true; $0.opening.endsWithAccess = true
    }
    left.send(.authorization(.limited))
    left.answerFetch()
    #expect(left.press(.escape).contains(.finish(.cancelled)))
  }

  @Test func `Full access granted elsewhere ends the choice without a change`() {
    var picker = limited()
    picker.press(.character("m"))
    picker.answerFetch()
    picker.press(.space)
    picker.send(.authorization(.authorized))
    #expect(picker.query?.mode == .picking && !picker.shows("Choose the photos"))
    #expect(picker.selected.isEmpty)
  }

  @Test func `Enter before the library is loaded changes nothing`() {
    var picker = limited()
    picker.press(.character("m"))
    #expect(
      picker.press(.enter).allSatisfy { $0.fetchQuery != nil || $0.posterQuery != nil || $0.wants != nil })
    #expect(picker.query?.mode == .picking && !picker.shows("Choose the photos"))
  }

  @Test func `Enter allows the marked photos and shows them`() {
    var picker = limited()
    picker.press(.character("m"))
    picker.answerFetch()
    picker.press(.space, .right, .right, .space)
    #expect(picker.lastLine.contains("2 allowed"))
    let chosen: Set = [LocalIdentifier("0"), LocalIdentifier("5")]
    #expect(picker.press(.enter).contains(.setLimitedSelection(chosen)))
    #expect(picker.query?.mode == .picking)
    picker.allowed = chosen
    picker.answerFetch()
    #expect(picker.tiles.map(\.name) == ["0", "5"])
  }

  @Test func `Allowed photos that have not been found yet stay allowed`() {
    var picker = limited()
    let all = picker.library
    picker.library = Array(all.prefix(4))
    picker.press(.character("m"))
    picker.answerFetch()
    #expect(picker.selected == ["2"])
    #expect(picker.press(.enter).contains(.setLimitedSelection(Self.allowed)))
    picker.press(.character("m"))
    picker.answerFetch()
    picker.library = all
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(Set(picker.selected) == ["2", "5"])
  }

  @Test func `A line break in a name prevents picking, not allowing`() {
    var picker = TestPicker.open([.photo("a\nb")], status: .limited)
    picker.press(.character("m"))
    picker.answerFetch()
    picker.press(.space)
    #expect(picker.selected == ["a\nb"])
  }

  @Test func `Albums are counted again for the current view`() {
    var picker = limited()
    picker.press(.character("m"))
    #expect(picker.query?.albums != nil)
    picker.answerFetch()
    picker.press(.enter)
    #expect(picker.query?.albums != nil)
  }

  @Test func `Select none revokes allowed photos that have not been found yet`() {
    var picker = limited()
    picker.library = Array(picker.library.prefix(4))
    picker.press(.character("m"))
    picker.answerFetch()
    picker.press(.character("u"))
    #expect(picker.press(.enter).contains(.setLimitedSelection([])))
  }

  @Test func `The caller is notified of picks, not of allowed photos`() {
    var picker = TestPicker.open(limit: 3, status: .limited, allowed: Self.allowed) {
      $0.configuration.selection = .continuous
    }
    picker.press(.character("m"))
    picker.answerFetch()
    picker.press(.space)
    #expect(!picker.effects.contains { if case .report = $0 { true } else { false } })
  }

  @Test func `Esc leaves everything unchanged`() {
    var picker = limited()
    picker.press(.space, .character("m"))
    picker.answerFetch()
    picker.press(.character("a"), .escape)
    #expect(!picker.effects.contains { if case .setLimitedSelection = $0 { true } else { false } })
    #expect(picker.outcome == nil)
    #expect(picker.selected == ["2"])
  }

  @Test(arguments: [Key.character("q"), .control("c")])
  func `Canceling ends the picker also while access is chosen`(key: Key) {
    var picker = limited()
    picker.press(.character("m"))
    picker.answerFetch()
    picker.press(.character("a"), key)
    #expect(!picker.effects.contains { if case .setLimitedSelection = $0 { true } else { false } })
    #expect(picker.outcome == .cancelled)
  }

  @Test func `Picks that are no longer allowed are dropped`() {
    var picker = limited()
    picker.press(.space, .right, .space, .character("m"))
    picker.answerFetch()
    picker.press(.character("u"), .home, .right, .right, .space, .enter)
    #expect(picker.selected == ["2"])
  }

  @Test func `The choice of allowed photos ignores the pick limit`() {
    var picker = limited()
    picker.press(.character("m"))
    picker.answerFetch()
    picker.press(.character("a"))
    #expect(picker.selected.count == 30)
  }

  @Test func `With full access there is nothing to manage`() {
    var picker = TestPicker.open()
    picker.press(.character("m"))
    #expect(picker.lastLine.contains("All photos are accessible"))
    #expect(picker.query?.mode == .picking && !picker.shows("Choose the photos"))
  }

  @Test func `The picker can open with the choice`() {
    var picker = TestPicker { $0.opening.choosesAccess = true }
    picker.send(.authorization(.limited))
    #expect(picker.query?.mode == .managing)
    picker.answerFetch()
    picker.press(.space)
    #expect(picker.press(.enter).contains(.setLimitedSelection([LocalIdentifier("0")])))
  }

  // MARK: Allowed photos found while others are chosen

  /// Choosing allowed photos in a library of which "2" and "5" are still unread.
  private func managing() -> TestPicker {
    var picker = TestPicker.open(
      .numbered(30).filter { !Self.allowed.contains($0.id) }, status: .limited, allowed: Self.allowed
    ) { $0.maximumSynchronousPicks = 20 }
    picker.press(.character("m"))
    picker.answerFetch()
    return picker
  }

  /// Reads the rest of the library.
  private func readOn(_ picker: inout TestPicker) {
    picker.library = .numbered(30)
    picker.send(.libraryChanged)
    picker.answerFetches()
  }

  private func chosen(_ picker: inout TestPicker) -> Set<String>? {
    picker.press(.enter).lazy.compactMap { effect -> Set<String>? in
      guard case .setLimitedSelection(let chosen) = effect else { return nil }
      return Set(chosen.map(\.rawValue))
    }.first
  }

  @Test(arguments: [Key.right, .left, .escape])
  func `A range that is open when they are found does not revoke them`(key: Key) {
    var picker = managing()
    picker.press(.character("v"), .right)
    readOn(&picker)
    #expect(Set(picker.selected) == ["0", "1", "2", "5"])
    picker.press(key, .left, .left)
    // Esc has nothing left to drop, and returns.
    if key == .escape { return #expect(picker.query?.mode == .picking && picker.shows("Limited access")) }
    #expect(chosen(&picker) == ["0", "1", "2", "5"])
  }

  @Test func `If a range is picked in bulk they are marked afterwards`() {
    var picker = managing()
    picker.press(.character("a"))
    readOn(&picker)
    picker.selectInBulk()
    picker.answerFetches()
    #expect(picker.selected.count == 30)
    // Each of them is marked: no unmarked photo is allowed.
    #expect(picker.lastLine.contains("30 allowed"))
    #expect(chosen(&picker)?.count == 30)
  }

  @Test func `One that is unselected afterwards stays unselected`() {
    var picker = managing()
    picker.press(.character("a"))
    readOn(&picker)
    // The cursor is at "0", the first photo.
    picker.press(.right, .right, .space)
    picker.selectInBulk()
    picker.answerFetches()
    #expect(chosen(&picker)?.count == 29)
  }

  @Test func `Esc during the bulk selection marks them as well`() {
    var picker = managing()
    picker.press(.character("a"))
    readOn(&picker)
    picker.press(.escape)
    #expect(Set(picker.selected) == Self.names)
    #expect(chosen(&picker) == Self.names)
  }

  private static let names = Set(allowed.map(\.rawValue))

  @Test func `An unselecting drag ends when they are found, and the marks are those of all allowed photos`() {
    var picker = managing()
    picker.press(.space, .right, .space, .right, .space)
    let tiles = picker.tiles
    let drag = { (action: MouseEvent.Action, place: Int, picker: inout TestPicker) in
      let box = tiles[place].rectangle
      _ = picker.send(.mouse(MouseEvent(action, row: box.row, column: box.column)))
    }
    drag(.press, 0, &picker)
    drag(.drag, 1, &picker)
    let before = picker.selected
    readOn(&picker)
    drag(.drag, 2, &picker)
    #expect(Set(picker.selected) == Self.names.union(before))
    let marks = picker.tiles.compactMap(\.pick)
    #expect(marks == Array(repeating: "✓", count: picker.selected.count))
  }
}
