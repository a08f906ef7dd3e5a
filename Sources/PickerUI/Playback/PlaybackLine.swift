import AssetLibrary
import Pixels

/// The line below a moving picture: whether it plays, the time of the frame, a time line, the length.
///
/// The mouse clicks and drags the time line, and pauses at its left end.
struct PlaybackLine {
  /// What a click does.
  enum Action: Hashable {
    case toggle
    case seek(PlaybackPlace)
  }

  private let playback: Playback
  private let symbols: Symbols
  private let area: CellRect
  private let left: DisplayText
  /// The part that the result contains; nil = all of it.
  private let part: Range<Duration>?
  /// The time of the frame that is the key photo; nil = the original one is.
  private let keyPhotoTime: Duration?
  private let right: DisplayText

  /// The columns of a time line that is worth drawing.
  private static let leastBar = 4

  /// - Returns: nil if nothing plays, or there is no room.
  init?(of picker: PickerState) {
    guard let area = Self.area(in: picker) else { return nil }
    self.area = area
    playback = picker.preview.playback
    symbols = picker.options.symbols
    let locale = picker.options.locale
    let mark = playback.isRunning ? symbols.badges.video : "||"
    left = DisplayText("\(mark) \(Self.text(playback.time, isExact: !playback.isRunning, locale))")
    let length = playback.length.map { Self.text($0, isExact: false, locale) }
    let rate = playback.rate == 1 ? nil : symbols.shownRate(playback.rate)
    part = picker.current.flatMap { picker.picks.trims[$0.id] }
    keyPhotoTime = picker.current.flatMap { picker.picks.keyPhotoTimes[$0.id] }
    let cut = part.map { "[\(Self.text($0.upperBound - $0.lowerBound, isExact: true, locale))]" }
    let loop = playback.loops == true ? symbols.badges.animation : nil
    right = DisplayText([cut, length, rate, loop].compactMap { $0 }.joined(separator: " "))
  }

  /// "0:12"; with hundredths of a second if exact.
  static func text(_ time: Duration, isExact: Bool, _ locale: LocaleFormat) -> String {
    let (seconds, rest) = (time.components.seconds, time.components.attoseconds / 10_000_000_000_000_000)
    let text = locale.duration(Double(seconds))
    return isExact ? text + (rest < 10 ? ".0\(rest)" : ".\(rest)") : text
  }

  /// The row of the line; nil if nothing plays, or there is no room.
  static func area(in picker: PickerState) -> CellRect? {
    guard let pane = picker.layout.previewAboveStrip, let asset = picker.current,
      let box = PreviewPlace(of: picker).box,
      let key = PreviewPlace(of: picker).key(of: asset), picker.preview.playback.shows(key)
    else { return nil }
    let row: CellRect
    if picker.preview.isFullScreen {
      // The name is in the left half.
      let half = pane.columns / 2
      row = CellRect(column: half, row: box.endRow, columns: pane.columns - half - 1, rows: 1)
    } else if picker.layout.isCompact {
      let side = pane.inset(left: box.endColumn - pane.column)
      let isBeside = side.columns >= PreviewPlace.factColumns - 1
      row =
        isBeside
        ? CellRect(column: side.column + 1, row: side.endRow - 1, columns: side.columns - 2, rows: 1)
        : CellRect(column: pane.column + 1, row: box.endRow, columns: pane.columns - 2, rows: 1)
    } else {
      guard !picker.preview.showsInfo else { return nil }
      let fitted = PreviewPlace(of: picker).fitted(picker.preview.presented(asset).pixelSize, in: box)
      row = CellRect(column: pane.column + 1, row: fitted.endRow, columns: pane.columns - 2, rows: 1)
    }
    return row.columns > 0 && (pane.row..<pane.endRow).contains(row.row) ? row : nil
  }

  /// The columns of the time line; empty if there is no room for it, or the length is unknown.
  private var bar: Range<Int> {
    let start = area.column + left.width + 1
    let end = area.endColumn - (right.width == 0 ? 0 : right.width + 1)
    guard let length = playback.length, length > .zero, end - start >= Self.leastBar else {
      return start..<start
    }
    return start..<end
  }

  func draw(on frame: inout ScreenFrame) {
    frame.put(String(repeating: " ", count: area.columns), row: area.row, column: area.column)
    frame.put(left, row: area.row, column: area.column, limit: area.columns, style: .fact)
    let bar = bar
    if let length = playback.length, !bar.isEmpty {
      let fraction = min(1, playback.time / length)
      let full = min(bar.count, Int((fraction * Double(bar.count)).rounded(.down)) + 1)
      frame.put(
        String(repeating: symbols.grid.position, count: full), row: area.row, column: bar.lowerBound,
        style: .progress)
      frame.put(
        String(repeating: symbols.lines.horizontal, count: bar.count - full), row: area.row,
        column: bar.lowerBound + full, style: .rule)
    }
    if let length = playback.length, length > .zero, !bar.isEmpty {
      let ends = part.map { [("[", $0.lowerBound), ("]", $0.upperBound)] } ?? []
      for (mark, time) in ends + (keyPhotoTime.map { [(symbols.menus.checked, $0)] } ?? []) {
        let place = min(bar.count - 1, Int(min(1, time / length) * Double(bar.count)))
        frame.put(mark, row: area.row, column: bar.lowerBound + place, style: .fact)
      }
    }
    let column = bar.isEmpty ? area.column + left.width + 1 : bar.upperBound + 1
    frame.put(right, row: area.row, column: column, limit: max(0, area.endColumn - column), style: .dim)
  }

  /// What a click does; nil outside of the line.
  func action(under event: MouseEvent) -> Action? {
    let column = event.column
    guard area.contains(row: event.row, column: column) else { return nil }
    if column < area.column + left.width { return .toggle }
    return bar.contains(column) ? .seek(place(under: event)) : nil
  }

  /// The place under the mouse while it drags the time line, at most its ends.
  ///
  /// The middles of the first and last cells are the ends, so that both can be reached without pixels.
  func place(under event: MouseEvent) -> PlaybackPlace {
    let bar = bar
    let offset = Double(event.column - bar.lowerBound) + event.x - 0.5
    return .fraction(min(1, max(0, offset / Double(max(1, bar.count - 1)))))
  }
}

extension Symbols {
  /// A rate such as "1.5×".
  fileprivate func shownRate(_ rate: Double) -> String {
    (rate == rate.rounded() ? "\(Int(rate))" : "\(rate)") + "×"
  }
}
