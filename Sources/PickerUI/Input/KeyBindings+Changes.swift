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
