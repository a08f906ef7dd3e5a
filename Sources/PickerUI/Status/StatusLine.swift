import AssetLibrary
import Pixels

/// The last line: the selection, the position, long-running work and key hints.
///
/// Used both for drawing and for mouse handling, so that a click acts on what is shown.
struct StatusLine: Hashable, Sendable {
  /// A piece of text and its column.
  struct Item: Hashable, Sendable {
    var text: DisplayText
    var column: Int
    var style: TextStyle
    /// The action of a click.
    var action: Hint.Action?
  }

  /// A key and what it does in the current context.
  struct Hint: Hashable, Sendable {
    /// The action of a click.
    enum Action: Hashable, Sendable {
      case command(Command)
      /// A key for the prompt.
      case key(Key)
    }

    var key: DisplayText
    var label: DisplayText
    var action: Action
    var column = 0

    init(key: DisplayText, label: DisplayText, action: Action) {
      (self.key, self.label, self.action) = (key, label, action)
    }

    /// Creates a hint for a key that keeps its meaning when commands are rebound.
    init(_ key: Key, _ label: String, _ symbols: Symbols) {
      self.init(key: DisplayText(key.label(symbols)), label: DisplayText(label), action: .key(key))
    }

    var width: Int { key.width + 1 + label.width }

    /// Whether the hint is that of Enter or Esc, or Space in a menu: these stay if others do not fit.
    fileprivate var isKept: Bool {
      switch action {
      case .command(let command): command == .confirm || command == .close
      case .key(let key): [.enter, .space, .escape].contains(key)
      }
    }
  }

  /// The maximum number of hints.
  private static let maximumHints = 6
  /// Cells between unrelated items.
  static let gap = 3

  let columns: Int
  /// The cells at the end that text leaves free.
  let reservedColumns: Int
  private(set) var items: [Item] = []
  private(set) var hints: [Hint] = []
  /// The column after the last item.
  private var end = 1

  /// - Parameter reservedColumns: the cells at the end that text leaves to the hints.
  init(columns: Int, reservedColumns: Int = 0) {
    self.columns = columns
    self.reservedColumns = max(0, min(reservedColumns, columns - Self.leastTextColumns))
  }

  /// Text has at least this many cells.
  private static let leastTextColumns = 8

  /// The width of the hints that are always shown, including the gaps before them.
  /// - Parameter includesHelp: whether the last hint counts as one of them.
  static func columns(ofKept hints: [Hint], includingHelp includesHelp: Bool = false) -> Int {
    hints.indices.filter { hints[$0].isKept || includesHelp && $0 == hints.count - 1 }
      .reduce(0) { $0 + hints[$1].width + gap }
  }

  /// The free cells after the last item.
  var remainingColumns: Int { columns - end - 1 - reservedColumns }

  /// Appends text, truncated to the remaining columns.
  mutating func append(_ parts: [(text: String, style: TextStyle)], action: Hint.Action? = nil) {
    for part in parts {
      let text = DisplayText(part.text).truncated(to: max(0, remainingColumns))
      items.append(Item(text: text, column: end, style: part.style, action: action))
      end += text.width
    }
  }

  /// Appends text after a gap, if at least `least` cells remain.
  mutating func append(apart least: Int, _ parts: (_ width: Int) -> [(text: String, style: TextStyle)]) {
    guard remainingColumns - Self.gap >= least else { return }
    end += Self.gap
    append(parts(remainingColumns))
  }

  /// Places as many hints as fit, right-aligned.
  ///
  /// Hints are dropped from the right, but the last one, help, only after the others, and Enter and Esc only
  /// after help.
  /// - Parameter all: the hints in display order, the most useful first.
  mutating func place(_ all: [Hint]) {
    var hints = all
    let width = { (hints: [Hint]) in
      hints.reduce(0) { $0 + $1.width } + Self.gap * max(0, hints.count - 1)
    }
    while !hints.isEmpty, hints.count > Self.maximumHints || width(hints) + 1 > columns - end - Self.gap {
      let expendable = hints.indices.dropLast().last { !hints[$0].isKept }
      hints.remove(at: expendable ?? hints.lastIndex { !$0.isKept } ?? 0)
    }
    var column = columns - width(hints) - 1
    for index in hints.indices {
      hints[index].column = column
      column += hints[index].width + Self.gap
    }
    self.hints = hints
  }

