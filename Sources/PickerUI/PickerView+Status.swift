import AssetLibrary
import Pixels

extension PickerState {
  /// The last line: where one is, what is picked, and the keys that matter now.
  func drawStatus(on frame: inout Frame, _ layout: ScreenLayout) {
    let row = layout.status.row
    let width = frame.size.columns
    if let notice {
      frame.put(notice.text, row: row, column: 1, limit: width - 2, style: TextStyle(notice.tone, bold: true))
      return
    }
    var left = frame.put(
      selectionWords, row: row, column: 1, limit: width - 2,
      style: TextStyle(
        selection.isEmpty ? .dim : selection.isFull && limit > 1 ? .warning : .accent,
        bold: !selection.isEmpty))
    if !assets.isEmpty {
      let position = " · \(options.locale.number(cursor + 1))/\(options.locale.number(assets.count))"
      left += frame.put(position, row: row, column: 1 + left, limit: max(0, width - left - 2), style: .dim)
    }
    drawKeys(from: left + 4, row: row, on: &frame)
  }

  private var selectionWords: String {
    if mode == .managing {
      return "\(options.locale.number(selection.count + (unmarked?.count ?? 0))) allowed"
    }
    let count = options.locale.number(selection.count)
    var words = limit == 0 ? "\(count) selected" : "\(count) of \(options.locale.number(limit)) selected"
    if !selection.isEmpty { words += " · \(options.locale.size(selection.byteCount))" }
    return words
  }

  /// At most six keys, as many as there is room for, the most useful first; drawn to the right.
  private func drawKeys(from start: Int, row: Int, on frame: inout Frame) {
    var hints: [(key: Key, words: String)] = []
    if focus == .sidebar {
      hints = [(.enter, "show"), (.tab, "photos"), (.escape, "back")]
    } else if mode == .managing {
      hints = [(.enter, "done"), (.space, "allow"), (.escape, "back")]
    } else {
      hints = [(.enter, selection.isEmpty ? "use this" : "use \(selection.count)"), (.space, "select")]
      hints.append((.character("o"), isFullScreen ? "close" : "open"))
      if !isFullScreen { hints.append((.tab, "albums")) }
      if access == .limited { hints.append((.character("m"), "choose others")) }
    }
    hints.append((.character("?"), "help"))
    var texts = hints.map { (key: DisplayText($0.key.label), words: DisplayText($0.words)) }
    let width = { (texts: [(key: DisplayText, words: DisplayText)]) in
      texts.reduce(0) { $0 + $1.key.width + $1.words.width + 1 } + 3 * max(0, texts.count - 1)
    }
    while !texts.isEmpty, width(texts) + 1 > frame.size.columns - start {
      texts.remove(at: max(0, texts.count - 2))  // help goes last
    }
    var column = frame.size.columns - width(texts) - 1
    for text in texts {
      column += frame.put(text.key, row: row, column: column, style: .accent) + 1
      column += frame.put(text.words, row: row, column: column, style: .dim) + 3
    }
  }
}
