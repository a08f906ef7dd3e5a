import AssetLibrary

/// Input that arrived before what it applies to, in order.
///
/// It precedes all layers.
///
/// Input waits for two things: the photos (before the first ones are known, and after a search was just typed), and the
/// end of a bulk selection.
struct WaitingInput: Sendable {
  /// Upper bound of the queue; users type less ahead, but a held key repeats.
  private static let most = 1_000

  private var messages: [PickerMessage] = []
  /// Whether the input waits for photos.
  private var needsPhotos = false

  fileprivate var isEmpty: Bool { messages.isEmpty }

  mutating func keep(_ message: PickerMessage, forPhotos: Bool = false) {
    needsPhotos = needsPhotos || forPhotos
    if messages.count < Self.most { messages.append(message) }
  }

  mutating func forget() { self = WaitingInput() }

  /// Takes all waiting input that can be handled now.
  fileprivate mutating func take(arePhotosThere: Bool) -> [PickerMessage] {
    guard !needsPhotos || arePhotosThere else { return [] }
    defer { forget() }
    return messages
  }

  /// Whether a waiting key satisfies a condition.
  fileprivate func contains(where condition: (Key) -> Bool) -> Bool {
    messages.contains { if case .key(let key) = $0 { condition(key) } else { false } }
  }
}

extension PickerState {
  /// Queues input that must wait.
  /// - Returns: the effects if it was queued; nil if it must be handled now.
  mutating func keepWaiting(_ message: PickerMessage) -> [PickerEffect]? {
    if layers.has(.modal) { return nil }
    if picks.isBusy, layers.showsLibrary {
      if case .key(let key) = message, layers.isEmpty, options.bindings.command(for: key) == .close {
        input.waiting.forget()
        return choose { picks, _ in picks.stopBulkSelection() }
      }
      if waitsForBulkSelection(message) {
        input.waiting.keep(message)
        return []
      }
    }
    guard case .key(let key) = message, waitsForPhotos(key) else { return nil }
    input.waiting.keep(message, forPhotos: true)
    guard layers.showsLibrary, library.assets.isEmpty, options.bindings.command(for: key) == .confirm else {
      return []
    }
    return status.showNotice("Still reading the library: Enter waits for the first photos", .dim)
  }

  /// Takes the waiting input that can be handled now.
  mutating func takeWaiting() -> [PickerMessage] {
    guard !input.waiting.isEmpty, !picks.isBusy, !(layers.page is OpeningPage) else { return [] }
    guard layers.showsLibrary else {
      // Input typed before a question appeared must not answer it.
      input.waiting.forget()
      return []
    }
    return input.waiting.take(arePhotosThere: showsWhatIsAsked && layers.isEmpty)
  }

  // MARK: A bulk selection

  /// Whether input would change the selection during a bulk selection, or comes after such input.
  private func waitsForBulkSelection(_ message: PickerMessage) -> Bool {
    if !input.waiting.isEmpty { return !goesFirst(message) }
    switch message {
    case .key(let key):
      let command = options.bindings.command(for: key)
      let isTyped = !layers.isEmpty
      if goesFirst(message) || !isTyped && command == .cancel { return false }
      let changing: Set<Command> = [
        .toggle, .toggleNext, .togglePrevious, .confirm, .selectAll, .unselectAll, .range, .undo, .redo,
        .review, .moveEarlier, .moveLater, .manageAccess,
      ]
      return options.callerKeys.meaning(of: key, in: self) != nil
        || !isTyped && (picks.activeRange != nil || command.map(changing.contains) ?? false)
    case .mouse(let event):
      let scrolls = event.action == .wheelUp || event.action == .wheelDown
      return !scrolls || picks.activeRange != nil
    default: return true
    }
  }

  /// Whether a key never waits for a bulk selection, even if other input does.
  private func goesFirst(_ message: PickerMessage) -> Bool {
    guard case .key(let key) = message else { return false }
    let command = options.bindings.command(for: key)
    return command == .redraw || command == .suspend || key == .control("c") && command == .cancel
  }

  // MARK: The photos

  /// Whether a key must wait; a key that cancels waiting input drops it.
  private mutating func waitsForPhotos(_ key: Key) -> Bool {
    let isOpening = layers.page is OpeningPage
    guard layers.showsLibrary || isOpening else { return false }
    if layers.showsLibrary {
      guard layers.isEmpty else {
        // Closing the layer above the photos cancels waiting input.
        if key == .escape { input.waiting.forget() }
        return false
      }
      if showsWhatIsAsked { return false }
    }
    let command = options.bindings.command(for: key)
    switch command {
    case .redraw, .suspend: return false
    case .help where layers.showsLibrary && !isTextAhead(key): return false
    case .close where !isTextAhead(key), .cancel where !isTextAhead(key):
      // Leaving does not wait, and cancels earlier input.
      input.waiting.forget()
      return false
    default: break
    }
    return !input.waiting.isEmpty || isOpening || needsPhotos(key, command)
  }

  /// Whether the photos that are shown answer the user's last query.
  private var showsWhatIsAsked: Bool {
    // The initial fetch is empty: keys typed before the index loads must be queued.
    if library.assets.isEmpty, library.status.assetCount == 0, !library.status.isComplete { return false }
    return library.shows(within: options.configuration.filter, mode: authorization.mode)
  }

  /// Whether a key is text for a prompt or menu that an earlier waiting key will open.
  private func isTextAhead(_ key: Key) -> Bool {
    guard case .character = key else { return false }
    let opening: Set<Command> = [.search, .jump, .filterMenu, .sortMenu, .optionsMenu, .help]
    return input.waiting.contains { options.bindings.command(for: $0).map(opening.contains) ?? false }
  }

  /// Whether a key or its command acts on the photos that are shown.
  private func needsPhotos(_ key: Key, _ command: Command?) -> Bool {
    switch options.callerKeys.meaning(of: key, in: self) {
    case .confirms: return picks.selection.isEmpty
    case .runs: return true
    case nil: break
    }
    guard input.focus == .grid else { return false }
    switch command {
    case .left, .right, .up, .down, .pageUp, .pageDown, .first, .last, .jump, .toggle, .toggleNext,
      .togglePrevious, .selectAll, .range,
      .openFullScreen:
      return true
    // With picks, these are the result, whichever photos are shown.
    case .confirm: return picks.selection.isEmpty && authorization.mode == .picking
    default: return false
    }
  }
}
