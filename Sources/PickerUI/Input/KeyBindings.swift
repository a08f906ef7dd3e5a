/// A command that a key can be bound to.
package enum Command: String, Hashable, Sendable, CaseIterable {
  case left, right, up, down
  case pageUp, pageDown, first, last
  case toggle, toggleNext, togglePrevious, confirm, selectAll, unselectAll, range, undo, redo
  case review, moveEarlier, moveLater
  case search, filterMenu, sortMenu, optionsMenu, showHidden, removeFilter, showEverything, jump
  case nextPane, previousPane
  case togglePreview, openFullScreen, zoom, info, infoDown, infoUp, play
  case nextVersion, nextInBurst, previousInBurst
  case largerThumbnails, smallerThumbnails, widerPane, narrowerPane
  case manageAccess
  case help, close, cancel, redraw, suspend
}

/// The bindings of keys to commands, in the order of the help.
package struct KeyBindings: Hashable, Sendable {
  /// A key and its command.
  package struct Binding: Hashable, Sendable {
    package var key: Key
    package var command: Command

    package init(_ key: Key, _ command: Command) {
      self.key = key
      self.command = command
    }
  }

  /// Related bindings that share one line of the help.
  package struct Group: Hashable, Sendable {
    package var title: String
    package var bindings: [Binding]
    /// Replaces the list of keys in the help.
    package var label: String?

    package init(_ title: String, label: String? = nil, _ bindings: [Binding]) {
      self.title = title
      self.label = label
      self.bindings = bindings
    }
  }

  /// Groups under one heading of the help.
  package struct Section: Hashable, Sendable {
    package var title: String
    package var groups: [Group]

    package init(_ title: String, _ groups: [Group]) {
      self.title = title
      self.groups = groups
    }
  }

  package var sections: [Section]

  package init(sections: [Section]) {
    self.sections = sections
  }

  /// The groups of all sections.
  package var groups: [Group] { sections.flatMap(\.groups) }

  /// The command that a key is bound to; nil if there is none.
  package func command(for key: Key) -> Command? {
    for section in sections {
      for group in section.groups {
        if let binding = group.bindings.first(where: { $0.key == key }) { return binding.command }
      }
    }
    return nil
  }

  /// The first key bound to a command; nil if there is none.
  package func key(for command: Command) -> Key? {
    for section in sections {
      for group in section.groups {
        if let binding = group.bindings.first(where: { $0.command == command }) { return binding.key }
      }
    }
    return nil
  }
}

extension KeyBindings {
  private static func keys(_ keys: Key..., for command: Command) -> [Binding] {
    keys.map { Binding($0, command) }
  }

  private static func group(_ title: String, _ bindings: [Binding]...) -> Group {
    Group(title, bindings.flatMap { $0 })
  }

  /// The default key bindings.
  package static let standard = KeyBindings(sections: [
    Section(
      "Moving",
      [
        group(
          "move",
          [
            Binding(.left, .left), Binding(.down, .down), Binding(.up, .up), Binding(.right, .right),
            Binding(.character("h"), .left), Binding(.character("j"), .down),
            Binding(.character("k"), .up), Binding(.character("l"), .right),
          ]),
        group(
          "a page up, down", keys(.pageUp, .control("b"), for: .pageUp),
          keys(.pageDown, .control("f"), for: .pageDown)),
        group(
          "first, last", keys(.home, .character("g"), for: .first), keys(.end, .character("G"), for: .last)),
        Group(
          "jump to a date or a number", label: "0–9",
          "0123456789".map { Binding(.character($0), .jump) }),
        group("albums, photos, selection", keys(.tab, for: .nextPane), keys(.backTab, for: .previousPane)),
      ]),
    Section(
      "Choosing",
      [
        group("select or unselect", keys(.space, for: .toggle)),
        group(
          "select, and go to the next photo, back", keys(.control(" "), .character("x"), for: .toggleNext),
          keys(.character("X"), for: .togglePrevious)),
        group("use the selection", keys(.enter, for: .confirm)),
        group("select a range from here", keys(.character("v"), for: .range)),
        group("select all, up to the limit", keys(.character("a"), for: .selectAll)),
        group("unselect all", keys(.character("u"), for: .unselectAll)),
        group("undo, redo", keys(.character("U"), for: .undo), keys(.control("r"), for: .redo)),
        group("review the selection in its order", keys(.character("r"), for: .review)),
        group(
          "in the review: move earlier, later", keys(.character("<"), .character("K"), for: .moveEarlier),
          keys(.character(">"), .character("J"), for: .moveLater)),
        group("options: format, size, metadata", keys(.character("O"), for: .optionsMenu)),
      ]),
    Section(
      "Finding",
      [
        group("search; in the albums: find one", keys(.character("/"), for: .search)),
        group("filter", keys(.character("f"), for: .filterMenu)),
        group("sort", keys(.character("s"), for: .sortMenu)),
        group("show hidden photos", keys(.character("."), for: .showHidden)),
        group("remove the last filter", keys(.backspace, for: .removeFilter)),
        group("clear search and filters", keys(.character("c"), for: .showEverything)),
      ]),
    Section(
      "Looking",
      [
        group("open full screen, and back", keys(.character("o"), for: .openFullScreen)),
        group("zoom to 100%, and back to the whole", keys(.character("z"), for: .zoom)),
        group("edited, original, RAW: the next version", keys(.character("e"), for: .nextVersion)),
        group(
          "next, previous picture of a burst", keys(.character("b"), for: .nextInBurst),
          keys(.character("B"), for: .previousInBurst)),
        group("preview on or off", keys(.character("p"), for: .togglePreview)),
        group("play animations and videos, or stop", keys(.character("w"), for: .play)),
        group("info on the photo", keys(.character("i"), for: .info)),
        group(
          "the info: further down, up", keys(.character("}"), for: .infoDown),
          keys(.character("{"), for: .infoUp)),
        group(
          "larger, smaller thumbnails or photo",
          keys(.character("+"), .character("="), for: .largerThumbnails),
          keys(.character("-"), for: .smallerThumbnails)),
        group(
          "preview, or albums: wider, narrower", keys(.character("]"), for: .widerPane),
          keys(.character("["), for: .narrowerPane)),
        group("redraw; resume reading, or try again", keys(.control("l"), for: .redraw)),
      ]),
    Section(
      "Leaving",
      [
        group("choose the photos that may be seen", keys(.character("m"), for: .manageAccess)),
        group("help", keys(.character("?"), for: .help)),
        group("close what is open, then cancel", keys(.escape, for: .close)),
        group("cancel", keys(.character("q"), .control("c"), for: .cancel)),
        group("suspend", keys(.control("z"), for: .suspend)),
      ]),
  ])
}

