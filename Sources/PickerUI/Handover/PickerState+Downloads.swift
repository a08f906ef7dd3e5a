import AssetLibrary
import Pixels

extension PickerState {
  /// Begins to bring the originals of a result.
  mutating func download(_ assets: [Asset], by key: Key?) -> [PickerEffect] {
    (input.prompt, status.notice) = (nil, nil)
    _ = release()
    let downloads = OriginalDownloads(assets, by: key)
    handover.downloads = downloads
    input.overlay = .downloads
    return [.download(downloads.items.map(\.asset))]
  }

  /// Handles input while originals are on their way: each of them, or all, can be given up, and nothing else be done.
  /// - Returns: nil for a message that is handled as usual.
  mutating func takeWhileDownloading(_ message: PickerMessage) -> [PickerEffect]? {
    guard var downloads = handover.downloads else { return nil }
    switch message {
    case .downloaded(let progress):
      downloads.update(progress)
      handover.downloads = downloads
      return goOn()
    case .key(let key):
      let command = options.bindings.command(for: key)
      switch (key, command) {
      case (.delete, _), (.backspace, _):
        guard let asset = downloads.cancelCurrent() else { return [] }
        handover.downloads = downloads
        return [.cancelDownload([asset])] + goOn()
      case (_, .redraw):
        forgetPictures()
        return [.redraw]
      case (_, .suspend): return [.suspend]
      case (.escape, _), (_, .close), (_, .cancel): return giveUpDownloads()
      default:
        var menu = MenuState(cursor: downloads.cursor)
        menu.move(command, count: downloads.items.count)
        handover.downloads?.cursor = menu.cursor
        return []
      }
    case .mouse(let event):
      return statusAction(under: event) == .command(.close) ? giveUpDownloads() : []
    case .paste: return []
    default: return nil
    }
  }

  /// Goes back to the photos; what has come stays on this machine.
  private mutating func giveUpDownloads() -> [PickerEffect] {
    guard let downloads = handover.downloads else { return [] }
    handover.downloads = nil
    input.overlay = nil
    return [.cancelDownload(downloads.items.map(\.asset.id))]
  }

  /// Hands over what is here once nothing more is waited for.
  private mutating func goOn() -> [PickerEffect] {
    guard let downloads = handover.downloads else { return [] }
    if downloads.result.isEmpty { return giveUpDownloads() }
    guard downloads.isComplete else { return [] }
    handover.downloads = nil
    input.overlay = nil
    return ring(after: downloads.work) + handOver(downloads.result, by: downloads.key, isHere: true)
  }

  /// Draws each original that is on its way, with how far it has come.
  func drawDownloads(on frame: inout ScreenFrame) {
    guard let area = layout.menu, let downloads = handover.downloads else { return }
    let list = menuList(in: area)
    let count = downloads.items.count
    var title = "Downloading"
    if let speed = downloads.bytesPerSecond { title += " · \(options.locale.size(speed))/s" }
    frame.put(title, row: area.row, column: list.column + 1, limit: list.columns, style: .title)
    let first = first(in: list, showing: downloads.cursor, of: count)
    for row in 0..<max(0, min(list.rows, count - first)) {
      let item = downloads.items[first + row]
      let detail: String
      if item.failure != nil {
        detail = "failed"
      } else if item.isHere {
        detail = options.locale.size(item.byteCount)
      } else {
        detail = "\(Int((item.fraction * 100).rounded(.down)))% of \(options.locale.size(item.byteCount))"
      }
      frame.drawLine(
        mark: item.isHere
          ? symbols.menus.checked : item.failure == nil ? symbols.badges.cloud : symbols.grid.broken,
        name(of: item.asset).string, detail: detail, row: list.row + row, in: list,
        isCurrent: first + row == downloads.cursor, isChosen: item.isHere, isDimmed: item.failure != nil)
    }
    // The last line has the progress in place of hints.
    let hints = [(Key.delete, "leaves one out"), (.escape, "goes back")]
    for (offset, hint) in hints.enumerated() where count + 1 + offset < list.rows {
      frame.put(
        "\(hint.0.label(symbols)) \(hint.1)", row: list.row + count + 1 + offset, column: list.column + 3,
        limit: list.columns - 3, style: .dim)
    }
    let current = downloads.items.indices.contains(downloads.cursor) ? downloads.items[downloads.cursor] : nil
    guard let failure = current?.failure ?? downloads.items.lazy.compactMap(\.failure).first else { return }
    let lines = DisplayText(failure).wrapped(to: max(1, list.columns - 3))
    let top = count + hints.count + 2
    for (offset, line) in lines.prefix(max(0, list.rows - top)).enumerated() {
      frame.put(
        line, row: list.row + top + offset, column: list.column + 3, limit: list.columns - 3, style: .plain)
    }
  }
}
