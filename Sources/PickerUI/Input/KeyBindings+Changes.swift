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

  /// The bindings without some keys, which the caller has taken; what is left without keys is not in the help.
  package func without(_ keys: some Collection<Key>) -> KeyBindings {
    KeyBindings(
      sections: sections.map { section in
        let groups = section.groups.map { group in
          let left = group.bindings.filter { !keys.contains($0.key) }
          return Group(group.title, label: left == group.bindings ? group.label : nil, left)
        }
        return Section(section.title, groups.filter { !$0.bindings.isEmpty })
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
