import AssetLibrary
import CodecProtocol
import Conversion
import Export
import FolderLibrary
import Imaging
import Results
import SystemPackage
import System

/// The folder that results are copied into, and how.
struct ExportTarget {
  /// nil = results stay where they are, and what is made for them lies in the cache folder.
  var path: FilePath?
  var options: ExportOptions
  /// How much is told of what could not be copied.
  var verbosity = Verbosity.normal

  /// Copies assets and says what became of it; a signal ends the process between two chunks of bytes.
  /// - Throws: `Failure` where nothing could be begun.
  /// - Returns: the assets as they are handed over, whether all of them are, and the signals that ended it before its end, of which
  ///   the caller has the process die once it has told of the assets.
  func export(
    _ assets: [Asset], from store: any AssetStore, _ reader: RecordReader, acceptsLineBreaks: Bool
  ) throws(Failure) -> (copies: [Asset], isComplete: Bool, interruption: CancellingSignals?) {
    if !acceptsLineBreaks, path?.bytes.contains(where: { $0 == 0x0A || $0 == 0x0D }) ?? false {
      throw .usage("--export: the folder has a line break in its name: use --print0")
    }
    let signals = CancellingSignals()
    defer { signals.end() }
    var meter = ExportMeter()
    let report: ExportReport
    do {
      report = try run(
        assets, from: store, reader, acceptsLineBreaks: acceptsLineBreaks, signals.cancellation
      ) { meter.show($0) }
    } catch {
      meter.clear()
      signals.dieIfCame()
      throw .error("--export: \(error)")
    }
    meter.clear()
    let told = tell(report, of: assets.count)
    return (told.copies, told.isComplete, report.isCancelled ? signals : nil)
  }

  /// Says what became of assets that were to be handed over.
  func tell(_ report: ExportReport, of count: Int) -> (copies: [Asset], isComplete: Bool) {
    for remark in report.remarks { Messages.warn("\(remark)") }
    // Errors are told whatever else is not; of a server that is gone once.
    (verbosity == .verbose ? verbosity : .normal).report(report.failures)
    if report.leftOut > 0, let path {
      let folder = String(decoding: path.bytes, as: UTF8.self)
      let files = Wording.count(report.leftOut, "photo that lies", "photos that lie")
      Messages.warn("\(folder): \(files) in it already: not copied")
    }
    if report.isCancelled {
      Messages.warn(
        "export cancelled: \(report.copies.count) of \(Wording.count(count, "photo was", "photos were")) copied"
      )
    } else if !report.failures.isEmpty {
      Messages.warn("\(report.copies.count) of \(Wording.count(count, "photo was", "photos were")) copied")
    }
    // Where nothing else was to be copied, the folder is one of the sources itself.
    let isRefused = report.leftOut > 0 && report.copies.isEmpty
    return (report.copies, report.failures.isEmpty && !report.isCancelled && !isRefused)
  }

  /// Copies assets, without a word.
  func run(
    _ assets: [Asset], from store: any AssetStore, _ reader: RecordReader, acceptsLineBreaks: Bool,
    _ cancellation: Cancellation, progress: (ExportProgress) -> Void
  ) throws(AssetError) -> ExportReport {
    // No folder is made for nothing.
    if assets.isEmpty { return ExportReport() }
    var options = options
    options.refusesLineBreaks = !acceptsLineBreaks
    let template = options.name
    let record = reader.records(
      needsDetails: template?.needsDetails ?? false, needsAlbums: template?.needsAlbums ?? false,
      pathBytes: { $0.path.bytes })
    // A file that is larger than the process may write is an error of the write.
    signal(SIGXFSZ, SIG_IGN)
    let helper = CodecHelper()
    let maker = FileRepresentationMaker(store, foreign: HelperDecoder(helper), helper: helper)
    let folder: TargetFolder
    if let path {
      folder = try TargetFolder(
        path,
        look: { (path, isCancelled) throws(AssetError) in
          try MountProbes.shared.checkWriting(path, isCancelled: isCancelled)
        }, isCancelled: { cancellation.isCancelled })
    } else {
      folder = try ResultFolder.make()
    }
    defer { if path == nil { ResultFolder.removeIfEmpty(folder) } }
    let exporter = Exporter(store, into: folder, options, maker: maker)
    return try exporter.export(assets, record: record, cancellation: cancellation, progress: progress)
  }
}
