/// A command that a key can be bound to.
package enum Command: String, Hashable, Sendable, CaseIterable {
  case left, right, up, down
  case pageUp, pageDown, first, last
  case toggle, confirm, selectAll, unselectAll, range, undo, redo
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
