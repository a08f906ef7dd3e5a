/// What the user can ask of the picker.
package enum Command: String, Hashable, Sendable, CaseIterable {
  case left, right, up, down
  case pageUp, pageDown, first, last
  case toggle, confirm, selectAll, unselectAll, range
  case review, moveEarlier, moveLater
  case search, filterMenu, sortMenu, showHidden, removeFilter, showEverything, jump
  case nextPane, previousPane
  case togglePreview, openFullScreen, zoom, info, play
  case nextVersion, nextInBurst, previousInBurst
  case largerThumbnails, smallerThumbnails
  case manageAccess
  case help, close, cancel, redraw, suspend
}

/// Which key asks for what; the help overlay is made from it.
package struct KeyBindings: Hashable, Sendable {
  /// A key and what it asks for.
  package struct Binding: Hashable, Sendable {
    package var key: Key
    package var command: Command

    package init(_ key: Key, _ command: Command) {
      self.key = key
      self.command = command
    }
  }

  /// Some commands that belong together, under one line of help.
  package struct Group: Hashable, Sendable {
    package var title: String
    package var bindings: [Binding]
    /// What the help shows in place of every single key.
    package var label: String?

    package init(_ title: String, label: String? = nil, _ bindings: [Binding]) {
      self.title = title
      self.label = label
      self.bindings = bindings
    }
  }

  /// Some groups under one heading of the help.
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

  /// All lines of help, one after the other.
  package var groups: [Group] { sections.flatMap(\.groups) }

  package func command(for key: Key) -> Command? {
    for section in sections {
      for group in section.groups {
        if let binding = group.bindings.first(where: { $0.key == key }) { return binding.command }
      }
    }
    return nil
  }

  /// The first key that asks for a command; nil where none does.
  package func key(for command: Command) -> Key? {
    for section in sections {
      for group in section.groups {
        if let binding = group.bindings.first(where: { $0.command == command }) { return binding.key }
      }
    }
    return nil
  }
}
