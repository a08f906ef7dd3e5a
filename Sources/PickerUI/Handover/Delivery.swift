package import AssetLibrary
import Pixels

extension PickerState {
  /// Uses the selection.
  /// - Parameter key: the caller's key that confirmed it; nil = a key of the picker.
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
      // The user did not choose the photo under the cursor.
      if options.allowsEmpty { return handOver([], by: key) }
      let key = options.keyLabel(.toggle) ?? "Space"
      return status.showNotice("Nothing picked. Press \(key) to pick this photo", .dim)
    }
    guard let asset = current else {
      // Photos may still appear.
      if library.isFetchingNewQuery || !library.status.isComplete {
        return status.showNotice("Still reading the library", .dim)
      }
      if library.userFilter.isNarrowed(beyond: options.search) {
        return status.showNotice("No photos found: nothing to use", .dim)
      }
      return handOver([], by: key)
    }
    if let reason = rules.reasonNotSelectable(asset) { return status.showNotice(reason, .error) }
    return handOver([picks.delivered(asset)], by: key)
  }

  /// Finishes the picker with a result.
  ///
  /// Originals are downloaded first, and results are exported first if the caller asked for that.
  /// - Parameter isHere: whether the originals have been downloaded already.
  fileprivate mutating func handOver(_ assets: [Asset], by key: Key?, isHere: Bool = false) -> [PickerEffect]
  {
    let isHere = isHere || !options.client.needsOriginals || assets.allSatisfy(\.isLocallyAvailable)
    let makesFiles =
      options.deliversResults || !picks.representation.isPlain
      || assets.contains(where: \.isDeliveredAsNewFile)
    if isHere, assets.isEmpty || !makesFiles {
      return [.finish(.picked(assets, by: key, as: picks.representation))]
    }
    layers.closeAll()
    status.notice = nil
    input.mouse.release()
    picks.keepDraggedRange()
    guard isHere else {
      let downloads = OriginalDownloads(assets, by: key)
      layers.open(downloads)
      return [downloads.begun]
    }
    layers.open(Delivery(assets, by: key))
    return [.deliver(assets, picks.representation)]
  }
}

/// The export of a result, which the picker waits for before it ends.
///
/// It can be stopped; nothing else is possible meanwhile.
struct Delivery: Layer {
  let kind = LayerKind.modal
  private let assets: [Asset]
  /// The caller's key that confirmed the result.
  private let key: Key?
  /// The progress of the export.
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

  /// Finishes the picker after the export.
  func finish(in picker: PickerState) -> [PickerEffect] {
    picker.status.ring(after: work) + [.finish(.picked(assets, by: key, as: picker.picks.representation))]
  }

