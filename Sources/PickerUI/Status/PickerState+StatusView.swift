import AssetLibrary
import Pixels

extension PickerState {
  func drawStatus(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    if layout.title == nil, let prompt = input.prompt, !asksToLeave {
      drawPrompt(prompt, in: layout.status, on: &frame)
      return
    }
    let row = layout.status.row
    let line = statusLine(columns: frame.size.columns)
    for item in line.items { frame.put(item.text, row: row, column: item.column, style: item.style) }
    for hint in line.hints {
      frame.put(hint.key, row: row, column: hint.column, style: .hintKey)
      frame.put(hint.label, row: row, column: hint.column + hint.key.width + 1, style: .hintWords)
    }
  }

  private var asksToLeave: Bool { status.notice?.asksToLeave ?? false }

  /// The content of the last line; empty if it shows the prompt.
  func statusLine(columns: Int) -> StatusLine {
    var line = StatusLine(columns: columns)
    if layout.title == nil, input.prompt != nil, !asksToLeave { return line }
    if let notice = status.notice {
      line.append([(notice.text, TextStyle(notice.tone, bold: true))])
      return line
    }
    line.append(statusParts)
    if let work = shownWork {
      line.append(apart: DisplayText(work.title).width) { workParts(work, width: $0) }
    }
    // Boxes over the screen show their own keys.
    if input.overlay == nil || input.overlay?.menuEntryCount != nil { line.place(hints) }
    return line
  }

  /// The left part of the status line.
  private var statusParts: [(text: String, style: TextStyle)] {
    let isOver = picks.selection.excess > 0
    let isFull = picks.selection.isFull && limit > 1 && authorization.mode == .picking
    var parts: [(String, TextStyle)] = [
      (
        selectionText,
        TextStyle(
          picks.selection.isEmpty ? .dim : isOver ? .error : isFull ? .warning : .accent,
          bold: !picks.selection.isEmpty)
      )
    ]
    if picks.bulk != nil { parts.append((" · selecting…", .accent)) }
    if isOver {
      parts.append((" · unselect \(options.locale.number(picks.selection.excess))", TextStyle(.error)))
    }
    if let range = picks.range {
      parts.append((range.isRemoving ? " · unselecting" : " · selecting a range", .accent))
    }
    if input.focus == .strip {
      parts.append((" · \(options.locale.number(picks.stripCursor + 1)) in the order", .dim))
    } else if !library.assets.isEmpty {
      parts.append(
        (" · \(options.locale.number(grid.cursor + 1))/\(options.locale.number(library.assets.count))", .dim))
    }
    if layout.title == nil, !preview.isFullScreen, !filterText.isEmpty {
      parts.append((" · \(filterText)", .plain))
    }
    return parts
  }

  /// The active filters, for screens without a title line.
  private var filterText: String {
    let conditions = library.userFilter.conditions.map { ($0.isExcluded ? "not " : "") + $0.name.words }
    let search = library.userFilter.text.isEmpty ? [] : ["“\(library.userFilter.text)”"]
    return (conditions + search + (options.configuration.filter.map { [$0.description] } ?? []))
      .joined(separator: ", ")
  }

  var selectionText: String {
    if authorization.mode == .managing {
      return
        "\(options.locale.number(picks.selection.count + (authorization.pendingAllowed?.count ?? 0))) allowed"
    }
    let count = options.locale.number(picks.selection.count)
    var text = limit == 0 ? count : "\(count) of \(options.locale.number(limit))"
    // On narrow screens only the essential part.
    if metrics.size.columns < 40 { return limit == 0 ? "\(text) selected" : text }
    text += " selected"
    if !picks.selection.isEmpty { text += " · \(options.locale.size(picks.selection.byteCount))" }
    return text
  }
}