  /// The action of a click at a column.
  func action(at column: Int) -> Hint.Action? {
    if let hint = hints.first(where: { ($0.column..<$0.column + $0.width).contains(column) }) {
      return hint.action
    }
    return items.first { ($0.column..<$0.column + $0.text.width).contains(column) }?.action
  }
}

extension StatusLine {
  /// The last line of a picker; empty if it shows the prompt.
  init(of picker: PickerState) { self = LastLine(picker: picker).line(columns: picker.layout.screen.columns) }

  func draw(on frame: inout ScreenFrame, row: Int) {
    for item in items { frame.put(item.text, row: row, column: item.column, style: item.style) }
    for hint in hints {
      frame.put(hint.key, row: row, column: hint.column, style: .hintKey)
      frame.put(hint.label, row: row, column: hint.column + hint.key.width + 1, style: .hintWords)
    }
  }
}

/// The content of the last line, in several levels of detail.
private struct LastLine {
  let picker: PickerState

  /// The content of the last line; empty if it shows the prompt.
  func line(columns: Int) -> StatusLine {
    var line = StatusLine(columns: columns)
    if picker.layout.title == nil, picker.layers[Prompt.self] != nil, !picker.status.asksToLeave {
      return line
    }
    let hints = Hints(of: picker).all
    if let delivery = picker.layers[Delivery.self] {
      // While the result is delivered, the line shows only the progress and its keys.
      let width = hints.reduce(line.remainingColumns) { $0 - $1.width - StatusLine.gap }
      line.append(workParts(delivery.work, width: max(0, width)))
      line.place(hints)
      return line
    }
    let kept = isOptionsMenuOpen ? 0 : StatusLine.columns(ofKept: hints)
    if let notice = picker.status.notice {
      // Warnings get the whole line; dim notices leave room for the hints of Enter and Esc.
      if notice.tone == .dim { line = StatusLine(columns: columns, reservedColumns: kept) }
      let isShortened = notice.tone == .dim || notice.asksToLeave
      let text = isShortened ? Self.clauses(of: notice.text, in: line.remainingColumns) : notice.text
      line.append([(text, TextStyle(notice.tone, bold: true))])
      if !notice.asksToLeave { line.place(hints) }
      return line
    }
    // To make room for the keys, the text about the selection is shortened first.
    for detail in SelectionDetail.allCases {
      line = StatusLine(columns: columns, reservedColumns: detail == .least ? kept : 0)
      let isWhole = appendSelection(detail, beside: hints, to: &line)
      if isWhole && line.remainingColumns >= kept || columns < Self.leastColumnsForKeys { break }
    }
    if let work = Work.shown(in: picker) {
      line.append(apart: DisplayText(work.title).width) { workParts(work, width: $0) }
    }
    line.place(hints)
    return line
  }

  /// Returns as many clauses of a sentence as fit, dropping the last ones; the whole text if it is a single
  /// clause.
  private static func clauses(of text: String, in width: Int) -> String {
    var (shorter, isWhole) = (Substring(text), true)
    while DisplayText(String(shorter)).width > width {
      let ends = [DisplayText.separator, "; ", ": ", ". "].compactMap { separator in
        shorter.ranges(of: separator).last?.lowerBound
      }
      guard let end = ends.max() else { break }
      (shorter, isWhole) = (shorter[..<end], false)
    }
    return isWhole ? text : String(shorter)
  }

  /// The amount of detail about the selection.
  private enum SelectionDetail: CaseIterable {
    case full
    /// Without the position of the cursor.
    case withoutPosition
    /// Also without the size.
    case countOnly
    /// Only the number.
    case least
  }

  /// Whether the options menu is open: the options have priority over the keys.
  private var isOptionsMenuOpen: Bool { picker.layers[OptionsMenu.self] != nil }

