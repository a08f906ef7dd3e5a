/// What the user can ask of the picker.
public enum Command: Hashable, Sendable {
  case left, right, up, down
  case pageUp, pageDown, first, last
  case toggle, confirm, selectAll, unselectAll
  case nextPane, previousPane
  case togglePreview, openFullScreen
  case largerThumbnails, smallerThumbnails
  case manageAccess
  case help, close, cancel, redraw, suspend
}

/// Which key asks for what; the help overlay is made from it.
public struct KeyBindings: Hashable, Sendable {
  /// Some commands that belong together, under one line of help.
  public struct Group: Hashable, Sendable {
    public var title: String
    public var bindings: [(key: Key, command: Command)]
    /// The bindings that the help shows.
    var shown: [Key]

    public static func == (a: Group, b: Group) -> Bool { a.title == b.title && a.shown == b.shown }
    public func hash(into hasher: inout Hasher) { hasher.combine(title) }
  }

  public var groups: [Group]

  public func command(for key: Key) -> Command? {
    for group in groups {
      if let binding = group.bindings.first(where: { $0.key == key }) { return binding.command }
    }
    return nil
  }

  public static let standard = KeyBindings(groups: [
    Group(
      title: "move",
      bindings: [
        (.left, .left), (.right, .right), (.up, .up), (.down, .down),
        (.character("h"), .left), (.character("l"), .right),
        (.character("k"), .up), (.character("j"), .down),
      ],
      shown: [.left, .down, .up, .right, .character("h"), .character("j"), .character("k"), .character("l")]),
    Group(
      title: "page",
      bindings: [
        (.pageUp, .pageUp), (.control("b"), .pageUp), (.pageDown, .pageDown), (.control("f"), .pageDown),
      ], shown: [.pageUp, .pageDown, .control("b"), .control("f")]),
    Group(
      title: "first, last",
      bindings: [
        (.home, .first), (.character("g"), .first), (.end, .last), (.character("G"), .last),
      ], shown: [.home, .end, .character("g"), .character("G")]),
    Group(title: "select or unselect", bindings: [(.space, .toggle)], shown: [.space]),
    Group(title: "use the selection", bindings: [(.enter, .confirm)], shown: [.enter]),
    Group(
      title: "select all, up to the limit", bindings: [(.character("a"), .selectAll)],
      shown: [.character("a")]),
    Group(title: "unselect all", bindings: [(.character("u"), .unselectAll)], shown: [.character("u")]),
    Group(
      title: "albums, photos", bindings: [(.tab, .nextPane), (.backTab, .previousPane)],
      shown: [.tab, .backTab]),
    Group(
      title: "preview on or off", bindings: [(.character("p"), .togglePreview)], shown: [.character("p")]),
    Group(
      title: "open full screen", bindings: [(.character("o"), .openFullScreen)], shown: [.character("o")]),
    Group(
      title: "larger, smaller thumbnails",
      bindings: [
        (.character("+"), .largerThumbnails), (.character("="), .largerThumbnails),
        (.character("-"), .smallerThumbnails),
      ], shown: [.character("+"), .character("-")]),
    Group(
      title: "choose the photos that may be seen", bindings: [(.character("m"), .manageAccess)],
      shown: [.character("m")]),
    Group(title: "help", bindings: [(.character("?"), .help)], shown: [.character("?")]),
    Group(title: "close what is open, then cancel", bindings: [(.escape, .close)], shown: [.escape]),
    Group(
      title: "cancel", bindings: [(.character("q"), .cancel), (.control("c"), .cancel)],
      shown: [.character("q"), .control("c")]),
    Group(
      title: "draw afresh, suspend", bindings: [(.control("l"), .redraw), (.control("z"), .suspend)],
      shown: [.control("l"), .control("z")]),
  ])
}
