/// What the user can ask of the picker.
public enum Command: String, Hashable, Sendable, CaseIterable {
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
public struct KeyBindings: Hashable, Sendable {
  /// A key and what it asks for.
  public struct Binding: Hashable, Sendable {
    public var key: Key
    public var command: Command

    public init(_ key: Key, _ command: Command) {
      self.key = key
      self.command = command
    }
  }

  /// Some commands that belong together, under one line of help.
  public struct Group: Hashable, Sendable {
    public var title: String
    public var bindings: [Binding]
    /// What the help shows in place of every single key.
    public var label: String?

    public init(_ title: String, label: String? = nil, _ bindings: [Binding]) {
      self.title = title
      self.label = label
      self.bindings = bindings
    }
  }

  /// Some groups under one heading of the help.
  public struct Section: Hashable, Sendable {
    public var title: String
    public var groups: [Group]

    public init(_ title: String, _ groups: [Group]) {
      self.title = title
      self.groups = groups
    }
  }

  public var sections: [Section]

  public init(sections: [Section]) {
    self.sections = sections
  }

  /// All lines of help, one after the other.
  public var groups: [Group] { sections.flatMap(\.groups) }

  public func command(for key: Key) -> Command? {
    for section in sections {
      for group in section.groups {
        if let binding = group.bindings.first(where: { $0.key == key }) { return binding.command }
      }
    }
    return nil
  }

  /// The first key that asks for a command; nil where none does.
  public func key(for command: Command) -> Key? {
    for section in sections {
      for group in section.groups {
        if let binding = group.bindings.first(where: { $0.command == command }) { return binding.key }
      }
    }
    return nil
  }
}
