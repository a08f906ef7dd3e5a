import AssetLibrary

extension PickerState {
  /// Ends the picker with a result, after its originals were brought, and it was handed over where that takes time.
  /// - Parameter isHere: whether the originals were brought before.
  mutating func handOver(_ assets: [Asset], by key: Key?, isHere: Bool = false) -> [PickerEffect] {
    let isHere = isHere || !options.client.needsOriginals || assets.allSatisfy(\.isLocallyAvailable)
    if isHere, assets.isEmpty || !options.deliversResults && handover.options.isPlain {
      return [.finish(.picked(assets, by: key, as: handover.options))]
    }
    layers.closeAll()
    status.notice = nil
    _ = release()
    guard isHere else {
      let downloads = OriginalDownloads(assets, by: key)
      layers.open(downloads)
      return [downloads.begun]
    }
    layers.open(Delivery(assets, by: key))
    return [.deliver(assets, handover.options)]
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
    picker.status.canStop(work) ? [picker.hint("stop", .close)].compactMap { $0 } : []
  }

  /// Ends the picker once the result was handed over.
  func finish(in picker: PickerState) -> [PickerEffect] {
    picker.ring(after: work) + [.finish(.picked(assets, by: key, as: picker.handover.options))]
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

/// In which shape the result is handed over.
struct HandoverState: Sendable {
  /// What the user has chosen, within what the caller asks for; for this result only.
  var options: RepresentationOptions

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
