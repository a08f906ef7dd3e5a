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

  mutating func keep(_ message: PickerMessage) {
    if messages.count < Self.most || message.isOrder { messages.append(message) }
  }

  /// Drops the user's input; the caller's changes of the picker remain.
  private mutating func forget() {
    messages.removeAll { !$0.isOrder }
    needsPhotos = false
  }

  /// What becomes of input that arrives.
  enum Arrival {
    /// It is handled now.
    case goesOn
    /// It waits.
    /// - notice: what it waits for, if the user should know.
    case waits(notice: String? = nil)
    /// It stops the bulk selection.
    case stopsBulkSelection
  }
}

extension WaitingInput {
  /// Decides whether input must wait, and keeps it then.
  mutating func receive(_ message: PickerMessage, in picker: PickerState) -> Arrival {
    if picker.layers.has(.modal) { return .goesOn }
    if picker.picks.isBusy, picker.layers.showsLibrary {
      if case .key(let key) = message, picker.layers.isEmpty,
        picker.command(for: key) == .close
      {
        forget()
        return .stopsBulkSelection
      }
      if waitsForBulkSelection(message, picker) {
        keep(message)
        return .waits()
      }
    }
    guard case .key(let key) = message, waitsForPhotos(key, picker) else { return .goesOn }
    needsPhotos = true
    keep(message)
    guard picker.layers.showsLibrary, picker.library.assets.isEmpty,
      picker.command(for: key) == .confirm
    else { return .waits() }
    return .waits(notice: "Still reading the library: Enter waits for the first photos")
  }

  /// Takes the waiting input that can be handled now.
  mutating func take(in picker: PickerState) -> [PickerMessage] {
    guard !messages.isEmpty, !picker.picks.isBusy, !(picker.layers.page is OpeningPage) else { return [] }
    if picker.layers.showsLibrary, needsPhotos, !picker.showsRequestedPhotos || !picker.layers.isEmpty {
      return []
    }
    defer { self = WaitingInput() }
    // Input typed before a question appeared must not answer it.
    return picker.layers.showsLibrary ? messages : messages.filter(\.isOrder)
  }

  // MARK: A bulk selection

  /// Whether input would change the selection during a bulk selection, or comes after such input.
  private func waitsForBulkSelection(_ message: PickerMessage, _ picker: PickerState) -> Bool {
    if !messages.isEmpty { return !goesFirst(message, picker) }
    switch message {
    case .key(let key):
      let command = picker.command(for: key)
      let isTyped = !picker.layers.isEmpty
      if goesFirst(message, picker) || !isTyped && command == .cancel { return false }
      let changing: Set<Command> = [
        .toggle, .toggleNext, .togglePrevious, .confirm, .selectAll, .unselectAll, .range, .undo, .redo,
        .review, .moveEarlier, .moveLater, .manageAccess,
      ]
      return picker.options.callerKeys.meaning(of: key, in: picker) != nil
        || !isTyped && (picker.picks.activeRange != nil || command.map(changing.contains) ?? false)
    case .mouse(let event):
      let scrolls = event.action == .wheelUp || event.action == .wheelDown
      return !scrolls || picker.picks.activeRange != nil
    default: return true
    }
  }

  /// Whether a key never waits for a bulk selection, even if other input does.
  private func goesFirst(_ message: PickerMessage, _ picker: PickerState) -> Bool {
    guard case .key(let key) = message else { return false }
    let command = picker.command(for: key)
    return command == .redraw || command == .suspend || key == .control("c") && command == .cancel
  }

  // MARK: The photos

  /// Whether a key must wait; a key that cancels waiting input drops it.
  private mutating func waitsForPhotos(_ key: Key, _ picker: PickerState) -> Bool {
    let layers = picker.layers
    let isOpening = layers.page is OpeningPage
    guard layers.showsLibrary || isOpening else { return false }
    if layers.showsLibrary {
      guard layers.isEmpty else {
        // Closing the layer above the photos cancels waiting input.
        if key == .escape { forget() }
        return false
      }
      if picker.showsRequestedPhotos { return false }
    }
    let command = picker.command(for: key)
    switch command {
    case .redraw, .suspend: return false
    case .help where layers.showsLibrary && !isTextAhead(key, picker.options): return false
    case .close where !isTextAhead(key, picker.options), .cancel where !isTextAhead(key, picker.options):
      // Leaving does not wait, and cancels earlier input.
      forget()
      return false
    default: break
    }
    return !messages.isEmpty || isOpening || picker.isForPhotos(key, command)
  }

  /// Whether a key is text for a prompt or menu that an earlier waiting key will open.
  private func isTextAhead(_ key: Key, _ options: PickerOptions) -> Bool {
    guard case .character = key else { return false }
    let opening: Set<Command> = [.search, .jump, .filterMenu, .sortMenu, .optionsMenu, .help]
    return messages.contains {
      if case .key(let key) = $0 {
        options.bindings.command(for: key).map(opening.contains) ?? false
      } else {
        false
      }
    }
  }
}

extension PickerMessage {
  /// Whether it comes from the program that shows the picker, not from the user.
  fileprivate var isOrder: Bool { if case .order = self { true } else { false } }
}

extension PickerState {
  /// The command that a key is bound to now.
  func command(for key: Key) -> Command? {
    options.bindings.command(for: key, isPlaying: preview.playback.isControllable)
  }

  /// Whether the photos that are shown answer the user's last query.
  fileprivate var showsRequestedPhotos: Bool {
    // The initial fetch is empty: keys typed before the index loads must be queued.
    if library.assets.isEmpty, library.status.assetCount == 0, !library.status.isComplete { return false }
    return library.shows(within: options.configuration.filter, mode: authorization.mode)
  }

  /// Whether a key or its command acts on the photos that are shown.
  fileprivate func isForPhotos(_ key: Key, _ command: Command?) -> Bool {
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
