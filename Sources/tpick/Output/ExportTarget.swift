import AssetLibrary
import CodecProtocol
import Conversion
import Dispatch
import Export
import FolderLibrary
import Imaging
import PhotoPicker
import Results
import Synchronization
import System
import SystemPackage

/// The folder that results are copied to, and the options of the export.
struct ExportTarget {
  /// nil = results stay in place, and converted files are stored in the cache folder.
  var path: FilePath?
  var options: ExportOptions
  /// How many of the files that could not be copied are named.
  var verbosity = Verbosity.normal

  /// Copies assets and prints messages; a signal ends the process between two chunks of bytes.
  /// - Throws: `Failure` if the export could not start.
  /// - Returns: the resulting assets, whether they are complete, and the signals that interrupted the export; the
  ///   caller lets the process die from them after it has printed the assets.
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
      signals.endIfSignaled()
      throw .error("--export: \(error)")
    }
    meter.clear()
    let result = reportResult(report, of: assets.count)
    return (result.copies, result.isComplete, report.isCancelled ? signals : nil)
  }

  /// Prints messages about the result of an export.
  func reportResult(_ report: ExportReport, of count: Int) -> (copies: [Asset], isComplete: Bool) {
    for remark in report.remarks { Messages.warn("\(remark)") }
    // Errors are always reported; a lost server is reported once.
    (verbosity == .verbose ? verbosity : .normal).report(report.failures)
    if report.leftOut > 0, let path {
      let folder = String(decoding: path.bytes, as: UTF8.self)
      let files = Wording.count(report.leftOut, "photo", "photos")
      Messages.warn("\(folder): \(files) already in it: not copied")
    }
    if report.isCancelled {
      Messages.warn(
        "export cancelled: \(report.copies.count) of \(Wording.count(count, "photo was", "photos were")) copied"
      )
    } else if !report.failures.isEmpty {
      Messages.warn("\(report.copies.count) of \(Wording.count(count, "photo was", "photos were")) copied")
    }
    // If there was nothing else to copy, the folder is one of the sources itself.
    let isRefused = report.leftOut > 0 && report.copies.isEmpty
    return (report.copies, report.failures.isEmpty && !report.isCancelled && !isRefused)
  }

  /// Copies assets without messages.
  func run(
    _ assets: [Asset], from store: any AssetStore, _ reader: RecordReader, acceptsLineBreaks: Bool,
    _ cancellation: Cancellation, progress: (ExportProgress) -> Void
  ) throws(AssetError) -> ExportReport {
    // No folder is created if there is nothing to copy.
    if assets.isEmpty { return ExportReport() }
    var options = options
    options.refusesLineBreaks = !acceptsLineBreaks
    let template = options.name
    let record = reader.records(
      needsDetails: template?.needsDetails ?? false, needsAlbums: template?.needsAlbums ?? false,
      pathBytes: { $0.path.bytes })
    // Exceeding the file size limit of the process becomes an error of the write.
    signal(SIGXFSZ, SIG_IGN)
    let helper = CodecClient()
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

/// The folder for converted files if the results have no folder of their own.
///
/// Each run has its own below the cache folder, closed to other users. Programs get the paths, so the files stay for a
/// day.
private enum ResultFolder {
  static var all: FilePath { UserDirectories.cache.appending("results") }

  /// Seconds.
  private static let longest = 86_400

  /// Creates the folder of this run, and removes those that are older than a day.
  static func make() throws(AssetError) -> TargetFolder {
    _ = try TargetFolder(all, mode: 0o700)
    removeOld()
    let name = "\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
    return try TargetFolder(all.appending(name), mode: 0o700)
  }

  static func removeIfEmpty(_ folder: TargetFolder) { _ = folder.path.withPlatformString { rmdir($0) } }

  /// - Parameter age: seconds since a file was last added.
  static func removeOld(_ age: Int = longest) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    for folder in entries(of: all) {
      var facts = stat()
      let isOld =
        folder.withPlatformString { lstat($0, &facts) } == 0 && facts.st_mode & S_IFMT == S_IFDIR
        && facts.st_mtim.tv_sec <= now.tv_sec - age
      guard isOld else { continue }
      for file in entries(of: folder) { _ = file.withPlatformString { unlink($0) } }
      _ = folder.withPlatformString { rmdir($0) }
    }
  }

  private static func entries(of folder: FilePath) -> [FilePath] {
    guard let stream = folder.withPlatformString({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var found: [FilePath] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) {
        found.append(FilePath(bytes: folder.bytes + [UInt8(ascii: "/")] + name))
      }
    }
    return found
  }
}

/// Makes the signals that end a process cancel its current work instead; a second signal ends it at once.
///
/// Used by one thread; signals arrive on another.
final class CancellingSignals {
  let cancellation = Cancellation()
  private let came: Came
  private let sources: [any DispatchSourceSignal]
  private let before: [(Int32, sighandler_t?)]

  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// The received signal, 0 = none.
  private final class Came: Sendable {
    let number = Atomic<Int32>(0)
  }

  init() {
    let came = Came()
    self.came = came
    before = Self.numbers.map { ($0, signal($0, SIG_IGN)) }
    let queue = DispatchQueue(label: "tpick.cancelling")
    sources = Self.numbers.map { [cancellation] number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if came.number.exchange(number, ordering: .relaxed) != 0 {
          // The work may be waiting for something that never arrives.
          signal(number, SIG_DFL)
          kill(getpid(), number)
        }
        cancellation.cancel()
      }
      source.resume()
      return source
    }
  }

  /// Restores the previous signal handling.
  func end() {
    sources.forEach { $0.cancel() }
    for (number, handler) in before { signal(number, handler) }
  }

  /// Ends the process with the default action of the received signal.
  func endIfSignaled() {
    let number = came.number.load(ordering: .relaxed)
    guard number != 0 else { return }
    end()
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }
}
