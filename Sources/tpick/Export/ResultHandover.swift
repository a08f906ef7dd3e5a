import AssetLibrary
import Export
import PickerRuntime
import Synchronization

/// Hands results over while the picker is still on the screen, and keeps what came of it.
final class ResultHandover: Sendable {
  private let outcome = Mutex<Result<ExportReport, AssetError>?>(nil)
  private let run:
    @Sendable (
      [Asset], RepresentationOptions, Cancellation, (ExportProgress) -> Void
    ) -> Result<ExportReport, AssetError>

  init(
    _ run:
      @escaping @Sendable (
        [Asset], RepresentationOptions, Cancellation, (ExportProgress) -> Void
      ) -> Result<ExportReport, AssetError>
  ) {
    self.run = run
  }

  /// For the picker, which calls it when a result is confirmed.
  var delivery: ResultDelivery {
    ResultDelivery { [self] assets, options, cancellation, progress in
      let result = run(assets, options, cancellation) { progress(DeliveryProgress($0)) }
      outcome.withLock { $0 = result }
    }
  }

  /// What came of it; nil where nothing was handed over yet.
  var result: Result<ExportReport, AssetError>? { outcome.withLock { $0 } }
}

extension DeliveryProgress {
  fileprivate init(_ progress: ExportProgress) {
    self.init(
      assets: progress.assets, assetCount: progress.assetCount,
      bytes: progress.bytes.addingSaturated(progress.downloaded ?? 0),
      byteCount: progress.byteCount > 0 ? progress.byteCount : nil,
      activity: progress.downloaded != nil ? .downloading : progress.byteCount > 0 ? .copying : .converting)
  }
}
