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
    // Boxes over the screen show their own keys.
    let hints = input.overlay?.isMenu ?? true ? hints : []
    if let delivery = handover.delivery {
      // Nothing else can be done now.
      let width = hints.reduce(line.remainingColumns) { $0 - $1.width - StatusLine.gap }
      line.append(workParts(delivery.work, width: max(0, width)))
      line.place(hints)
      return line
    }
    let kept = choosesOptions ? 0 : StatusLine.columns(ofKept: hints)
    if let notice = status.notice {
      // A warning is read whole; what is only told leaves the keys in their place.
      if notice.tone == .dim { line = StatusLine(columns: columns, reservedColumns: kept) }
      line.append([(notice.text, TextStyle(notice.tone, bold: true))])
      if !notice.asksToLeave { line.place(hints) }
      return line
    }
    // The keys need room: what is said of the selection becomes shorter first.
    for detail in SelectionDetail.allCases {
      line = StatusLine(columns: columns, reservedColumns: detail == .least ? kept : 0)
      let isWhole = appendSelection(detail, beside: hints, to: &line)
      if isWhole && line.remainingColumns >= kept || columns < Self.leastColumnsForKeys { break }
    }
    if let work = shownWork {
      line.append(apart: DisplayText(work.title).width) { workParts(work, width: $0) }
    }
    line.place(hints)
    return line
  }

  /// How much the last line says of the selection.
  private enum SelectionDetail: CaseIterable {
    case full
    /// Not where the cursor is.
    case withoutPosition
    /// Nor how many bytes it is.
    case countOnly
    /// The number alone.
    case least
  }

  /// Whether the shape of the result is being chosen: its words come before the keys.
  private var choosesOptions: Bool { if case .options = input.overlay { true } else { false } }

  /// - Returns: whether the shape of the result is told whole.
  private func appendSelection(
    _ detail: SelectionDetail, beside hints: [StatusLine.Hint], to line: inout StatusLine
  ) -> Bool {
    line.append([selectionPart(detail)])
    var (hasPosition, isWhole) = (detail == .full, true)
    if let words = representationWords, line.columns >= Self.leastColumnsForRepresentation {
      let kept = choosesOptions ? 0 : StatusLine.columns(ofKept: hints, includingHelp: true)
      let forKeys = max(Self.columnsForKey, kept)
      let room = line.remainingColumns - max(0, forKeys - line.reservedColumns)
      let whole = DisplayText(" · " + words)
      let text = whole.truncated(to: max(0, room))
      isWhole = text == whole || choosesOptions
      line.append([(text.string, .chip)], action: .command(.optionsMenu))
      hasPosition = hasPosition && line.remainingColumns >= Self.columnsForPosition + forKeys
    }
    line.append(statusParts(hasPosition: hasPosition, detail))
    return isWhole
  }

  /// In narrower lines what is said of the selection comes before the keys.
  private static let leastColumnsForKeys = 48
  /// Narrower lines say nothing of the shape in which the result is handed over.
  private static let leastColumnsForRepresentation = 40
  /// What those words leave for one key that helps, and what the place of the cursor among the photos takes.
  private static let (columnsForKey, columnsForPosition) = (12, 12)

  /// How much is selected.
  private func selectionPart(_ detail: SelectionDetail) -> (text: String, style: TextStyle) {
    let isOver = picks.selection.excess > 0
    let isFull = picks.selection.isFull && limit > 1 && authorization.mode == .picking
    let tone: TextStyle.Tone =
      picks.selection.isEmpty ? .dim : isOver ? .error : isFull ? .warning : .accent
    return (selectionText(detail), TextStyle(tone, bold: !picks.selection.isEmpty))
  }

  /// What goes on with the selection, and where the cursor is.
  private func statusParts(
    hasPosition: Bool, _ detail: SelectionDetail
  ) -> [(text: String, style: TextStyle)] {
    let isOver = picks.selection.excess > 0
    var parts: [(String, TextStyle)] = []
    // Why the photo at the cursor can't be picked.
    if !isOver, current.map(isBeyondLimit) ?? false {
      let isShort = detail == .countOnly || detail == .least
      parts.append((" · " + (isShort ? "limit reached" : limitMessage), TextStyle(.warning)))
    }
    let unavailable = picks.selection.tally.unavailable
    if unavailable > 0 {
      parts.append((" · \(options.locale.number(unavailable)) can't be used", TextStyle(.error)))
    }
    if picks.bulk != nil { parts.append((" · selecting…", .accent)) }
    if isOver {
      parts.append((" · unselect \(options.locale.number(picks.selection.excess))", TextStyle(.error)))
    }
    if let range = picks.range {
      parts.append((range.isRemoving ? " · unselecting" : " · selecting a range", .accent))
    }
    if input.focus == .strip {
      parts.append((" · \(options.locale.number(picks.stripCursor + 1)) in the order", .dim))
    } else if hasPosition, !library.assets.isEmpty {
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

  private func selectionText(_ detail: SelectionDetail) -> String {
    if authorization.mode == .managing {
      return
        "\(options.locale.number(picks.selection.count + (authorization.pendingAllowed?.count ?? 0))) allowed"
    }
    let count = options.locale.number(picks.selection.count)
    var text = limit == 0 ? count : "\(count) of \(options.locale.number(limit))"
    // On narrow screens only the essential part.
    if metrics.size.columns < 40 || detail == .least { return limit == 0 ? "\(text) selected" : text }
    text += " selected"
    if !picks.selection.isEmpty, detail != .countOnly {
      let about = picks.selection.tally.estimates > 0 ? "≈" : ""
      text += " · \(about)\(options.locale.size(picks.selection.byteCount))"
    }
    return text
  }
}
