import AssetLibrary

extension PickerState {
  /// What the first key is called that asks for a command; nil where none does.
  func keyWords(_ command: Command) -> String? { options.bindings.key(for: command)?.label(symbols) }

  /// Keys and what they do, as "Esc back"; those of commands without a key are left out.
  func keyWords(_ keys: KeyValuePairs<Command, String>, separator: String = " · ") -> String {
    keys.compactMap { command, words in keyWords(command).map { "\($0) \(words)" } }
      .joined(separator: separator)
  }

  /// The keys that matter now, the most useful first, the help last.
  var hints: [StatusLine.Hint] {
    if let prompt = input.prompt {
      return Self.hints(while: prompt.purpose).map { words, key in
        StatusLine.Hint(key: DisplayText(key.label(symbols)), words: DisplayText(words), action: .key(key))
      }
    }
    return contextHints.compactMap { words, command in
      keyWords(command).map {
        StatusLine.Hint(key: DisplayText($0), words: DisplayText(words), action: .command(command))
      }
    }
  }

  /// The keys of a line that is being typed, which are the same whatever else is bound to them.
  private static func hints(while purpose: Prompt.Purpose) -> [(words: String, key: Key)] {
    switch purpose {
    case .search: [("keep", .enter), ("clear", .escape), ("photos", .down)]
    case .album: [("open", .enter), ("all albums", .escape)]
    case .jump: [("go there", .enter), ("stay", .escape)]
    }
  }

  private var contextHints: [(words: String, command: Command)] {
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
