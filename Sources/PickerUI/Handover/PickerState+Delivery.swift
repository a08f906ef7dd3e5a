import AssetLibrary

extension PickerState {
  /// Ends the picker with a result, after its originals were brought, and it was handed over where that takes time.
  /// - Parameter isHere: whether the originals were brought before.
  mutating func handOver(_ assets: [Asset], by key: Key?, isHere: Bool = false) -> [PickerEffect] {
    if !isHere, options.client.needsOriginals, !assets.allSatisfy(\.isLocallyAvailable) {
      return download(assets, by: key)
    }
    guard !assets.isEmpty, options.deliversResults || !handover.options.isPlain else {
      return [.finish(.picked(assets, by: key, as: handover.options))]
    }
    (input.overlay, input.prompt, status.notice) = (nil, nil, nil)
    _ = release()
    handover.delivery = Delivery(assets, by: key)
    return [.deliver(assets, handover.options)]
  }

  /// Handles input while the result is handed over: that can be stopped, and nothing else be done.
  /// - Returns: nil for a message that is handled as usual.
  mutating func takeWhileDelivering(_ message: PickerMessage) -> [PickerEffect]? {
    guard handover.delivery != nil else { return nil }
    switch message {
    case .key(let key):
      switch options.bindings.command(for: key) {
      case .redraw:
        forgetPictures()
        return [.redraw]
      case .suspend: return [.suspend]
      case .close, .cancel: return stopDelivery()
      default: return []
      }
    // The one hint says that it stops.
    case .mouse(let event): return statusAction(under: event) == .command(.close) ? stopDelivery() : []
    case .paste: return []
    default: return nil
    }
  }

  private mutating func stopDelivery() -> [PickerEffect] {
    guard let work = handover.delivery?.work, status.canStop(work) else { return [] }
    return status.stop(work)
  }

  /// Ends the picker once the result was handed over.
  mutating func finishDelivery() -> [PickerEffect] {
    guard let delivery = handover.delivery else { return [] }
    return ring(after: delivery.work)
      + [.finish(.picked(delivery.assets, by: delivery.key, as: handover.options))]
  }
}

/// The handing over of a result, which the picker waits for before it ends.
struct Delivery: Sendable {
  let assets: [Asset]
  /// The key of the caller's that confirmed them.
  let key: Key?
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

/// In which shape the result is handed over, and how far that has come.
struct HandoverState: Sendable {
  /// What the user has chosen, within what the caller asks for; for this result only.
  var options: RepresentationOptions
  /// The handing over that is under way.
  var delivery: Delivery?
  /// The originals of the result that are on their way from servers.
  var downloads: OriginalDownloads?

  init(_ options: RepresentationOptions) {
    self.options = options
  }
}

extension PickerState {
  /// How picks are measured: not at all while the accessible photos are chosen.
  var pickMeasure: PickMeasure {
    guard authorization.mode == .picking else { return PickMeasure() }
    return PickMeasure(
      representation: handover.options, version: options.configuration.version,
      countsAllResources: options.handsOverAllResources)
  }

  /// What is handed over in place of the files themselves; nil = nothing else.
  var representationWords: String? {
    guard authorization.mode == .picking else { return nil }
    let words = handover.options.words(options.locale)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  /// Why the options can't be chosen; nil if they can, empty if that needs no words.
  var reasonForNoOptions: String? {
    if !allows(.selectionActions) { return "there are no options here" }
    if authorization.mode == .managing { return "" }
    return options.configuration.selection.isToldEarly
      ? "what is picked is told at once here, as it is" : nil
  }

  /// Changes what is handed over.
  mutating func choose(_ representation: RepresentationOptions) {
    guard representation != handover.options else { return }
    // What a range has taken out is measured as it was.
    endRange()
    handover.options = representation
  }
}
