import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

/// Keys that run user-defined programs.
@Suite struct ProgramKeyTests {
  private static func key(
    _ key: Key, _ kind: ProgramKey.Kind = .execute, current: Bool = true, picks: Bool = true
  ) -> ProgramKey {
    ProgramKey(key, kind, index: 0, title: "gimp {}", needsCurrent: current, needsPicks: picks)
  }

  private func open(_ keys: ProgramKey..., library: [Asset] = .numbered(30)) -> TestPicker {
    .open(library, size: CellSize(columns: 120, rows: 60)) { options in
      options.callerKeys.programs = keys
      options.bindings = options.bindings.without(keys.map(\.key))
    }
  }

  private func runs(_ effects: [PickerEffect]) -> [ProgramRun] {
    effects.compactMap { if case .run(let run) = $0 { run } else { nil } }
  }

  @Test func `The program gets the asset under the cursor, and the picks in order`() {
    let key = Self.key(.control("e"))
    var picker = open(key)
    picker.press(.right, .space, .left, .space, .end)
    let expected = ProgramRun(
      key, current: picker.library[29], picks: [picker.library[1], picker.library[0]])
    #expect(runs(picker.press(.control("e"))) == [expected])
    #expect(picker.outcome == nil)
  }

  @Test func `Without picks the asset under the cursor is passed as the pick`() {
    let key = Self.key(.alt("e"))
    var picker = open(key)
    let expected = ProgramRun(key, current: picker.library[0], picks: [picker.library[0]])
    #expect(runs(picker.press(.alt("e"))) == [expected])
  }

  @Test func `The program gets only the asset kinds it accepts`() {
    let key = Self.key(.function(5), current: false, picks: false)
    var picker = open(key, library: [])
    #expect(runs(picker.press(.function(5))) == [ProgramRun(key, current: nil, picks: [])])
  }

  @Test func `It is not run without a photo, or on a broken one`() {
    for library in [[], [Asset.broken]] {
      var picker = open(Self.key(.control("e")), library: library)
      #expect(runs(picker.press(.control("e"))).isEmpty)
      #expect(picker.lines.contains { $0.contains("No photo to run this on") })
    }
  }

  @Test func `It may replace the picker`() {
    let key = Self.key(.control("e"), .become)
    var picker = open(key)
    picker.press(.control("e"))
    #expect(
      picker.outcome == .become(ProgramRun(key, current: picker.library[0], picks: [picker.library[0]])))
  }

  @Test func `In a prompt a character is text, and a Ctrl key runs it`() {
    var picker = open(Self.key(.character("1")), Self.key(.control("e")))
    #expect(runs(picker.press(.character("/"), .character("1"))).isEmpty)
    #expect(picker.prompt == "1")
    picker.answerFetches()
    #expect(runs(picker.press(.control("e"))).count == 1)
  }

  @Test func `While accessible photos are chosen no program is run`() {
    var picker = TestPicker.open(status: .limited, allowed: [LocalIdentifier("0")]) {
      $0.callerKeys.programs = [Self.key(.control("e"))]
    }
    picker.press(.character("m"))
    picker.answerFetches()
    #expect(runs(picker.press(.control("e"))).isEmpty)
  }

  @Test func `A failure is reported`() {
    var picker = open(Self.key(.control("e")))
    picker.send(.programFailed("gimp: ended with status 3"))
    #expect(picker.lines.contains { $0.contains("gimp: ended with status 3") })
  }

  @Test func `The help lists it`() {
    var picker = open(Self.key(.alt("e")))
    picker.press(.character("?"))
    #expect(picker.lines.contains { $0.contains("Alt-e") && $0.contains("gimp {}") })
  }
}

extension Asset {
  /// An unreadable asset.
  fileprivate static var broken: Asset {
    var asset = Asset.photo("broken", day: 1)
    asset.defect = "cut"
    return asset
  }
}

/// Keys reassigned to other commands.
@Suite struct ReboundKeysTests {
  @Test func `A key can be moved to another command, or unbound`() {
    let bindings = KeyBindings.standard.rebound([
      (.character("x"), .toggle), (.character("a"), .confirm), (.character("f"), nil),
      (.character("x"), .review),
    ])
    #expect(bindings.command(for: .character("x")) == .review)
    #expect(bindings.keys(for: .toggle) == [.space])
    #expect(bindings.command(for: .character("a")) == .confirm)
    #expect(bindings.keys(for: .confirm) == [.enter, .character("a")])
    #expect(bindings.keys(for: .selectAll).isEmpty && bindings.keys(for: .filterMenu).isEmpty)
    #expect(bindings.command(for: .enter) == .confirm)
  }

  @Test func `A command without keys gets a key again`() {
    let bare = KeyBindings.standard.changed([.filterMenu: []])
    #expect(bare.rebound([(.function(2), .filterMenu)]).keys(for: .filterMenu) == [.function(2)])
    #expect(KeyBindings.standard.rebound([]) == .standard)
  }
}
