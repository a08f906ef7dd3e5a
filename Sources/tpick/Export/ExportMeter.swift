import Export
import Pixels

/// Shows on a terminal how far an export has come, in one line of standard error.
struct ExportMeter {
  private let isShown = StandardStream.error.isTerminal
  private var shown = ""
  private var last = ContinuousClock.now - .seconds(1)

  /// More often nobody reads it.
  private static let interval: Duration = .milliseconds(50)

  mutating func show(_ progress: ExportProgress) {
    guard isShown, .now - last >= Self.interval, progress.assets < progress.assetCount else { return }
    last = .now
    let line = Self.line(progress)
    if line == shown { return }
    shown = line
    StandardStream.error.write(Array("\r\(line)\u{1B}[K".utf8))
  }

  /// The line is to be another's.
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
