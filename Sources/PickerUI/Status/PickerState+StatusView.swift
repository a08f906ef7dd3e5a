import AssetLibrary
import Pixels

extension PickerState {
  func drawStatus(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    let row = layout.status.row
    let line = statusLine(columns: frame.size.columns)
    for item in line.items { frame.put(item.text, row: row, column: item.column, style: item.style) }
    for hint in line.hints {
      frame.put(hint.key, row: row, column: hint.column, style: .hintKey)
      frame.put(hint.label, row: row, column: hint.column + hint.key.width + 1, style: .hintWords)
    }
  }

  /// The content of the last line; empty if it shows the prompt.
  func statusLine(columns: Int) -> StatusLine {
    var line = StatusLine(columns: columns)
    if layout.title == nil, layers[Prompt.self] != nil, !status.asksToLeave { return line }
    let hints = hints
    if let delivery = layers[Delivery.self] {
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
      let text = notice.tone == .dim ? Self.clauses(of: notice.text, in: line.remainingColumns) : notice.text
      line.append([(text, TextStyle(notice.tone, bold: true))])
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

  /// As many clauses of a sentence as fit, the last ones left out; all of it where it is one.
  private static func clauses(of text: String, in width: Int) -> String {
    var (shorter, isWhole) = (Substring(text), true)
    while DisplayText(String(shorter)).width > width {
      let ends = [DisplayText.separator, "; ", ": "].compactMap { separator in
        shorter.ranges(of: separator).last?.lowerBound
      }
      guard let end = ends.max() else { break }
      (shorter, isWhole) = (shorter[..<end], false)
    }
    return isWhole ? text : String(shorter)
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
  private var choosesOptions: Bool { layers[OptionsMenu.self] != nil }

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
      let (number, count) = (picks.strip.cursor + 1, picks.selection.count)
      parts.append((" · pick \(options.locale.number(number)) of \(options.locale.number(count))", .dim))
    } else if hasPosition, !library.assets.isEmpty {
      parts.append(
        (" · \(options.locale.number(grid.cursor + 1))/\(options.locale.number(library.assets.count))", .dim))
    }
    if layout.title == nil || layers[Prompt.self] != nil, let purpose = purposeText {
      parts.append((" · " + DisplayText(purpose).middleTruncated(to: 40).string, .accent))
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

extension PickerState {
  /// Draws the line of facts where no preview has them.
  func drawFactsLine(on frame: inout ScreenFrame, _ layout: ScreenLayout) {
    guard let area = layout.facts, !preview.isFullScreen, let asset = current else { return }
    drawFactsLine(of: asset, in: area, on: &frame)
  }

  /// Draws the name of a photo, and as many facts as there is room for, in one line.
  func drawFactsLine(of asset: Asset, in area: CellRect, on frame: inout ScreenFrame) {
    let limit = area.columns - 2
    // The name comes before facts: a long one leaves room for one of them.
    let name = presented(asset).displayName.middleTruncated(to: max(12, limit * 3 / 4))
    var column = area.column + 1
    column += frame.put(name, row: area.row, column: column, limit: limit, style: .title)
    frame.highlight(
      library.userFilter.namePatterns, row: area.row, column: area.column + 1, width: name.width)
    if let defect = asset.defect {
      frame.put(
        " · \(defect)", row: area.row, column: column, limit: area.endColumn - 1 - column, style: .defect)
      return
    }
    var facts = [options.locale.date(of: asset), options.locale.technicalFacts(of: presented(asset))]
    if let details = preview.details[asset.id] { facts += options.locale.cameraFacts(details) }
    // Whole facts only: the last ones go first.
    var text = DisplayText("")
    for fact in facts where !fact.isEmpty {
      let longer = DisplayText(text.string + " · " + fact)
      guard column + longer.width < area.endColumn else { break }
      text = longer
    }
    frame.put(text, row: area.row, column: column, style: .dim)
  }
}

extension PickerState {
  /// The label of the first key bound to a command; nil if there is none.
  func keyLabel(_ command: Command) -> String? { options.bindings.key(for: command)?.label(symbols) }

  /// Keys with descriptions, such as "Esc back"; commands without a key are left out.
  func keyLabel(_ keys: KeyValuePairs<Command, String>, separator: String = " · ") -> String {
    keys.compactMap { command, text in keyLabel(command).map { "\($0) \(text)" } }
      .joined(separator: separator)
  }

  /// The key hints for what is open, or else for the current context: the most useful first, the help last.
  var hints: [StatusLine.Hint] {
    layers.fromTop.lazy.compactMap { $0.hints(in: self) }.first
      ?? contextHints.compactMap { hint($0.label, $0.command) }
  }

  /// A hint with the first key that is bound to a command; nil if there is none.
  func hint(_ label: String, _ command: Command) -> StatusLine.Hint? {
    keyLabel(command).map {
      StatusLine.Hint(key: DisplayText($0), label: DisplayText(label), action: .command(command))
    }
  }

  /// A hint in the words of the table of commands.
  private func hint(_ command: Command) -> (label: String, command: Command) { (command.row.hint, command) }

  /// The hints for the current context; what Enter and Esc do is always among them.
  private var contextHints: [(label: String, command: Command)] {
    var hints = focusedHints
    guard status.stoppableWork == nil else { return hints }
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
    if status.stoppableWork != nil { return [("stop", .close), hint(.help)] }
    if picks.range != nil { return [("keep the range", .range), ("drop it", .close), hint(.help)] }
    if input.focus == .sidebar {
      return [
        ("show", .confirm), ("find", .search), ("photos", .nextPane), ("back", .close), hint(.help),
      ]
    }
    if input.focus == .strip {
      let moves: [(String, Command)] =
        options.configuration.selection.isOrdered ? [hint(.moveEarlier), hint(.moveLater)] : []
      return moves + [
        ("unselect", .toggle), (preview.isFullScreen ? "back" : "open", .openFullScreen), ("back", .close),
        hint(.help),
      ]
    }
    if authorization.mode == .managing {
      return [("done", .confirm), ("allow", .toggle), ("back", .close), hint(.help)]
    }
    var hints: [(String, Command)] = choosingHints
    if canTryAgain { hints.insert(hint(.redraw), at: min(1, hints.count)) }
    if case .reading = closable { hints.insert(("stop", .close), at: min(1, hints.count)) }
    if isZoomed {
      return hints + [
        hint(.largerThumbnails), hint(.smallerThumbnails),
        hint(.help),
      ]
    }
    if preview.isFullScreen, current?.burstIdentifier != nil, input.focus == .grid {
      hints.append(hint(.nextInBurst))
    }
    if preview.isFullScreen, current.map({ $0.distinctVersions.count > 1 }) ?? false {
      hints.append(hint(.nextVersion))
    }
    if preview.isFullScreen {
      let play: [(String, Command)] =
        current?.movingResource == nil
        ? [] : [(preview.playback.isWanted && preview.playback.phase != .ended ? "stop" : "watch", .play)]
      return hints + [("close", .close)] + play
        + [hint(.zoom), hint(.info), hint(.help)]
    }
    if isFoundOnlyElsewhere { hints.append(("all photos", .nextPane)) }
    if !picks.selection.isEmpty, !isSingleChoice { hints.append(hint(.review)) }
    if options.deliversResults || representationWords != nil, reasonForNoOptions == nil {
      hints.append(hint(.optionsMenu))
    }
    if authorization.status == .limited { hints.append(hint(.manageAccess)) }
    if allows(.preview), !library.assets.isEmpty { hints.append(hint(.openFullScreen)) }
    if allows(.search) { hints.append(hint(.search)) }
    if layout.sidebar == nil, allows(.collectionNavigation), !isFoundOnlyElsewhere {
      hints.append(hint(.nextPane))
    } else if allows(.search) {
      hints.append(hint(.filterMenu))
    }
    return hints + [hint(.help)]
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

extension PickerState {
  /// The width of the progress bar in cells.
  private static let barColumns = 12

  /// The title, progress bar, amount and time of work; if they don't fit, the time is dropped first, then the
  /// bar, then the bytes that go with the amount, then the amount.
  private func workParts(_ work: Work, width: Int) -> [(text: String, style: TextStyle)] {
    let title = status.stoppedWorks.contains(work.id) ? "stopping" : work.title
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
        (" " + String(repeating: symbols.grid.position, count: full), TextStyle.progress),
        (String(repeating: symbols.lines.horizontal, count: Self.barColumns - full), TextStyle.rule),
      ]
      parts.insert(contentsOf: bar, at: 1)
      left -= Self.barColumns + 1
    }
    let time = time(of: work)
    if hasAmount, !time.isEmpty, DisplayText(time).width + 3 <= left { parts.append((" · \(time)", .dim)) }
    return parts
  }

  /// How much is done, in more words and in fewer.
  private func amounts(of work: Work) -> [String] {
    let amount = " " + amount(of: work)
    return work.bytes > 0 ? ["\(amount) · \(options.locale.size(work.bytes))", amount] : [amount]
  }

  private func amount(of work: Work) -> String {
    let text = { (value: Int) in
      work.unit == .bytes ? options.locale.size(Int64(value)) : options.locale.number(value)
    }
    if let total = work.total { return "\(text(work.done)) of \(text(total))" }
    return work.unit == .bytes ? text(work.done) : options.locale.count(work.done, "photo", "photos")
  }

  private func time(of work: Work) -> String {
    if let remaining = work.remaining { return "\(options.locale.duration(remaining)) left" }
    return work.elapsed >= 1 ? options.locale.duration(work.elapsed) : ""
  }
}

extension PickerState {
  var shownWork: Work? {
    layers[Delivery.self]?.work ?? layers[OriginalDownloads.self]?.work ?? status.shownWork(
      reading: longReading)
      ?? previewDownload
  }

  /// The download of the original that is looked at.
  private var previewDownload: Work? {
    guard let asset = current, let fraction = pictures.downloads[asset.id] else { return nil }
    var work = Work(
      id: Work.downloads, title: "downloading", unit: .bytes,
      done: Int(saturating: fraction * Double(asset.byteCount)),
      total: Int(asset.byteCount))
    work.fraction = fraction
    return work
  }

  /// The library scan, once it has taken long enough to be shown.
  private var longReading: Work? {
    Work(library.status).flatMap { $0.elapsed >= StatusState.workDelay ? $0 : nil }
  }

  /// The library scan if Esc can stop it; everything else is closed first.
  var stoppableReading: Work? { longReading.flatMap { status.canStop($0) ? $0 : nil } }

  /// Removes work that has ended, and shows its message if there is one.
  mutating func endWork(_ id: Work.ID, message: String?, hasFailed: Bool) -> [PickerEffect] {
    let work = status.end(id)
    let notice = message.map { showNotice($0, hasFailed ? .error : .dim) } ?? []
    // The error notice has rung the bell already.
    return notice.contains(.ring) ? notice : (work.map(ring) ?? []) + notice
  }

  /// Rings the bell if the library scan has just completed and took long.
  func ring(after before: LibraryStatus) -> [PickerEffect] {
    guard let work = Work(before), library.status.isComplete, !library.status.isStopped else { return [] }
    return ring(after: work)
  }

  func ring(after work: Work) -> [PickerEffect] {
    options.ringsBell && work.elapsed >= StatusState.bellThreshold ? [.ring] : []
  }

  /// Whether there are sources that could not be read, and nobody tries again already.
  var canTryAgain: Bool { library.status.isComplete && !library.status.unreadableSources.isEmpty }

  /// Says which sources could not be read, and which key tries again; empty where all could be.
  var unreadableMessage: String {
    guard let first = library.status.unreadableSources.first else { return "" }
    let others = library.status.unreadableSources.count - 1
    return first.description + (others > 0 ? " · \(options.locale.number(others)) more" : "")
      + (keyLabel(.redraw).map { " · \($0) tries again" } ?? "")
  }

  /// Says that the library is incomplete, and which key resumes the scan.
  var stoppedMessage: String {
    "reading the library was stopped" + (keyLabel(.redraw).map { ": \($0) resumes" } ?? "")
  }
}