  private static func work(_ progress: DeliveryProgress, elapsed: Double) -> Work {
    var work = Work(
      id: Work.delivery, title: progress.activity.rawValue,
      // The item in progress.
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
  /// The identifier of the export of a result.
  package static let delivery: ID = "delivery"
}

/// The downloads of the originals of picks from servers, before the result is used.
///
/// Each or all of them can be cancelled; nothing else is possible meanwhile.
struct OriginalDownloads: Layer {
  /// A pick and the state of its download.
  private struct Item {
    let asset: Asset
    var fraction = 0.0
    var isHere = false
    /// Why the download failed, as text after a colon.
    var failure: String?

    /// Bytes of all its files.
    var byteCount: Int64 { asset.remoteByteCount }

    /// The progress as text, of a download that is not complete with the size of the files or without.
    func detail(hasSize: Bool, _ locale: LocaleFormat) -> String {
      if failure != nil { return "failed" }
      if isHere { return locale.size(byteCount) }
      let percentage = "\(Int((fraction * 100).rounded(.down)))%"
      return hasSize ? "\(percentage) of \(locale.size(byteCount))" : percentage
    }
  }

  let kind = LayerKind.modal
  /// All picks, in their order.
  private let assets: [Asset]
  /// The caller's key that confirmed the picks.
  private let key: Key?
  private var items: [Item]
  /// Seconds since the first download was requested.
  private var elapsed = 0.0
  /// The cancelled downloads.
  private var cancelled: Set<LocalIdentifier> = []
  private var cursor = 0

  init(_ assets: [Asset], by key: Key?) {
    self.assets = assets
    self.key = key
    items = assets.filter { !$0.isLocallyAvailable }.map { Item(asset: $0) }
  }

  /// The effect that starts the downloads.
  var begun: PickerEffect { .download(items.map(\.asset)) }

  private mutating func update(_ progress: DownloadProgress) {
    elapsed = max(elapsed, progress.elapsed)
    guard let index = items.firstIndex(where: { $0.asset.id == progress.asset }) else { return }
    items[index].fraction = progress.fraction
    items[index].isHere = progress.isHere
    items[index].failure = progress.failure
  }

  /// Cancels the download at the cursor unless it is complete.
  /// - Returns: the asset; nil if there is nothing to cancel.
  private mutating func cancelCurrent() -> LocalIdentifier? {
    guard items.indices.contains(cursor), !items[cursor].isHere else { return nil }
    let asset = items.remove(at: cursor).asset.id
    cancelled.insert(asset)
    cursor = max(0, min(cursor, items.count - 1))
    return asset
  }

  /// Applies the progress of a download.
  mutating func update(_ progress: DownloadProgress, in picker: inout PickerState) -> Handled {
    update(progress)
    return goOn(in: &picker)
  }

  /// Uses the result once all downloads are complete.
  private func goOn(in picker: inout PickerState) -> Handled {
    let result = assets.filter { !cancelled.contains($0.id) }
    if result.isEmpty { return giveUp() }
    guard items.allSatisfy(\.isHere) else { return .handled([]) }
    return .closed(picker.status.ring(after: work) + picker.handOver(result, by: key, isHere: true))
  }

  /// Returns to the photos; downloaded originals are kept.
  private func giveUp() -> Handled { .closed([.cancelDownload(items.map(\.asset.id))]) }

  /// Chooses a download, or does what a hint below the list says.
  private mutating func click(_ event: MouseEvent, in picker: inout PickerState) -> Handled {
    guard event.action == .press, let list = picker.layout.menu?.menuList,
      list.contains(row: event.row, column: event.column)
    else { return .handled([]) }
    let row = event.row - list.row
    let first = list.firstEntry(showing: cursor, of: items.count)
    if row < min(list.rows, items.count - first) {
      cursor = first + row
      return .handled([])
    }
    let hint = row - items.count - 1
    guard Self.hints.indices.contains(hint) else { return .handled([]) }
    return handle(.key(Self.hints[hint].key, nil), in: &picker)
  }

  /// The keys that are named below the list and in the last line.
  private static let hints: [(key: Key, words: String)] = [
    (.delete, "skip this one"), (.escape, "back to photos"),
  ]

  mutating func handle(_ input: LayerInput, in picker: inout PickerState) -> Handled {
    if case .mouse(let event) = input { return click(event, in: &picker) }
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

  /// The progress of all downloads, for the last line.
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

  /// The average speed in bytes per second; nil while it is unknown.
  private var bytesPerSecond: Int64? {
    let bytes = work.bytes
    return elapsed >= 1 && bytes > 0 ? Int64(saturating: Double(bytes) / elapsed) : nil
  }

  /// The hints are shown below the list.
  func rows(in picker: PickerState) -> Int? { items.count + 4 }

  func helpfulKeys(in picker: PickerState) -> [String]? { [] }

  func hints(in picker: PickerState) -> [StatusLine.Hint]? {
    Self.hints.map { StatusLine.Hint($0.key, $0.words, picker.options.symbols) }
  }

  /// Draws the list of downloads with their progress.
  func draw(on frame: inout ScreenFrame, in picker: PickerState) {
    guard let area = picker.layout.menu else { return }
    let (locale, symbols) = (picker.options.locale, picker.options.symbols)
    let list = area.menuList
    let count = items.count
    var title = "Downloading"
    if let speed = bytesPerSecond { title += " · \(locale.size(speed))/s" }
    frame.put(title, row: area.row, column: list.column + 1, limit: list.columns, style: .title)
    let first = list.firstEntry(showing: cursor, of: count)
    // Names are more important than sizes: cut in the middle they may look all the same.
    let hasSizes = items.allSatisfy {
      $0.asset.displayName.width + DisplayText($0.detail(hasSize: true, locale)).width + 6 <= list.columns
    }
    for row in 0..<max(0, min(list.rows, count - first)) {
      let item = items[first + row]
      let detail = item.detail(hasSize: hasSizes, locale)
      frame.drawLine(
        mark: item.isHere
          ? symbols.menus.checked : item.failure == nil ? symbols.badges.cloud : symbols.grid.broken,
        item.asset.displayName.string, detail: detail, row: list.row + row, in: list,
        isCurrent: first + row == cursor, isChosen: item.isHere, isDimmed: item.failure != nil)
    }
    // The last line shows the progress instead of the hints.
    for (offset, hint) in Self.hints.enumerated() where count + 1 + offset < list.rows {
      frame.put(
        "\(hint.key.label(symbols)) \(hint.words)", row: list.row + count + 1 + offset,
        column: list.column + 3, limit: list.columns - 3, style: .dim)
    }
    let current = items.indices.contains(cursor) ? items[cursor] : nil
    guard let failure = current?.failure ?? items.lazy.compactMap(\.failure).first else { return }
    let lines = DisplayText(failure).wrapped(to: max(1, list.columns - 3))
    let top = count + Self.hints.count + 2
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
  /// Whether the primary file can be read without a network.
  package var isLocallyAvailable: Bool { primaryResource?.isLocallyAvailable ?? true }

  /// The size of the primary file in bytes if it exists only on a server, else 0.
  var remoteByteCount: Int64 { isLocallyAvailable ? 0 : byteCount }
}

/// The progress of the download of one asset's originals.
package struct DownloadProgress: Hashable, Sendable {
  package var asset: LocalIdentifier
  /// From 0 to 1.
  package var fraction: Double
  package var isHere: Bool
  /// Why the download failed, as text after a colon; nil if it has not failed.
  package var failure: String?
  /// Seconds since the first download was requested.
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
