import AssetLibrary
import Pixels

extension PickerState {
  /// One key and what it does now.
  struct Hint: Hashable, Sendable {
    var key: DisplayText
    var words: DisplayText
    var column = 0
    var command: Command?

    var width: Int { key.width + 1 + words.width }
  }

  /// The last line: where one is, what is picked, and the keys that matter now.
  func drawStatus(on frame: inout Frame, _ layout: ScreenLayout) {
    let row = layout.status.row
    let width = frame.size.columns
    if layout.title == nil, let prompt {
      drawPrompt(prompt, in: layout.status, on: &frame)
      return
    }
    if let notice {
      frame.put(notice.text, row: row, column: 1, limit: width - 2, style: TextStyle(notice.tone, bold: true))
      return
    }
    for item in statusItems(columns: width) {
      frame.put(item.text, row: row, column: item.column, style: item.style)
    }
    // What lies over the screen names its own keys.
    if overlay != nil { return }
    for hint in hints(columns: width) {
      frame.put(hint.key, row: row, column: hint.column, style: .hintKey)
      frame.put(hint.words, row: row, column: hint.column + hint.key.width + 1, style: .hintWords)
    }
  }

  /// The last line without its keys: what is picked, where one is, what takes long.
  private func statusItems(columns: Int) -> [(text: DisplayText, column: Int, style: TextStyle)] {
    var items: [(text: DisplayText, column: Int, style: TextStyle)] = []
    var column = 1
    func append(_ parts: [(text: String, style: TextStyle)]) {
      for part in parts {
        let text = DisplayText(part.text).truncated(to: max(0, columns - column - 1))
        items.append((text, column, part.style))
        column += text.width
      }
    }
    append(statusParts)
    if let work = shownWork, columns - column - 4 >= DisplayText(work.title).width {
      column += 3
      append(workParts(work, room: columns - column - 1))
    }
    return items
  }

  /// What stands to the left of the last line.
  private var statusParts: [(text: String, style: TextStyle)] {
    let isOver = selection.excess > 0
    let isFull = selection.isFull && limit > 1 && mode == .picking
    var parts: [(String, TextStyle)] = [
      (
        selectionWords,
        TextStyle(
          selection.isEmpty ? .dim : isOver ? .error : isFull ? .warning : .accent, bold: !selection.isEmpty)
      )
    ]
    if gathering != nil { parts.append((" · selecting…", .accent)) }
    if isOver {
      parts.append((" · unselect \(options.locale.number(selection.excess))", TextStyle(.error)))
    }
    if let range {
      parts.append((range.isRemoving ? " · unselecting" : " · selecting a range", .accent))
    }
    if focus == .strip {
      parts.append((" · \(options.locale.number(stripCursor + 1)) in the order", .dim))
    } else if !assets.isEmpty {
      parts.append(
        (" · \(options.locale.number(cursor + 1))/\(options.locale.number(assets.count))", .dim))
    }
    if layout.title == nil, !isFullScreen, !narrowingWords.isEmpty {
      parts.append((" · \(narrowingWords)", .plain))
    }
    return parts
  }

  /// What narrows the library, where no first line says it.
  private var narrowingWords: String {
    let conditions = narrowing.conditions.map { ($0.isExcluded ? "not " : "") + $0.name.words }
    let search = narrowing.text.isEmpty ? [] : ["“\(narrowing.text)”"]
    return (conditions + search + (options.configuration.filter.map { [$0.description] } ?? []))
      .joined(separator: ", ")
  }

  var selectionWords: String {
    if mode == .managing {
      return "\(options.locale.number(selection.count + (unmarked?.count ?? 0))) allowed"
    }
    let count = options.locale.number(selection.count)
    var words = limit == 0 ? count : "\(count) of \(options.locale.number(limit))"
    // Where there is little room, the least that can be understood.
    if metrics.size.columns < 40 { return limit == 0 ? "\(words) selected" : words }
    words += " selected"
    if !selection.isEmpty { words += " · \(options.locale.size(selection.byteCount))" }
    return words
  }

  /// At most six keys, as many as there is room for, the most useful first; to the right.
  func hints(columns: Int) -> [Hint] {
    let start = 3 + (statusItems(columns: columns).last.map { $0.column + $0.text.width } ?? 1)
    var hints = contextHints.compactMap { words, command -> Hint? in
      guard let key = options.bindings.key(for: command)?.label(symbols) else { return nil }
      return Hint(key: DisplayText(key), words: DisplayText(words), command: command)
    }
    let width = { (hints: [Hint]) in hints.reduce(0) { $0 + $1.width } + 3 * max(0, hints.count - 1) }
    while !hints.isEmpty, hints.count > 6 || width(hints) + 1 > columns - start {
      hints.remove(at: max(0, hints.count - 2))  // help goes last
    }
    var column = columns - width(hints) - 1
    for index in hints.indices {
      hints[index].column = column
      column += hints[index].width + 3
    }
    return hints
  }

  private var contextHints: [(words: String, command: Command)] {
    if let prompt {
      switch prompt.purpose {
      case .search: return [("keep", .confirm), ("clear", .close), ("photos", .down)]
      case .album: return [("open", .confirm), ("all albums", .close)]
      case .jump: return [("go there", .confirm), ("stay", .close)]
      }
    }
    if stoppableWork != nil { return [("stop", .close), ("help", .help)] }
    if range != nil { return [("keep the range", .range), ("drop it", .close), ("help", .help)] }
    if focus == .sidebar {
      return [
        ("show", .confirm), ("find", .search), ("photos", .nextPane), ("back", .close), ("help", .help),
      ]
    }
    if focus == .strip {
      let moves: [(String, Command)] =
        options.configuration.selection.isOrdered ? [("earlier", .moveEarlier), ("later", .moveLater)] : []
      return moves + [
        ("unselect", .toggle), (isFullScreen ? "back" : "open", .openFullScreen), ("back", .close),
        ("help", .help),
      ]
    }
    if mode == .managing {
      return [("done", .confirm), ("allow", .toggle), ("back", .close), ("help", .help)]
    }
    let use = selection.isEmpty ? "use this" : "use \(options.locale.number(selection.count))"
    var hints: [(String, Command)] = [(use, .confirm), ("select", .toggle)]
    if isZoomed {
      return hints + [
        ("whole photo", .zoom), ("larger", .largerThumbnails), ("smaller", .smallerThumbnails),
        ("help", .help),
      ]
    }
    if isFullScreen, current?.burstIdentifier != nil, focus == .grid {
      hints.append(("next of the burst", .nextInBurst))
    }
    if isFullScreen, current.map({ $0.distinctVersions.count > 1 }) ?? false {
      hints.append(("other version", .nextVersion))
    }
    if isFullScreen {
      let play: [(String, Command)] =
        current?.movingResource == nil ? [] : [(playback.phase == .playing ? "stop" : "watch", .play)]
      return hints + [("close", .openFullScreen)] + play
        + [("zoom", .zoom), ("info", .info), ("help", .help)]
    }
    if access == .limited { hints.append(("choose others", .manageAccess)) }
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