  /// - Returns: whether the options of the result are shown in full.
  private func appendSelection(
    _ detail: SelectionDetail, beside hints: [StatusLine.Hint], to line: inout StatusLine
  ) -> Bool {
    line.append([selectionPart(detail)])
    var (hasPosition, isWhole) = (detail == .full, true)
    if let words = picker.picks.representationWords(
      picker.options.locale, current: picker.current),
      line.columns >= Self.leastColumnsForRepresentation
    {
      let kept = isOptionsMenuOpen ? 0 : StatusLine.columns(ofKept: hints, includingHelp: true)
      let forKeys = max(Self.columnsForKey, kept)
      let room = line.remainingColumns - max(0, forKeys - line.reservedColumns)
      let whole = DisplayText(" · " + words)
      let text = whole.truncated(to: max(0, room))
      isWhole = text == whole || isOptionsMenuOpen
      line.append([(text.string, .chip)], action: .command(.optionsMenu))
      hasPosition = hasPosition && line.remainingColumns >= Self.columnsForPosition + forKeys
    }
    line.append(statusParts(hasPosition: hasPosition, detail))
    return isWhole
  }

  /// In narrower lines the text about the selection has priority over the keys.
  private static let leastColumnsForKeys = 48
  /// Narrower lines do not show the options of the result.
  private static let leastColumnsForRepresentation = 40
  /// The cells that the options leave for a key hint, and the cells needed for the position of the cursor.
  private static let (columnsForKey, columnsForPosition) = (12, 12)

  /// The number of picks.
  private func selectionPart(_ detail: SelectionDetail) -> (text: String, style: TextStyle) {
    let isOver = picker.picks.selection.excess > 0
    let isFull =
      picker.picks.selection.isFull && picker.picks.selection.limit > 1
      && picker.authorization.mode == .picking
    let tone: TextStyle.Tone =
      picker.picks.selection.isEmpty ? .dim : isOver ? .error : isFull ? .warning : .accent
    return (selectionText(detail), TextStyle(tone, bold: !picker.picks.selection.isEmpty))
  }

  /// The state of the selection, and the position of the cursor.
  private func statusParts(
    hasPosition: Bool, _ detail: SelectionDetail
  ) -> [(text: String, style: TextStyle)] {
    let isOver = picker.picks.selection.excess > 0
    var parts: [(String, TextStyle)] = []
    // Why the photo at the cursor can't be picked.
    if !isOver, picker.current.map({ picker.rules.isBeyondLimit($0, in: picker.picks.selection) }) ?? false {
      let isShort = detail == .countOnly || detail == .least
      parts.append(
        (
          " · " + (isShort ? "limit reached" : picker.picks.selection.limitMessage(picker.options.locale)),
          TextStyle(.warning)
        ))
    }
    let unavailable = picker.picks.selection.tally.unavailable
    if unavailable > 0 {
      parts.append((" · \(picker.options.locale.number(unavailable)) can't be used", TextStyle(.error)))
    }
    if picker.picks.isBusy { parts.append((" · picking…", .accent)) }
    if isOver {
      parts.append(
        (" · unpick \(picker.options.locale.number(picker.picks.selection.excess))", TextStyle(.error)))
    }
    if let range = picker.picks.activeRange {
      parts.append((range.isRemoving ? " · unpicking" : " · picking a range", .accent))
    }
    if picker.input.focus == .strip {
      let (number, count) = (picker.picks.strip.cursor + 1, picker.picks.selection.count)
      parts.append(
        (
          " · \(picker.authorization.mode == .managing ? "" : "pick ")\(picker.options.locale.number(number)) "
            + "of \(picker.options.locale.number(count))", .dim
        ))
    } else if hasPosition, !picker.library.assets.isEmpty {
      parts.append(
        (
          " · \(picker.options.locale.number(picker.grid.cursor + 1))/\(picker.options.locale.number(picker.library.assets.count))",
          .dim
        ))
    }
    if picker.layout.title == nil || picker.layers[Prompt.self] != nil,
      let purpose = picker.options.purposeText
    {
      parts.append((" · " + DisplayText(purpose).middleTruncated(to: 40).string, .accent))
    }
    if picker.layout.title == nil, !picker.preview.isFullScreen, !filterText.isEmpty {
      parts.append((" · \(filterText)", .plain))
    }
    return parts
  }

