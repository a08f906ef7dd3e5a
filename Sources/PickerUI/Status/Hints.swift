import AssetLibrary

/// The key hints of the last line: the most useful first, the help last.
struct Hints {
  private let picker: PickerState

  init(of picker: PickerState) { self.picker = picker }

  /// The hints of the topmost layer that has any, else those of the current context.
  var all: [StatusLine.Hint] {
    picker.layers.fromTop.lazy.compactMap { $0.hints(in: picker) }.first
      ?? contextHints.compactMap { picker.options.hint($0.label, $0.command) }
  }

  /// A hint with the label from the table of commands.
  private func hint(_ command: Command) -> (label: String, command: Command) { (command.row.hint, command) }

  /// The hints for the current context; those of Enter and Esc are always among them.
  private var contextHints: [(label: String, command: Command)] {
    var hints = focusedHints
    guard picker.status.stoppableWork == nil else { return hints }
    if !hints.contains(where: { $0.command == .confirm }), picker.input.focus != .sidebar,
      let confirming = choosingHints.first(where: { $0.command == .confirm })
    {
      hints.insert(confirming, at: 0)
    }
    if !hints.contains(where: { $0.command == .close }) {
      hints.insert((closingWords, .close), at: max(0, hints.count - 1))
    }
    return hints
  }

  /// The label of Esc.
  private var closingWords: String {
    if PreviewPlace(of: picker).isZoomed(picker.current) { return "zoom out" }
    return switch Closable(of: picker) {
    case .work, .reading: "stop"
    case .fullScreen: "close"
    case .range: "cancel"
    case .strip, .albums, .access: "back"
    case .info: "close info"
    case .search: "clear search"
    case .picker: "leave"
    }
  }

  private var focusedHints: [(label: String, command: Command)] {
    if picker.status.stoppableWork != nil { return [("stop", .close), hint(.help)] }
    if picker.picks.activeRange != nil {
      return [("keep range", .range), ("cancel", .close), hint(.help)]
    }
    if picker.library.handlesDeletedPhotos(in: picker.input.focus) {
      let isSidebar = picker.input.focus == .sidebar
      return [
        (isSidebar ? "restore all" : "restore", .renameAlbum),
        (isSidebar ? "delete all for good" : "delete for good", .remove),
        isSidebar ? ("photos", .nextPane) : (picker.preview.isFullScreen ? "back" : "open", .openFullScreen),
        hint(.info), hint(.help),
      ]
    }
    if picker.input.focus == .sidebar {
      return [
        ("show", .confirm), ("find", .search), ("photos", .nextPane), ("back", .close), hint(.help),
      ]
    }
    let isManaging = picker.authorization.mode == .managing
    if picker.input.focus == .strip, isManaging {
      return [
        ("done", .confirm), ("don't allow", .toggle),
        (picker.preview.isFullScreen ? "back" : "open", .openFullScreen), ("back", .close), hint(.help),
      ]
    }
    if picker.input.focus == .strip {
      let moves: [(String, Command)] =
        picker.options.configuration.selection.isOrdered ? [hint(.moveEarlier), hint(.moveLater)] : []
      return moves + [
        ("unpick", .toggle), (picker.preview.isFullScreen ? "back" : "open", .openFullScreen),
        ("back", .close),
        hint(.help),
      ]
    }
    if isManaging {
      let isAllowed = picker.current.map { picker.picks.selection.contains($0.id) } ?? false
      return [
        ("done", .confirm), (isAllowed ? "don't allow" : "allow", .toggle), ("back", .close), hint(.help),
      ]
    }
    var hints: [(String, Command)] = choosingHints
    if picker.library.canTryAgain { hints.insert(hint(.redraw), at: min(1, hints.count)) }
    if case .reading = Closable(of: picker) { hints.insert(("stop", .close), at: min(1, hints.count)) }
    if PreviewPlace(of: picker).isZoomed(picker.current) {
      return hints + [
        hint(.largerThumbnails), hint(.smallerThumbnails),
        hint(.help),
      ]
    }
    if picker.preview.isFullScreen, picker.current?.burstIdentifier != nil, picker.input.focus == .grid {
      hints.append(hint(.nextInBurst))
    }
    if picker.preview.isFullScreen, picker.current.map({ $0.distinctVersions.count > 1 }) ?? false {
      hints.append(hint(.nextVersion))
    }
    if picker.preview.isFullScreen {
      let play: [(String, Command)] =
        !(picker.current.map(picker.preview.canPlay) ?? false)
        ? []
        : [
          (
            picker.preview.playback.hint, .play
          )
        ]
      return hints + [("close", .close)] + play
        + [hint(.zoom), hint(.info), hint(.help)]
    }
    if picker.library.isFoundOnlyElsewhere { hints.append(("all photos", .nextPane)) }
    if picker.options.allows(.stagingArea), !picker.picks.selection.isEmpty,
      !picker.picks.selection.isSingleChoice
    {
      hints.append(hint(.review))
    }
    let isReshaped = picker.picks.representationWords(picker.options.locale, current: nil) != nil
    if picker.options.deliversResults || isReshaped, picker.rules.reasonForNoOptions == nil {
      hints.append(hint(.optionsMenu))
    }
    if picker.authorization.status == .limited { hints.append(hint(.manageAccess)) }
    if picker.options.allows(.preview), !picker.library.assets.isEmpty { hints.append(hint(.openFullScreen)) }
    // In a library without photos there is nothing to find.
    let isEmpty = picker.library.status.isComplete && picker.library.status.assetCount == 0
    if isEmpty { return hints + [hint(.help)] }
    if picker.options.allows(.search) { hints.append(hint(.search)) }
    if picker.layout.sidebar == nil, picker.options.allows(.collectionNavigation),
      !picker.library.isFoundOnlyElsewhere
    {
      hints.append(hint(.nextPane))
    } else if picker.options.allows(.search) {
      hints.append(hint(.filterMenu))
    }
    return hints + [hint(.help)]
  }

  /// The hints of Enter and Space; none if no photo can be picked.
  private var choosingHints: [(label: String, command: Command)] {
    let isSelectable = picker.current.map { picker.rules.reasonNotSelectable($0) == nil } ?? false
    let count = picker.options.locale.number(picker.picks.selection.count)
    var hints: [(String, Command)] = []
    if !picker.picks.selection.isEmpty {
      hints.append(("use \(count)", .confirm))
    } else if picker.picks.isCleared {
      if picker.options.allowsEmpty { hints.append(("use none", .confirm)) }
    } else if isSelectable {
      hints.append(("use this", .confirm))
    }
    if isSelectable,
      !(picker.current.map { picker.rules.isBeyondLimit($0, in: picker.picks.selection) } ?? false)
    {
      let isPicked = picker.current.map { picker.picks.selection.contains($0.id) } ?? false
      hints.append((isPicked ? "unpick" : "pick", .toggle))
    }
    return hints
  }
}
