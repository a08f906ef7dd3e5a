extension Command {
  /// What a configuration calls the command: its words with hyphens between them.
  package var name: String {
    rawValue.reduce(into: "") { name, character in
      name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
  }

  /// The command of that name; nil for other words.
  package init?(name: String) {
    guard let command = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = command
  }
}

extension KeyBindings {
  /// All keys that ask for a command, in the order of the help.
  package func keys(for command: Command) -> [Key] {
    groups.flatMap { $0.bindings.filter { $0.command == command }.map(\.key) }
  }

  /// The same with other keys for some commands.
  ///
  /// A key that is given to a command is taken from whatever else it asked for. What has no key left leaves the
  /// help.
  package func changed(_ changes: [Command: [Key]]) -> KeyBindings {
    let changes = changes.filter { keys(for: $0.key) != $0.value }
    let taken = Set(changes.values.joined())
    let sections = sections.map { section in
      Section(section.title, section.groups.map { Self.changed($0, changes, taken) })
    }
    return KeyBindings(
      sections: sections.map { section in
        Section(section.title, section.groups.filter { !$0.bindings.isEmpty })
      }.filter { !$0.groups.isEmpty })
  }

  private static func changed(_ group: Group, _ changes: [Command: [Key]], _ taken: Set<Key>) -> Group {
    var bindings: [Binding] = []
    var done: Set<Command> = []
    for binding in group.bindings {
      if let keys = changes[binding.command] {
        if done.insert(binding.command).inserted {
          bindings += keys.map { Binding($0, binding.command) }
        }
      } else if !taken.contains(binding.key) {
        bindings.append(binding)
      }
    }
    return Group(group.title, label: bindings == group.bindings ? group.label : nil, bindings)
  }
}