  /// The active filters, for screens without a title line.
  private var filterText: String {
    let conditions = picker.library.userFilter.conditions.map {
      ($0.isExcluded ? "not " : "") + $0.name.words
    }
    let search = picker.library.userFilter.text.isEmpty ? [] : ["“\(picker.library.userFilter.text)”"]
    return (conditions + search + (picker.options.configuration.filter.map { [$0.description] } ?? []))
      .joined(separator: ", ")
  }

  private func selectionText(_ detail: SelectionDetail) -> String {
    if picker.authorization.mode == .managing {
      return
        "\(picker.options.locale.number(picker.picks.selection.count + (picker.picks.pendingAllowed?.count ?? 0))) allowed"
    }
    let count = picker.options.locale.number(picker.picks.selection.count)
    var text =
      picker.picks.selection.limit == 0
      ? count : "\(count) of \(picker.options.locale.number(picker.picks.selection.limit))"
    // On narrow screens only the essential part.
    if picker.layout.metrics.size.columns < 40 || detail == .least {
      return picker.picks.selection.limit == 0 ? "\(text) picked" : text
    }
    text += " picked"
    if !picker.picks.selection.isEmpty, detail != .countOnly {
      let about = picker.picks.selection.tally.estimates > 0 ? "≈" : ""
      text += " · \(about)\(picker.options.locale.size(picker.picks.selection.byteCount))"
    }
    return text
  }

  // MARK: Work

  /// The width of the progress bar in cells.
  private static let barColumns = 12

  /// The title, progress bar, amount and time of work.
  ///
  /// If they do not fit, the time is dropped first, then the bar, then the bytes beside the amount, then the
  /// amount.
  private func workParts(_ work: Work, width: Int) -> [(text: String, style: TextStyle)] {
    let title = picker.status.stoppedWorks.contains(work.id) ? "stopping" : work.title
    var parts: [(text: String, style: TextStyle)] = [(title, .plain)]
    var left = width - DisplayText(title).width
    var hasAmount = false
    if let amount = amounts(of: work).first(where: { DisplayText($0).width <= left }) {
      parts.append((amount, .dim))
      left -= DisplayText(amount).width
      hasAmount = true
    }
    if let fraction = work.completedFraction, left >= Self.barColumns + 1 {
      let full = Int((fraction * Double(Self.barColumns)).rounded(.down))
      let bar = [
        (" " + String(repeating: picker.options.symbols.grid.position, count: full), TextStyle.progress),
        (
          String(repeating: picker.options.symbols.lines.horizontal, count: Self.barColumns - full),
          TextStyle.rule
        ),
      ]
      parts.insert(contentsOf: bar, at: 1)
      left -= Self.barColumns + 1
    }
    let time = time(of: work)
    if hasAmount, !time.isEmpty, DisplayText(time).width + 3 <= left { parts.append((" · \(time)", .dim)) }
    return parts
  }

  /// The progress as text, in a longer and a shorter form.
  private func amounts(of work: Work) -> [String] {
    let amount = " " + amount(of: work)
    return work.bytes > 0 ? ["\(amount) · \(picker.options.locale.size(work.bytes))", amount] : [amount]
  }

  private func amount(of work: Work) -> String {
    let text = { (value: Int) in
      work.unit == .bytes ? picker.options.locale.size(Int64(value)) : picker.options.locale.number(value)
    }
    if let total = work.total { return "\(text(work.done)) of \(text(total))" }
    return work.unit == .bytes ? text(work.done) : picker.options.locale.count(work.done, "photo", "photos")
  }

  private func time(of work: Work) -> String {
    if let remaining = work.remaining { return "\(picker.options.locale.duration(remaining)) left" }
    return work.elapsed >= 1 ? picker.options.locale.duration(work.elapsed) : ""
  }
}