extension Command {
  /// The name of the command in a configuration, in kebab case.
  package var name: String {
    rawValue.reduce(into: "") { name, character in
      name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
  }

  /// The command with a name; nil if there is none.
  package init?(name: String) {
    guard let command = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = command
  }
}

extension KeyBindings {
  /// All keys bound to a command, in the order of the help.
  package func keys(for command: Command) -> [Key] {
    groups.flatMap { $0.bindings.filter { $0.command == command }.map(\.key) }
  }

  /// The bindings with other keys for some commands.
  ///
  /// A reassigned key is removed from its previous command. Commands without keys are removed from the help.
  package func changed(_ changes: [Command: [Key]]) -> KeyBindings {
    let chosen = changes.filter { self.keys(for: $0.key) != $0.value }
    if chosen.isEmpty { return self }
    let taken = Set(chosen.values.joined())
    var bound: [Command: [Key]] = [:]
    for command in Command.allCases {
      bound[command] = chosen[command] ?? self.keys(for: command).filter { !taken.contains($0) }
    }
    // Commands and their places in the help are always those of the standard bindings.
    return KeyBindings(
      sections: Self.standard.sections.map { section in
        Section(
          section.title,
          section.groups.map { Self.group($0, boundTo: bound) }.filter { !$0.bindings.isEmpty })
      }.filter { !$0.groups.isEmpty })
  }

  /// The bindings after some keys were given to other commands, one after the other; nil = to none of these.
  ///
  /// A command without keys is not in the help.
  package func rebound(_ steps: [(key: Key, command: Command?)]) -> KeyBindings {
    var keys = Dictionary(uniqueKeysWithValues: Command.allCases.map { ($0, self.keys(for: $0)) })
    for (key, command) in steps {
      for other in Command.allCases { keys[other]?.removeAll { $0 == key } }
      if let command { keys[command]?.append(key) }
    }
    return KeyBindings.standard.changed(keys)
  }

  /// The bindings without some keys, which the caller has taken.
  package func without(_ keys: some Sequence<Key>) -> KeyBindings { rebound(keys.map { ($0, nil) }) }

  /// A group of the standard bindings with the keys that its commands have now: in the usual order, and for a command
  /// with others in theirs.
  private static func group(_ group: Group, boundTo keys: [Command: [Key]]) -> Group {
    var bindings: [Binding] = []
    var done: Set<Command> = []
    for binding in group.bindings {
      let chosen = keys[binding.command] ?? []
      let usual = group.bindings.filter { $0.command == binding.command }.map(\.key)
      if chosen == usual.filter(chosen.contains) {
        if chosen.contains(binding.key) { bindings.append(binding) }
      } else if done.insert(binding.command).inserted {
        bindings += chosen.map { Binding($0, binding.command) }
      }
    }
    return Group(group.title, label: bindings == group.bindings ? group.label : nil, bindings)
  }
}

/// Bindings that people know from other programs, to begin with.
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
