package import AssetLibrary
import Pixels

extension PickerState {
  /// Uses the selection.
  /// - Parameter key: the key of the caller's that says so; nil = none of these.
  mutating func confirm(by key: Key? = nil) -> [PickerEffect] {
    if authorization.mode == .managing { return endManaging(keeping: true) }
    if picks.selection.excess > 0 {
      return status.showNotice(picks.selection.excessMessage(options.locale), .error)
    }
    if !picks.selection.isEmpty {
      if let asset = picks.selection.firstUnavailable, let reason = rules.measure.unavailability(of: asset) {
        return status.showNotice("\(asset.shortName) can't be used: \(reason)", .error)
      }
      picks.keepRange()
      return handOver(picks.results(options, sort: library.userFilter.sort), by: key)
    }
    if picks.isCleared {
      // Nobody chose the photo under the cursor.
      if options.allowsEmpty { return handOver([], by: key) }
      let key = options.keyLabel(.toggle) ?? "Space"
      return status.showNotice("Nothing picked. Press \(key) to pick this photo", .dim)
    }
    guard let asset = current else {
      // There may be photos in a moment.
      if library.isFetchingNewQuery || !library.status.isComplete {
        return status.showNotice("Still reading the library", .dim)
      }
      if library.userFilter.isNarrowed(beyond: options.search) {
        return status.showNotice("No photos found: nothing to use", .dim)
      }
      return handOver([], by: key)
    }
    if let reason = rules.reasonNotSelectable(asset) { return status.showNotice(reason, .error) }
    return handOver([asset], by: key)
  }

  /// Ends the picker with a result, after its originals were brought, and it was handed over where that takes time.
  /// - Parameter isHere: whether the originals were brought before.
  fileprivate mutating func handOver(_ assets: [Asset], by key: Key?, isHere: Bool = false) -> [PickerEffect]
  {
    let isHere = isHere || !options.client.needsOriginals || assets.allSatisfy(\.isLocallyAvailable)
    if isHere, assets.isEmpty || !options.deliversResults && picks.representation.isPlain {
      return [.finish(.picked(assets, by: key, as: picks.representation))]
    }
    layers.closeAll()
    status.notice = nil
    release()
    guard isHere else {
      let downloads = OriginalDownloads(assets, by: key)
      layers.open(downloads)
      return [downloads.begun]
    }
    layers.open(Delivery(assets, by: key))
    return [.deliver(assets, picks.representation)]
  }
}

/// The handing over of a result, which the picker waits for before it ends: it can be stopped, and nothing else be done.
struct Delivery: Layer {
  let kind = LayerKind.modal
  private let assets: [Asset]
  /// The key of the caller's that confirmed them.
  private let key: Key?
  /// How far it has come.
  private(set) var work: Work

  init(_ assets: [Asset], by key: Key?) {
    self.assets = assets
    self.key = key
    work = Self.work(DeliveryProgress(assetCount: assets.count), elapsed: 0)
  }

  mutating func update(_ progress: DeliveryProgress, elapsed: Double) {
    work = Self.work(progress, elapsed: elapsed)
  }

  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    switch input {
    case .key(_, .close) where picker.status.canStop(work),
      .key(_, .cancel) where picker.status.canStop(work):
      .handled(picker.status.stop(work))
    case .key, .mouse, .paste: .handled([])
    }
  }

  func draw(on frame: inout ScreenFrame, in picker: PickerState) {}

  func hints(in picker: PickerState) -> [StatusLine.Hint]? {
    picker.status.canStop(work) ? [picker.options.hint("stop", .close)].compactMap { $0 } : []
  }

  /// Ends the picker once the result was handed over.
  func finish(in picker: PickerState) -> [PickerEffect] {
    picker.status.ring(after: work) + [.finish(.picked(assets, by: key, as: picker.picks.representation))]
  }

  private static func work(_ progress: DeliveryProgress, elapsed: Double) -> Work {
    var work = Work(
      id: Work.delivery, title: progress.activity.rawValue,
      // The one that is worked on.
      done: min(progress.assets + 1, progress.assetCount), total: progress.assetCount, elapsed: elapsed,
      isStoppable: true)
    work.bytes = progress.bytes
    let (done, all) =
      if let byteCount = progress.byteCount, byteCount > 0 {
        (Double(progress.bytes), Double(byteCount))
      } else {
        (Double(progress.assets), Double(progress.assetCount))
      }
    work.fraction = done / max(1, all)
    return work
  }
}

extension Work {
  /// The identifier of the handing over of a result.
  package static let delivery: ID = "delivery"
}

/// The originals of picks that are on their way from servers before the result is handed over: each of them, or all,
/// can be given up, and nothing else be done.
struct OriginalDownloads: Layer {
  /// One pick, and what has come of it.
  private struct Item {
    let asset: Asset
    var fraction = 0.0
    var isHere = false
    /// Why it can't be had, as words after a colon.
    var failure: String?

    /// Bytes of all its files.
    var byteCount: Int64 { asset.remoteByteCount }
  }

  let kind = LayerKind.modal
  /// All picks, in their order.
  private let assets: [Asset]
  /// The key of the caller's that confirmed them.
  private let key: Key?
  private var items: [Item]
  /// Seconds since the first was asked for.
  private var elapsed = 0.0
  /// Which ones nobody wants any more.
  private var cancelled: Set<LocalIdentifier> = []
  private var cursor = 0

