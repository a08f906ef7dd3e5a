import AssetLibrary

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
