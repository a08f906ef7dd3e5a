import AssetLibrary

extension PickerState {
  /// The label of the first key bound to a command; nil if there is none.
  func keyLabel(_ command: Command) -> String? { options.bindings.key(for: command)?.label(symbols) }

  /// Keys with descriptions, such as "Esc back"; commands without a key are left out.
  func keyLabel(_ keys: KeyValuePairs<Command, String>, separator: String = " · ") -> String {
    keys.compactMap { command, text in keyLabel(command).map { "\($0) \(text)" } }
      .joined(separator: separator)
  }

  /// The key hints for the current context, the most useful first, the help last.
  var hints: [StatusLine.Hint] {
    if let hints = fixedHints {
      return hints.map { label, key in
        StatusLine.Hint(key: DisplayText(key.label(symbols)), label: DisplayText(label), action: .key(key))
      }
    }
    return contextHints.compactMap { label, command in
      keyLabel(command).map {
        StatusLine.Hint(key: DisplayText($0), label: DisplayText(label), action: .command(command))
      }
    }
  }

  /// The hints for a prompt or a menu, where the others are typed.
  private var fixedHints: [(label: String, key: Key)]? {
    switch input.overlay {
    case .filters: return [("with, without", .space), ("remove all", .backspace), ("done", .escape)]
    case .sorts: return [("sort", .enter), ("done", .escape), ("reverse", .tab)]
    case .options: return [("choose", .space), ("as before", .backspace), ("done", .escape)]
    case .downloads: return [("leave this one out", .delete), ("back to the photos", .escape)]
    case .help, .info, nil: break
    }
    switch input.prompt?.purpose {
    case .search where tabSearchesAllPhotos:
      return [("all photos", .tab), ("keep", .enter), ("clear", .escape)]
    case .search where input.prompt?.editor.isEmpty == true:
      let taking: [(String, Key)] = input.suggestions.suggestions.isEmpty ? [] : [("take", .tab)]
      return taking + [("keep", .enter), ("clear", .escape)]
    case .search where !input.suggestions.suggestions.isEmpty:
      return [("take", .tab), ("keep", .enter), ("clear", .escape)]
    case .search: return [("keep", .enter), ("clear", .escape), ("photos", .down)]
    case .album: return [("open", .enter), ("all albums", .escape)]
    case .jump: return [("go there", .enter), ("stay", .escape)]
    case nil: return nil
    }
  }

  /// The hints for the current context; what Enter and Esc do is always among them.
  private var contextHints: [(label: String, command: Command)] {
    var hints = focusedHints
    guard handover.delivery == nil, status.stoppableWork == nil else { return hints }
    if !hints.contains(where: { $0.command == .confirm }), input.focus != .sidebar,
      let confirming = choosingHints.first(where: { $0.command == .confirm })
    {
      hints.insert(confirming, at: 0)
    }
    if !hints.contains(where: { $0.command == .close }) {
      hints.insert((closingWords, .close), at: max(0, hints.count - 1))
    }
    return hints
  }

  /// What Esc does, in a word or two.
  private var closingWords: String {
    if isZoomed { return "whole photo" }
    return switch closable {
    case .work, .reading: "stop"
    case .fullScreen: "close"
    case .range: "drop it"
    case .strip, .albums, .access: "back"
    case .info: "close info"
    case .search: "end search"
    case .picker: "leave"
    }
  }

  private var focusedHints: [(label: String, command: Command)] {
    if let work = handover.delivery?.work { return status.canStop(work) ? [("stop", .close)] : [] }
    if status.stoppableWork != nil { return [("stop", .close), ("help", .help)] }
    if picks.range != nil { return [("keep the range", .range), ("drop it", .close), ("help", .help)] }
    if input.focus == .sidebar {
      return [
        ("show", .confirm), ("find", .search), ("photos", .nextPane), ("back", .close), ("help", .help),
      ]
    }
    if input.focus == .strip {
      let moves: [(String, Command)] =
        options.configuration.selection.isOrdered ? [("earlier", .moveEarlier), ("later", .moveLater)] : []
      return moves + [
        ("unselect", .toggle), (preview.isFullScreen ? "back" : "open", .openFullScreen), ("back", .close),
        ("help", .help),
      ]
    }
    if authorization.mode == .managing {
      return [("done", .confirm), ("allow", .toggle), ("back", .close), ("help", .help)]
    }
    var hints: [(String, Command)] = choosingHints
    if canTryAgain { hints.insert(("try again", .redraw), at: min(1, hints.count)) }
    if case .reading = closable { hints.insert(("stop", .close), at: min(1, hints.count)) }
    if isZoomed {
      return hints + [
        ("larger", .largerThumbnails), ("smaller", .smallerThumbnails),
        ("help", .help),
      ]
    }
    if preview.isFullScreen, current?.burstIdentifier != nil, input.focus == .grid {
      hints.append(("next of the burst", .nextInBurst))
    }
    if preview.isFullScreen, current.map({ $0.distinctVersions.count > 1 }) ?? false {
      hints.append(("other version", .nextVersion))
    }
    if preview.isFullScreen {
      let play: [(String, Command)] =
        current?.movingResource == nil
        ? [] : [(preview.playback.isWanted && preview.playback.phase != .ended ? "stop" : "watch", .play)]
      return hints + [("close", .close)] + play
        + [("zoom", .zoom), ("info", .info), ("help", .help)]
    }
    if isFoundOnlyElsewhere { hints.append(("all photos", .nextPane)) }
    if !picks.selection.isEmpty, !isSingleChoice { hints.append(("review", .review)) }
    if options.deliversResults || representationWords != nil, reasonForNoOptions == nil {
      hints.append(("options", .optionsMenu))
    }
    if authorization.status == .limited { hints.append(("choose others", .manageAccess)) }
    if allows(.preview), !library.assets.isEmpty { hints.append(("open", .openFullScreen)) }
    if allows(.search) { hints.append(("search", .search)) }
    if layout.sidebar == nil, allows(.collectionNavigation), !isFoundOnlyElsewhere {
      hints.append(("albums", .nextPane))
    } else if allows(.search) {
      hints.append(("filter", .filterMenu))
    }
    return hints + [("help", .help)]
  }

  /// What Enter and Space do; nothing where no photo can be taken.
  private var choosingHints: [(label: String, command: Command)] {
    let isSelectable = current.map { reasonNotSelectable($0) == nil } ?? false
    let count = options.locale.number(picks.selection.count)
    var hints: [(String, Command)] = []
    if !picks.selection.isEmpty {
      hints.append(("use \(count)", .confirm))
    } else if isSelectionCleared {
      if options.allowsEmpty { hints.append(("use none", .confirm)) }
    } else if isSelectable {
      hints.append(("use this", .confirm))
    }
    if isSelectable, !(current.map(isBeyondLimit) ?? false) {
      let isPicked = current.map { picks.selection.contains($0.id) } ?? false
      hints.append((isPicked ? "unselect" : "select", .toggle))
    }
    return hints
  }
}
