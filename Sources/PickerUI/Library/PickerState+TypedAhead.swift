import AssetLibrary

/// Keys that are typed faster than the library answers act on what it answers, in their order: before the first
/// photos are there, and after a search that was typed a moment ago.
extension PickerState {
  /// More than anybody types ahead; the repetitions of a key that is held are not kept for ever.
  private static let mostTypedAhead = 1_000

  /// Keeps a key that acts on photos which are not there yet, and all after it.
  /// - Returns: what the user is told, where it was kept; nil where it was not.
  mutating func keepTypedAhead(_ key: Key) -> [PickerEffect]? {
    guard isTypedAhead(key) else { return nil }
    if input.typedAhead.count < Self.mostTypedAhead { input.typedAhead.append(key) }
    guard page == .library, library.assets.isEmpty, options.bindings.command(for: key) == .confirm else {
      return []
    }
    return showNotice("still reading the library: Enter waits for the first photos", .dim)
  }

  /// Whether a key has to wait; one that gives up what waits has that forgotten.
  private mutating func isTypedAhead(_ key: Key) -> Bool {
    switch page {
    case .opening: break
    case .library where hasTextOrBox:
      // Whoever closes what is in front of the photos has given up on them.
      if key == .escape { input.typedAhead = [] }
      return false
    case .library: if showsWhatIsAsked { return false }
    case .consent, .refused: return false
    }
    let command = options.bindings.command(for: key)
    switch command {
    case .redraw, .suspend: return false
    case .help where page == .library && !isTextAhead(key): return false
    case .close where !isTextAhead(key), .cancel where !isTextAhead(key):
      // Whoever wants to leave does not wait, and what was typed before is meant no more.
      input.typedAhead = []
      return false
    default: break
    }
    return !input.typedAhead.isEmpty || page == .opening || needsPhotos(key, command)
  }

  /// Takes the keys that have waited, once the photos are there on which they act.
  mutating func takeTypedAhead() -> [Key] {
    guard !input.typedAhead.isEmpty else { return [] }
    switch page {
    case .opening: return []
    case .library: guard showsWhatIsAsked, !hasTextOrBox else { return [] }
    // They were not meant for a question that nobody had seen.
    case .consent, .refused:
      input.typedAhead = []
      return []
    }
    defer { input.typedAhead = [] }
    return input.typedAhead
  }

  private var hasTextOrBox: Bool { input.prompt != nil || input.overlay != nil }

  /// Whether the photos that are shown are those that the user asked for last.
  private var showsWhatIsAsked: Bool {
    // The first answer comes before the index is read: nothing is known yet.
    if library.assets.isEmpty, library.status.assetCount == 0, !library.status.isComplete { return false }
    return library.shows(within: options.configuration.filter, mode: authorization.mode)
  }

  /// Whether a key is text for the prompt or the menu that a key before it will open.
  private func isTextAhead(_ key: Key) -> Bool {
    guard case .character = key else { return false }
    let opening: Set<Command> = [.search, .jump, .filterMenu, .sortMenu, .optionsMenu, .help]
    return input.typedAhead.contains { options.bindings.command(for: $0).map(opening.contains) ?? false }
  }

  /// Whether a key or its command acts on the photos that are shown.
  private func needsPhotos(_ key: Key, _ command: Command?) -> Bool {
    if isExpected(key) { return picks.selection.isEmpty }
    if program(for: key) != nil { return true }
    guard input.focus == .grid else { return false }
    switch command {
    case .left, .right, .up, .down, .pageUp, .pageDown, .first, .last, .jump, .toggle, .toggleNext,
      .togglePrevious, .selectAll, .range,
      .openFullScreen:
      return true
    // With picks these are the result, whatever is shown.
    case .confirm: return picks.selection.isEmpty && authorization.mode == .picking
    default: return false
    }
  }
}
