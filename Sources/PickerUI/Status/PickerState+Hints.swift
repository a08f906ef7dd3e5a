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
    if let prompt = input.prompt {
      return Self.hints(while: prompt.purpose).map { label, key in
        StatusLine.Hint(key: DisplayText(key.label(symbols)), label: DisplayText(label), action: .key(key))
      }
    }
    return contextHints.compactMap { label, command in
      keyLabel(command).map {
        StatusLine.Hint(key: DisplayText($0), label: DisplayText(label), action: .command(command))
      }
    }
  }

  /// The hints for a prompt, whose keys are fixed.
  private static func hints(while purpose: Prompt.Purpose) -> [(label: String, key: Key)] {
    switch purpose {
    case .search: [("keep", .enter), ("clear", .escape), ("photos", .down)]
    case .album: [("open", .enter), ("all albums", .escape)]
    case .jump: [("go there", .enter), ("stay", .escape)]
    }
  }

  private var contextHints: [(label: String, command: Command)] {
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
    let use = picks.selection.isEmpty ? "use this" : "use \(options.locale.number(picks.selection.count))"
    var hints: [(String, Command)] = [(use, .confirm), ("select", .toggle)]
    if case .reading = closable { hints.insert(("stop", .close), at: 1) }
    if isZoomed {
      return hints + [
        ("whole photo", .zoom), ("larger", .largerThumbnails), ("smaller", .smallerThumbnails),
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
      return hints + [("close", .openFullScreen)] + play
        + [("zoom", .zoom), ("info", .info), ("help", .help)]
    }
    if authorization.status == .limited { hints.append(("choose others", .manageAccess)) }
    if allows(.preview) { hints.append(("open", .openFullScreen)) }
    if allows(.search) { hints.append(("search", .search)) }
    if layout.sidebar == nil, allows(.collectionNavigation) {
      hints.append(("albums", .nextPane))
    } else if allows(.search) {
      hints.append(("filter", .filterMenu))
    }
    return hints + [("help", .help)]
  }
}
