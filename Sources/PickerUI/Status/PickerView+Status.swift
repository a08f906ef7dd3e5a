import AssetLibrary
import Pixels

extension PickerState {
  func drawStatus(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    if layout.title == nil, let prompt {
      drawPrompt(prompt, in: layout.status, on: &frame)
      return
    }
    let row = layout.status.row
    let line = statusLine(columns: frame.size.columns)
    for item in line.items { frame.put(item.text, row: row, column: item.column, style: item.style) }
    for hint in line.hints {
      frame.put(hint.key, row: row, column: hint.column, style: .hintKey)
      frame.put(hint.words, row: row, column: hint.column + hint.key.width + 1, style: .hintWords)
    }
  }

  /// What stands in the last line; nothing where a line is being typed in it.
  func statusLine(columns: Int) -> StatusLine {
    var line = StatusLine(columns: columns)
    if layout.title == nil, prompt != nil { return line }
    if let notice {
      line.append([(notice.text, TextStyle(notice.tone, bold: true))])
      return line
    }
    line.append(statusParts)
    if let work = shownWork {
      line.append(apart: DisplayText(work.title).width) { workParts(work, room: $0) }
    }
    // What lies over the screen names its own keys.
    if overlay == nil { line.place(hints) }
    return line
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
    if bulkSelection != nil { parts.append((" · selecting…", .accent)) }
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
    let conditions = userFilter.conditions.map { ($0.isExcluded ? "not " : "") + $0.name.words }
    let search = userFilter.text.isEmpty ? [] : ["“\(userFilter.text)”"]
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
}
