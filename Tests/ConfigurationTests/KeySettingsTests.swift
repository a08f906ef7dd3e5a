import PickerUI
import Testing

@testable import Configuration

@Suite struct KeySettingsTests {
  private func read(_ text: String) -> (bindings: KeyBindings, problems: [String]) {
    let reader = SettingsReader(Array(text.utf8))
    return (reader.settings.bindings, reader.problems.map(\.description))
  }

  @Test func `A key that is assigned twice belongs to the first command`() {
    let result = read("[keys]\nsearch = 'x'\ntoggle = ['x', 't']\ncancel = ['x', 'q']")
    #expect(
      result.problems == [
        "keys.search: 'x' is already assigned to toggle", "keys.cancel: 'x' is already assigned to toggle",
      ])
    #expect(result.bindings.command(for: .character("x")) == .toggle)
    #expect(result.bindings.keys(for: .cancel) == [.character("q")])
  }

  @Test func `A key listed twice for one command counts once`() {
    let result = read("[keys]\ntoggle = ['x', 't', 'x']")
    #expect(result.bindings.keys(for: .toggle) == [.character("x"), .character("t")])
  }

  @Test func `A command whose only key was assigned earlier keeps its default`() {
    let result = read("[keys]\nleft = 'x'\nright = 'x'")
    #expect(result.problems == ["keys.right: 'x' is already assigned to left"])
    #expect(result.bindings.keys(for: .left) == [.character("x")])
    #expect(result.bindings.keys(for: .right) == KeyBindings.standard.keys(for: .right))
  }

  @Test func `A command that has to give up its only key keeps its default`() {
    let result = read("[keys]\ntoggle = 'ctrl-c'\ncancel = []")
    #expect(result.problems == ["keys.cancel: there must be a key to leave the picker; ctrl-c stays"])
    #expect(result.bindings.keys(for: .toggle) == KeyBindings.standard.keys(for: .toggle))
    #expect(result.bindings.keys(for: .cancel) == [.control("c")])
  }

  @Test func `A command that loses its last key because the picker keeps a key to leave is reported`() {
    let result = read("[keys]\ntoggle = 'ctrl-c'\ncancel = []\nright = 'space'")
    #expect(
      result.problems == [
        "keys.cancel: there must be a key to leave the picker; ctrl-c stays",
        "keys.toggle: its keys are assigned to others; assign another key, or [] for none",
      ])
  }

  @Test func `A key taken from a command with other keys is not reported`() {
    let result = read("keys.toggle = 'q'")
    #expect(result.problems.isEmpty)
    #expect(result.bindings.keys(for: .cancel) == [.control("c")])
  }

  @Test func `A command that loses its last key is reported unless that was intended`() {
    let lost = read("keys.toggle = 'f'")
    #expect(
      lost.problems == [
        "keys.filter-menu: its keys are assigned to others; assign another key, or [] for none"
      ])
    #expect(lost.bindings.command(for: .character("f")) == .toggle)
    let meant = read("keys.toggle = 'f'\nkeys.filter-menu = []")
    #expect(meant.problems.isEmpty)
    #expect(meant.bindings == lost.bindings)
  }

  @Test(arguments: ["cancel = []", "toggle = ['q', 'ctrl-c']"])
  func `The picker can always be left`(text: String) {
    let result = read("keys.\(text)")
    #expect(result.problems.last == "keys.cancel: there must be a key to leave the picker; ctrl-c stays")
    #expect(result.bindings.command(for: .control("c")) == .cancel)
  }

  @Test func `Keys can be swapped`() {
    let result = read("[keys]\nfilter-menu = 's'\nsort-menu = 'f'")
    #expect(result.problems.isEmpty)
    #expect(result.bindings.command(for: .character("s")) == .filterMenu)
    #expect(result.bindings.command(for: .character("f")) == .sortMenu)
  }
}
