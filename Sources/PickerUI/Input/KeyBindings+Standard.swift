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
