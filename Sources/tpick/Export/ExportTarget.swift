import AssetLibrary
import Export
import Results
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// The folder that results are copied into, and how.
struct ExportTarget {
  var path: FilePath
  var options: ExportOptions

  /// Copies assets and says what became of it; a signal ends the process between two chunks of bytes.
  /// - Throws: `Failure` where nothing could be begun.
  /// - Returns: the assets as their copies, and whether all of them were copied.
  func export(
    _ assets: [Asset], from store: any AssetStore, _ reader: RecordReader, acceptsLineBreaks: Bool
  ) throws(Failure) -> (copies: [Asset], isComplete: Bool) {
    if !acceptsLineBreaks, path.bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
      throw .usage("--export: the folder has a line break in its name: use --print0")
    }
    var options = options
    options.refusesLineBreaks = !acceptsLineBreaks
    let template = options.name
    let record = reader.records(
      needsDetails: template?.needsDetails ?? false, needsAlbums: template?.needsAlbums ?? false,
      pathBytes: { $0.bytes })
    // A file that is larger than the process may write is an error of the write.
    signal(SIGXFSZ, SIG_IGN)
    let signals = CancellingSignals()
    defer { signals.end() }
    var meter = ExportMeter()
    let report: ExportReport
    do {
      let exporter = Exporter(store, into: try TargetFolder(path), options)
      report = try exporter.export(assets, record: record, cancellation: signals.cancellation) {
        meter.show($0)
      }
    } catch {
      meter.clear()
      throw .error("--export: \(error)")
    }
    meter.clear()
    for failure in report.failures { Messages.warn("\(failure)") }
    if report.isCancelled {
      Messages.warn("export cancelled: \(report.copies.count) of \(assets.count) were copied")
      signals.dieIfCame()
    }
    if !report.failures.isEmpty {
      Messages.warn("\(report.copies.count) of \(assets.count) were copied")
    }
    return (report.copies, report.failures.isEmpty && !report.isCancelled)
  }
}
