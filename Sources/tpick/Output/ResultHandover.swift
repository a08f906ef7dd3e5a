import AssetLibrary
import Export
import PickerRuntime
import Pixels
import Synchronization

/// Exports results while the picker is on the screen, and keeps the outcome.
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

  /// The outcome; nil if nothing was exported yet.
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

/// Shows the progress of an export on standard error if that is a terminal.
struct ExportMeter {
  private let isShown = StandardStream.error.isTerminal
  private var shown = ""
  private var last = ContinuousClock.now - .seconds(1)

  /// The minimum time between updates.
  private static let interval: Duration = .milliseconds(50)

  mutating func show(_ progress: ExportProgress) {
    guard isShown, .now - last >= Self.interval, progress.assets < progress.assetCount else { return }
    last = .now
    let line = Self.line(progress)
    if line == shown { return }
    shown = line
    StandardStream.error.write(Array("\r\(line)\u{1B}[K".utf8))
  }

  /// Clears the line for other output.
  mutating func clear() {
    if shown.isEmpty { return }
    shown = ""
    StandardStream.error.write(Array("\r\u{1B}[K".utf8))
  }

  static func line(_ progress: ExportProgress) -> String {
    let megabytes = { (bytes: Int64) in "\(bytes.addingSaturated(500_000) / 1_000_000)" }
    let count = "\(progress.assets + 1) of \(progress.assetCount)"
    guard progress.byteCount > 0 else {
      if let bytes = progress.downloaded { return "downloading \(count) · \(megabytes(bytes)) MB" }
      let part = progress.assetCount == 1 ? " · \(Int(saturating: progress.fraction * 100)) %" : ""
      return "converting \(count)" + (progress.fraction > 0 ? part : "")
    }
    let bytes = progress.bytes.addingSaturated(progress.downloaded ?? 0)
    return "\(progress.downloaded == nil ? "copying" : "downloading") \(count) · "
      + "\(megabytes(bytes)) of \(megabytes(progress.byteCount)) MB"
  }
}
