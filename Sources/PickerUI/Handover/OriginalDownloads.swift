package import AssetLibrary
import Pixels

/// The originals of picks that are on their way from servers before the result is handed over.
struct OriginalDownloads: Sendable {
  /// One pick, and what has come of it.
  struct Item: Sendable {
    let asset: Asset
    var fraction = 0.0
    var isHere = false
    /// Why it can't be had, as words after a colon.
    var failure: String?

    /// Bytes of all its files.
    var byteCount: Int64 { asset.remoteByteCount }
  }

  /// All picks, in their order.
  let assets: [Asset]
  /// The key of the caller's that confirmed them.
  let key: Key?
  private(set) var items: [Item]
  /// Seconds since the first was asked for.
  private(set) var elapsed = 0.0
  /// Which ones nobody wants any more.
  private(set) var cancelled: Set<LocalIdentifier> = []
  var cursor = 0

  init(_ assets: [Asset], by key: Key?) {
    self.assets = assets
    self.key = key
    items = assets.filter { !$0.isLocallyAvailable }.map { Item(asset: $0) }
  }

  mutating func update(_ progress: DownloadProgress) {
    elapsed = max(elapsed, progress.elapsed)
    guard let index = items.firstIndex(where: { $0.asset.id == progress.asset }) else { return }
    items[index].fraction = progress.fraction
    items[index].isHere = progress.isHere
    items[index].failure = progress.failure
  }

  /// Takes one out that is not here yet.
  /// - Returns: the asset; nil where there is nothing to be taken out at the cursor.
  mutating func cancelCurrent() -> LocalIdentifier? {
    guard items.indices.contains(cursor), !items[cursor].isHere else { return nil }
    let asset = items.remove(at: cursor).asset.id
    cancelled.insert(asset)
    cursor = max(0, min(cursor, items.count - 1))
    return asset
  }

  /// Whether all that is wanted is here.
  var isComplete: Bool { items.allSatisfy(\.isHere) }

  /// Whether nothing more is to be waited for although not all is here.
  var isStuck: Bool { !isComplete && items.allSatisfy { $0.isHere || $0.failure != nil } }

  /// What is handed over.
  var result: [Asset] { assets.filter { !cancelled.contains($0.id) } }

  /// All of them, for the last line.
  var work: Work {
    var work = Work(
      id: Work.downloads, title: "downloading", done: items.filter(\.isHere).count, total: items.count,
      elapsed: elapsed, isStoppable: true)
    let all = items.reduce(0) { $0 + Double($1.byteCount) }
    let done = items.reduce(0) { $0 + Double($1.byteCount) * ($1.isHere ? 1 : $1.fraction) }
    work.bytes = Int64(saturating: done)
    work.fraction = all > 0 ? done / all : 0
    return work
  }

  /// Bytes a second so far; nil while that can't be told.
  var bytesPerSecond: Int64? {
    let bytes = work.bytes
    return elapsed >= 1 && bytes > 0 ? Int64(saturating: Double(bytes) / elapsed) : nil
  }
}

extension Work {
  /// The identifier of the downloads of picks.
  package static let downloads: ID = "downloads"
}

extension Asset {
  /// Whether the file that stands for it can be read without a network.
  package var isLocallyAvailable: Bool { primaryResource?.isLocallyAvailable ?? true }

  /// Bytes of that file where it is on a server alone.
  var remoteByteCount: Int64 { isLocallyAvailable ? 0 : byteCount }
}

/// How far the download of the originals of one asset has come.
package struct DownloadProgress: Hashable, Sendable {
  package var asset: LocalIdentifier
  /// From 0 to 1.
  package var fraction: Double
  package var isHere: Bool
  /// Why it has ended without them, as words after a colon.
  package var failure: String?
  /// Seconds since the first of all was asked for.
  package var elapsed: Double

  package init(
    _ asset: LocalIdentifier, fraction: Double, isHere: Bool = false, failure: String? = nil, elapsed: Double
  ) {
    self.asset = asset
    self.fraction = fraction
    self.isHere = isHere
    self.failure = failure
    self.elapsed = elapsed
  }
}

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
