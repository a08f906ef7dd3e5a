/// The keys of each command, in the order of the help.
package struct KeyBindings: Hashable, Sendable {
  /// A key and its command.
  package struct Binding: Hashable, Sendable {
    package var key: Key
    package var command: Command
  }

  /// One line of the help.
  package struct Group: Hashable, Sendable {
    package var title: String
    package var bindings: [Binding]
    /// Replaces the list of keys in the help.
    package var label: String?

    init(_ title: String, label: String? = nil, _ bindings: [Binding] = []) {
      (self.title, self.label, self.bindings) = (title, label, bindings)
    }
  }

  /// Groups under one heading of the help.
  package struct Section: Hashable, Sendable {
    package var title: String
    package var groups: [Group]
  }

  /// The keys of the commands that have any, in display order.
  private var bound: [Command: [Key]]
  /// Lines at the end of the help for the caller's keys.
  var callerGroups: [Group] = []

  /// The bindings of the table of commands.
  package static let standard = KeyBindings(
    bound: Dictionary(uniqueKeysWithValues: Command.allCases.map { ($0, $0.row.keys) }))

  /// The lines of the help under their headings, without commands that have no key.
  ///
  /// Within a line, the first keys of all its commands come first.
  package var sections: [Section] {
    var sections: [Section] = []
    for command in Command.allCases {
      let (row, keys) = (command.row, keys(for: command))
      if sections.last?.title != row.section.rawValue {
        sections.append(Section(title: row.section.rawValue, groups: []))
      }
      let bindings = keys.map { Binding(key: $0, command: command) }
      if sections[sections.count - 1].groups.last?.title == row.title {
        let last = sections[sections.count - 1].groups.count - 1
        sections[sections.count - 1].groups[last].bindings += bindings
      } else {
        let label = keys == Command.jump.row.keys ? "0–9" : nil
        sections[sections.count - 1].groups.append(Group(row.title, label: label, bindings))
      }
    }
    for section in sections.indices {
      sections[section].groups.removeAll { $0.bindings.isEmpty }
      for group in sections[section].groups.indices { sections[section].groups[group].interleave() }
    }
    sections.removeAll { $0.groups.isEmpty }
    if !callerGroups.isEmpty { sections.append(Section(title: "For the caller", groups: callerGroups)) }
    return sections
  }

  /// The groups of all sections.
  package var groups: [Group] { sections.flatMap(\.groups) }

  /// The command that a key is bound to; nil if there is none.
  /// - Parameter isPlaying: whether something plays, which has commands of its own for some keys.
  package func command(for key: Key, isPlaying: Bool = false) -> Command? {
    let commands = bound.filter { $0.value.contains(key) }.keys
    let ofPlayback = isPlaying ? commands.first(where: \.isForPlayback) : nil
    return ofPlayback ?? commands.first { !$0.isForPlayback }
  }

  /// The first key bound to a command; nil if there is none.
  package func key(for command: Command) -> Key? { bound[command]?.first }

  /// All keys bound to a command.
  package func keys(for command: Command) -> [Key] { bound[command] ?? [] }

  /// The bindings with other keys for some commands.
  ///
  /// A reassigned key is taken from the command that had it, except that the same key may have another command while
  /// something plays.
  package func changed(_ changes: [Command: [Key]]) -> KeyBindings {
    let chosen = changes.filter { keys(for: $0.key) != $0.value }
    var changed = self
    for command in Command.allCases {
      let taken = Set(chosen.filter { $0.key.isForPlayback == command.isForPlayback }.values.joined())
      changed.bound[command] = chosen[command] ?? keys(for: command).filter { !taken.contains($0) }
    }
    return changed
  }

  /// The bindings after some keys were assigned to other commands, one after the other; nil = the key is unassigned.
  package func rebound(_ steps: [(key: Key, command: Command?)]) -> KeyBindings {
    var rebound = self
    for (key, command) in steps {
      for other in Command.allCases where other.isForPlayback == command?.isForPlayback ?? other.isForPlayback
      {
        rebound.bound[other]?.removeAll { $0 == key }
      }
      if let command { rebound.bound[command, default: []].append(key) }
    }
    return rebound
  }

  /// The bindings without the keys that the caller has reserved.
  package func without(_ keys: some Sequence<Key>) -> KeyBindings { rebound(keys.map { ($0, nil) }) }
}

extension KeyBindings.Group {
  /// Puts the first key of each command before the second ones.
  fileprivate mutating func interleave() {
    var numbers: [Command: Int] = [:]
    let numbered = bindings.map { binding in
      numbers[binding.command, default: 0] += 1
      return (number: numbers[binding.command] ?? 0, binding: binding)
    }
    let highest = numbered.map(\.number).max() ?? 0
    bindings = (0...highest).flatMap { number in numbered.filter { $0.number == number }.map(\.binding) }
  }
}

/// Preset bindings that are familiar from other programs.
package enum KeyPreset: String, CaseIterable, Hashable, Sendable {
  case standard, fzf, vim

  package var bindings: KeyBindings { KeyBindings.standard.changed(changes) }

  private var changes: [Command: [Key]] {
    switch self {
    case .standard: [:]
    case .fzf:
      [
        .toggleNext: [.tab, .control(" ")], .togglePrevious: [.backTab],
        .down: [.down, .control("n"), .character("j")],
        .up: [.up, .control("p"), .control("k"), .character("k")],
        .selectAll: [.alt("a"), .character("a")], .unselectAll: [.alt("d"), .character("u")],
        .close: [.escape, .control("g")], .nextPane: [.character("A")], .previousPane: [],
        .addToAlbum: [.control("a")],
      ]
    case .vim:
      [
        .toggle: [.space, .character("x")], .toggleNext: [.control(" ")],
        .pageDown: [.pageDown, .control("f"), .control("d")],
        .pageUp: [.pageUp, .control("b"), .control("u")],
        .undo: [.character("u")], .unselectAll: [.character("U")],
        .range: [.character("v"), .character("V")],
        .nextPane: [.tab, .control("w")],
      ]
    }
  }
}