  init(_ assets: [Asset], by key: Key?) {
    self.assets = assets
    self.key = key
    items = assets.filter { !$0.isLocallyAvailable }.map { Item(asset: $0) }
  }

  /// The assets that it begins to bring.
  var begun: PickerEffect { .download(items.map(\.asset)) }

  private mutating func update(_ progress: DownloadProgress) {
    elapsed = max(elapsed, progress.elapsed)
    guard let index = items.firstIndex(where: { $0.asset.id == progress.asset }) else { return }
    items[index].fraction = progress.fraction
    items[index].isHere = progress.isHere
    items[index].failure = progress.failure
  }

  /// Takes one out that is not here yet.
  /// - Returns: the asset; nil where there is nothing to be taken out at the cursor.
  private mutating func cancelCurrent() -> LocalIdentifier? {
    guard items.indices.contains(cursor), !items[cursor].isHere else { return nil }
    let asset = items.remove(at: cursor).asset.id
    cancelled.insert(asset)
    cursor = max(0, min(cursor, items.count - 1))
    return asset
  }

  /// Takes how far one has come.
  mutating func take(_ progress: DownloadProgress, in picker: inout PickerState) -> Handled {
    update(progress)
    return goOn(in: &picker)
  }

  /// Hands over what is here once nothing more is waited for.
  private func goOn(in picker: inout PickerState) -> Handled {
    let result = assets.filter { !cancelled.contains($0.id) }
    if result.isEmpty { return giveUp() }
    guard items.allSatisfy(\.isHere) else { return .handled([]) }
    return .closed(picker.status.ring(after: work) + picker.handOver(result, by: key, isHere: true))
  }

  /// Goes back to the photos; what has come stays on this machine.
  private func giveUp() -> Handled { .closed([.cancelDownload(items.map(\.asset.id))]) }

  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    guard case .key(let key, let command) = input else { return .handled([]) }
    switch (key, command) {
    case (.delete, _), (.backspace, _):
      guard let asset = cancelCurrent() else { return .handled([]) }
      let effects = [PickerEffect.cancelDownload([asset])]
      return switch goOn(in: &picker) {
      case .closed(let more): .closed(effects + more)
      default: .handled(effects)
      }
    case (.escape, _), (_, .close), (_, .cancel): return giveUp()
    default:
      var menu = MenuState(cursor: cursor)
      menu.move(command, count: items.count)
      cursor = menu.cursor
      return .handled([])
    }
  }

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
  private var bytesPerSecond: Int64? {
    let bytes = work.bytes
    return elapsed >= 1 && bytes > 0 ? Int64(saturating: Double(bytes) / elapsed) : nil
  }

  /// The hints stand below the list.
  func rows(in picker: PickerState) -> Int? { items.count + 4 }

  func waysOut(in picker: PickerState) -> [String]? { [] }

  func hints(in picker: PickerState) -> [StatusLine.Hint]? {
    [
      StatusLine.Hint(.delete, "skip this one", picker.options.symbols),
      StatusLine.Hint(.escape, "back to photos", picker.options.symbols),
    ]
  }

  /// Draws each original that is on its way, with how far it has come.
  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    guard let area = picker.layout.menu else { return }
    let (locale, symbols) = (picker.options.locale, picker.options.symbols)
    let list = area.menuList
    let count = items.count
    var title = "Downloading"
    if let speed = bytesPerSecond { title += " · \(locale.size(speed))/s" }
    frame.put(title, row: area.row, column: list.column + 1, limit: list.columns, style: .title)
    let first = list.firstEntry(showing: cursor, of: count)
    for row in 0..<max(0, min(list.rows, count - first)) {
      let item = items[first + row]
      let detail: String
      if item.failure != nil {
        detail = "failed"
      } else if item.isHere {
        detail = locale.size(item.byteCount)
      } else {
        detail = "\(Int((item.fraction * 100).rounded(.down)))% of \(locale.size(item.byteCount))"
      }
      frame.drawLine(
        mark: item.isHere
          ? symbols.menus.checked : item.failure == nil ? symbols.badges.cloud : symbols.grid.broken,
        item.asset.displayName.string, detail: detail, row: list.row + row, in: list,
        isCurrent: first + row == cursor, isChosen: item.isHere, isDimmed: item.failure != nil)
    }
    // The last line has the progress in place of hints.
    let hints = [(Key.delete, "skip one"), (.escape, "go back")]
    for (offset, hint) in hints.enumerated() where count + 1 + offset < list.rows {
      frame.put(
        "\(hint.0.label(symbols)) \(hint.1)", row: list.row + count + 1 + offset, column: list.column + 3,
        limit: list.columns - 3, style: .dim)
    }
    let current = items.indices.contains(cursor) ? items[cursor] : nil
    guard let failure = current?.failure ?? items.lazy.compactMap(\.failure).first else { return }
    let lines = DisplayText(failure).wrapped(to: max(1, list.columns - 3))
    let top = count + hints.count + 2
    for (offset, line) in lines.prefix(max(0, list.rows - top)).enumerated() {
      frame.put(
        line, row: list.row + top + offset, column: list.column + 3, limit: list.columns - 3, style: .plain)
    }
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
