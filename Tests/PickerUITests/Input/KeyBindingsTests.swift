import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct KeyBindingsTests {
  @Test func `A key without a function names the help key once`() {
    var picker = TestPicker.open()
    picker.press(.function(7))
    #expect(picker.lastLine.contains("Press ? for help"))
    picker.press(.right)
    #expect(!picker.lastLine.contains("Press ? for help"))
    picker.press(.character("%"))
    #expect(!picker.lastLine.contains("Press ? for help"))
    // In a prompt every character is text, and a menu shows its own keys.
    var typing = TestPicker.open()
    typing.press(.character("/"), .character("%"))
    #expect(!typing.lastLine.contains("for help"))
  }

  /// The keys of the commands that count only while something plays, and all others.
  private static func contexts(_ bindings: KeyBindings) -> [[Key]] {
    let all = bindings.groups.flatMap(\.bindings)
    return [all.filter(\.command.isForPlayback), all.filter { !$0.command.isForPlayback }].map {
      $0.map(\.key)
    }
  }

  @Test func `No key has two functions, except while something plays`() {
    for keys in Self.contexts(.standard) { #expect(Set(keys).count == keys.count) }
    for (key, command) in [(".", Command.showHidden), ("5", .jump), ("<", .moveEarlier)] as [(Key, Command)] {
      #expect(KeyBindings.standard.command(for: key) == command)
      #expect(KeyBindings.standard.command(for: key, isPlaying: true)?.isForPlayback == true)
    }
    #expect(KeyBindings.standard.command(for: "w", isPlaying: true) == .play)
    #expect(KeyBindings.standard.command(for: ",") == nil)
  }

  @Test func `A key that is assigned keeps its function while something plays, and the other way round`() {
    let changed = KeyBindings.standard.changed([.hide: ["."], .faster: ["H"]])
    #expect(changed.command(for: ".") == .hide && changed.keys(for: .showHidden).isEmpty)
    #expect(changed.command(for: ".", isPlaying: true) == .nextFrame)
    #expect(changed.command(for: "H", isPlaying: true) == .faster && changed.command(for: "H") == nil)
    #expect(changed.command(for: ">", isPlaying: true) == .moveLater)
    let reserved = KeyBindings.standard.without(["."])
    #expect(reserved.command(for: ".", isPlaying: true) == nil && reserved.command(for: ".") == nil)
  }

  @Test func `Every function has a key`() {
    for command in Command.allCases { #expect(KeyBindings.standard.key(for: command) != nil, "\(command)") }
  }

  @Test(arguments: KeyPreset.allCases)
  func `Each preset can pick, confirm and leave, and no key has two functions`(preset: KeyPreset) {
    for keys in Self.contexts(preset.bindings) { #expect(Set(keys).count == keys.count) }
    for command in Command.allCases where command != .previousPane {
      #expect(preset.bindings.key(for: command) != nil, "\(preset): \(command)")
    }
  }

  @Test func `With fzf's keys Tab picks and moves on, and Shift-Tab picks and moves back`() {
    var picker = TestPicker.open(.numbered(9), limit: 0) { $0.bindings = KeyPreset.fzf.bindings }
    picker.press(.tab, .tab, .backTab)
    #expect(picker.selected == ["0", "1", "2"])
    picker.press(.control("n"), .control(" "))
    #expect(picker.selected.count == 4)
  }

  @Test func `A photo that can't be picked keeps the cursor`() {
    var picker = TestPicker.open(.numbered(9), limit: 2)
    picker.press(.character("x"), .character("x"), .character("x"))
    #expect(picker.selected == ["0", "1"])
    picker.press(.character("x"))
    #expect(picker.cursor == "2")
    // Unpicking moves on as well.
    picker.press(.left, .character("X"))
    #expect(picker.selected == ["0"])
    #expect(picker.cursor == "0")
  }

  @Test(arguments: KeyBindings.standard.groups)
  func `The help lists every function with its keys`(group: KeyBindings.Group) {
    var picker = TestPicker.open(size: CellSize(columns: 120, rows: 80))
    picker.press(.character("?"))
    let label = group.label ?? group.bindings.map { $0.key.label(.unicode) }.joined(separator: " ")
    #expect(picker.lines.contains { $0.contains(group.title) && $0.contains(label) })
    #expect(picker.press(.character("?")).allSatisfy { $0.wants != nil })
    #expect(!picker.shows("Esc closes"))
  }

  @Test(arguments: [
    CellSize(columns: 20, rows: 6), .init(columns: 60, rows: 15), .init(columns: 80, rows: 24),
  ])
  func `A help longer than the screen can be scrolled`(size: CellSize) {
    var picker = TestPicker.open(size: size)
    picker.press(.character("?"))
    var seen = Set(picker.lines)
    for _ in 0..<60 {
      picker.press(.down)
      if picker.box == nil { break }
      seen.formUnion(picker.lines)
    }
    let words = KeyBindings.standard.groups.map { String($0.title.prefix(4)) }
    if size.columns >= 60 {
      for word in words { #expect(seen.contains { $0.contains(word) }, "\(word)") }
    }
    picker.press(.escape)
    #expect(picker.outcome == nil)
    #expect(picker.box == nil && picker.tiles.count > 0)
  }

  @Test func `The help shows the current key bindings`() {
    let bindings = KeyBindings.standard.changed([.toggle: [.character("x")], .help: [.character("H")]])
    var picker = TestPicker.open { $0.bindings = bindings }
    picker.press(.character("x"))
    #expect(picker.selected == ["0"])
    picker.press(.character("H"))
    #expect(picker.lines.contains { $0.contains("x") && $0.contains("pick or unpick") })
  }

  /// Every key that the screen names has another binding here.
  private static let others = KeyBindings.standard.changed([
    .manageAccess: [.character("X")], .cancel: [.character("Q")], .nextPane: [.character("T")],
    .showEverything: [.character("C")], .search: [.character("S")], .close: [.control("x")],
    .confirm: [.control("d")], .toggle: [.character("t")], .left: [.character("L")],
    .right: [.character("R")],
  ])

  private func open(
    _ library: [Asset] = .numbered(9), status: AuthorizationStatus = .authorized,
    allowed: Set<LocalIdentifier> = [], filter: PickerFilter? = nil
  ) -> TestPicker {
    .open(library, status: status, allowed: allowed) { options in
      options.bindings = Self.others
      options.configuration.filter = filter
    }
  }

  @Test func `The screen names the keys that the user configured`() {
    var picker = open(status: .limited, allowed: [LocalIdentifier("1")])
    #expect(picker.shows("X to choose others"))
    picker.press(.character("X"))
    picker.answerFetches()
    #expect(picker.shows("^D done"))
    #expect(open(status: .limited).shows("X choose photos"))
    #expect(open([]).shows("^X leave"))
    #expect(open(filter: .matching(.videos)).shows("T other albums · ^X leave"))
    picker = open()
    picker.press(.character("S"), .character("ß"), .enter)
    picker.answerFetches()
    #expect(picker.shows("C clear · S search again") && picker.shows("T other albums"))
    picker = open()
    picker.press(.character("f"))
    // Typing narrows the menu, so its own keys are fixed.
    #expect(picker.shows("Space include, exclude   Backspace clear   Esc done"))
    picker.press(.control("x"), .character("s"))
    #expect(picker.shows("Enter sort   Esc done"))
    picker.press(.control("x"), .character("i"))
    picker.send(.resized(.size(CellSize(columns: 70, rows: 20))))
    picker.press(.character("i"))
    if picker.box == nil { picker.press(.character("i")) }
    #expect(picker.box?.title == "Info" && picker.shows("LR other photos   ^X close"))
  }

  @Test func `A command without a key is not named`() {
    var picker = TestPicker.open([]) { $0.bindings = .standard.changed([.close: []]) }
    #expect(picker.shows("No photos here") && !picker.shows("leave"))
    picker.press(.character("s"))
    #expect(picker.shows("Enter sort   Esc done"))
  }
}
