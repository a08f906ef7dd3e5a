package import AssetLibrary
import CPlatform
import Pixels
package import Results
import Synchronization
import System
import SystemPackage

/// Copies assets into a folder, or makes there what is to be handed over in their place.
///
/// A copy is there whole under its name or not at all, whatever happens meanwhile, and takes nobody's name. What can't be
/// copied is reported, and the rest goes on. Files are copied one after the other; what has to be converted is worked
/// on by as many threads as there are processors, and gets its name in the order of the assets. Used by one thread,
/// which `export` blocks.
package struct Exporter {
  let store: any OriginalAccess
  let manager: AssetResourceManager
  let folder: TargetFolder
  let options: ExportOptions
  let maker: (any RepresentationMaker)?

  /// - Parameter maker: makes what is no file of the library; without one such assets fail.
  package init(
    _ store: any OriginalAccess, into folder: TargetFolder, _ options: ExportOptions,
    maker: (any RepresentationMaker)? = nil
  ) {
    self.store = store
    manager = AssetResourceManager(store)
    self.folder = folder
    self.options = options
    self.maker = maker
  }

  /// The most pixels that are worked on at once, and the threads that do it.
  private static let pixelBudget = 120_000_000

  /// Copies assets, each as its first resource stands for it.
  /// - Parameters:
  ///   - record: what names are made of.
  ///   - cancellation: ends it before the next chunk of bytes.
  ///   - progress: called after each chunk and each asset.
  /// - Throws: `AssetError` where there is no room for them; nothing was copied then.
  package func export(
    _ assets: [Asset], record: (Asset) -> AssetRecord, cancellation: Cancellation = Cancellation(),
    progress: (ExportProgress) -> Void = { _ in }
  ) throws(AssetError) -> ExportReport {
    // What was copied there before is not copied again, next to itself.
    let held = folder.held(of: assets.map { $0.primaryResource?.path ?? FilePath("") })
    let jobs = zip(assets, held).filter { !$0.1 }.map { ExportJob($0.0, options) }
    let size =
      options.copiesFiles ? jobs.lazy.map(\.byteCount).saturatedSum() : 0
    // Of what may be there already it is not known what it takes.
    if options.existing != .skip {
      try checkRoom(for: size, first: jobs.lazy.flatMap(\.asset.resources).first { $0.byteCount > 0 })
    }
    var collector = Collector(exporter: self, jobs, size: size, cancellation: cancellation)
    collector.report.leftOut = assets.count - jobs.count
    progress(collector.state)
    if jobs.contains(where: \.isConversion) {
      let downloads = Downloads()
      OrderedWork(workers: Processors.count, budget: Self.pixelBudget).run(
        jobs, cost: \.pixelCost
      ) { [self] job, progress in
        self.result { () throws(AssetError) in
          try self.check(job, cancellation)
          // What takes longer is not known: half of the way is the server's, where something has to come from there.
          var isDownloaded = false
          defer { downloads.set(nil, for: job) }
          return try self.make(
            job, cancellation,
            downloaded: { bytes, byteCount in
              isDownloaded = true
              downloads.set(bytes, for: job)
              progress(Self.fraction(bytes, of: byteCount) / 2)
            },
            began: { downloads.set(nil, for: job) }, copied: { _ in }
          ) {
            progress(isDownloaded ? 0.5 + $0 / 2 : $0)
          }
        }
      } watch: { fractions in
        var state = collector.state
        state.fraction = fractions
        state.downloaded = downloads.bytes
        progress(state)
      } receive: { job, answer in
        collector.take(answer, of: job, record)
        progress(collector.state)
        return !cancellation.isCancelled
      }
      if cancellation.isCancelled { collector.report.isCancelled = true }
    } else {
      for job in jobs where !collector.report.isCancelled {
        if collector.takeExisting(job, record) {
          progress(collector.state)
          continue
        }
        let before = collector.state.bytes
        let answer = result { () throws(AssetError) in
          try check(job, cancellation)
          defer { collector.state.downloaded = nil }
          return try make(
            job, cancellation,
            downloaded: { bytes, _ in
              collector.state.downloaded = bytes
              progress(collector.state)
            },
            began: { collector.state.downloaded = nil },
            copied: { count in
              collector.state.bytes = collector.state.bytes.addingSaturated(Int64(count))
              progress(collector.state)
            }, { _ in })
        }
        collector.state.bytes = before
        collector.take(answer, of: job, record)
        progress(collector.state)
      }
    }
    collector.places.synchronize()
    return collector.report
  }

  /// What part of a download is done.
  static func fraction(_ bytes: Int64, of byteCount: Int64) -> Double {
    byteCount > 0 ? min(1, Double(bytes) / Double(byteCount)) : 0
  }

  /// The downloads of jobs that run at once.
  private final class Downloads: Sendable {
    private let bytesOfJobs = Mutex<[LocalIdentifier: Int64]>([:])

    /// - Parameter bytes: how many are here; nil once nothing is to come any more.
    func set(_ bytes: Int64?, for job: ExportJob) { bytesOfJobs.withLock { $0[job.asset.id] = bytes } }

    /// Of all of them; nil while nothing is downloaded.
    var bytes: Int64? { bytesOfJobs.withLock { $0.isEmpty ? nil : $0.values.saturatedSum() } }
  }

  private func result(
    _ body: () throws(AssetError) -> PreparedExport
  ) -> Result<PreparedExport, AssetError> {
    do throws(AssetError) {
      return .success(try body())
    } catch {
      return .failure(error)
    }
  }

  /// Puts names to what was prepared, and the report together.
  private struct Collector {
    let exporter: Exporter
    var report = ExportReport()
    var state: ExportProgress
    var places: ExportPlaces
    let cancellation: Cancellation

    init(exporter: Exporter, _ jobs: [ExportJob], size: Int64, cancellation: Cancellation) {
      self.exporter = exporter
      self.cancellation = cancellation
      state = ExportProgress(assetCount: jobs.count, byteCount: size)
      let replaces = exporter.options.existing == .replace
      places = ExportPlaces(
        exporter.folder, originals: replaces ? jobs.flatMap { $0.asset.resources.map(\.path) } : [])
    }

    /// Takes an asset whose copies are there already.
    /// - Returns: whether it is one.
    mutating func takeExisting(_ job: ExportJob, _ record: (Asset) -> AssetRecord) -> Bool {
      guard exporter.options.existing == .skip,
        let handed = exporter.existing(
          job, name: exporter.name(of: job.asset, record), &places, cancellation)
      else { return false }
      report.copies.append(handed)
      note(job)
      return true
    }

    private mutating func note(_ job: ExportJob) {
      state.assets += 1
      state.bytes = state.bytes.addingSaturated(job.byteCount)
      state.fraction = 0
    }

    mutating func take(
      _ answer: Result<PreparedExport, AssetError>, of job: ExportJob, _ record: (Asset) -> AssetRecord
    ) {
      do throws(AssetError) {
        let prepared = try answer.get()
        let name = exporter.name(of: job.asset, record)
        report.copies.append(try exporter.place(prepared, of: job, name: name, &places, cancellation))
        if let remark = prepared.remark ?? prepared.facts?.remark {
          report.remarks.append(AssetError(job.asset.subject, remark))
        }
      } catch .cancelled {
        report.isCancelled = true
        return
      } catch {
        report.failures.append(error)
      }
      note(job)
    }
  }

  /// - Throws: where fewer bytes are free than are needed, unless copies share the blocks of their files.
  private func checkRoom(for size: Int64, first: AssetResource?) throws(AssetError) {
    guard let free = folder.freeBytes, size > free else { return }
    if let first, let source = try? store.reader(for: first), let descriptor = source.descriptor,
      let file = try? NewFile(in: folder, for: ""),
      withExtendedLifetime(source, { file.clone(descriptor) })
    {
      return
    }
    throw AssetError(
      String(decoding: folder.path.bytes, as: UTF8.self),
      "\(MeasureText.text(ofBytes: size)) are needed and \(MeasureText.text(ofBytes: free)) are free")
  }
}

/// How far an export has come.
package struct ExportProgress: Hashable, Sendable {
  /// The assets that are done, well or not.
  package var assets = 0
  package var assetCount: Int
  /// Of the assets that are worked on: how many assets' worth is done.
  package var fraction = 0.0
  /// The bytes that are written.
  package var bytes: Int64 = 0
  /// How many bytes of what is worked on have come from a server; nil while nothing is downloaded.
  package var downloaded: Int64?
  /// The bytes of the files that are copied as they are.
  package var byteCount: Int64

  package init(
    assets: Int = 0, assetCount: Int, fraction: Double = 0, bytes: Int64 = 0, downloaded: Int64? = nil,
    byteCount: Int64
  ) {
    (self.assets, self.assetCount, self.fraction) = (assets, assetCount, fraction)
    (self.bytes, self.downloaded, self.byteCount) = (bytes, downloaded, byteCount)
  }
}

/// What has come of an export.
package struct ExportReport: Sendable {
  /// The assets that were copied, in their order, each made of its copies.
  package var copies: [Asset] = []
  /// What is to be said of copies that were made.
  package var remarks: [AssetError] = []
  /// What was not, and why.
  package var failures: [AssetError] = []
  /// How many were left out because they lie in the folder that copies go into: those of the last time would be copied again.
  package var leftOut = 0
  /// Whether the user ended it before its end.
  package var isCancelled = false

  package init() {}
}

/// What is copied of an asset, and what the copies are called.
package struct ExportOptions: Sendable {
  /// Which files of an asset are copied.
  package enum Resources: String, CaseIterable, Sendable {
    /// The one that stands for it.
    case primary
    /// All that belong to it: the clip of a Live Photo, the raw file, the original of an edit, sidecars.
    case all
  }

  /// What becomes of a copy whose name is taken.
  package enum Existing: String, CaseIterable, Sendable {
    /// It gets a number.
    case number
    /// It is not made where that file has the same content; else it gets a number.
    case skip
    /// It takes the place of that file, all at once; of no other copy of the same run, and of no original.
    case replace
  }

  package var resources: Resources
  /// What copies are called, without extension; nil = as their files are.
  package var name: ResultTemplate?
  /// In which shape assets are handed over.
  package var representation: RepresentationOptions
  /// Whether files that are handed over as they are are copied; else they stay where they are.
  package var copiesFiles: Bool
  /// Whether a copy that would have a line break in its name is not made.
  package var refusesLineBreaks: Bool
  package var existing: Existing
  /// Whether files get the extension of what they are, even where the representation asks for no type.
  package var namesTypes = false

  package init(
    resources: Resources = .primary, name: ResultTemplate? = nil,
    representation: RepresentationOptions = RepresentationOptions(), copiesFiles: Bool = true,
    refusesLineBreaks: Bool = false, existing: Existing = .number
  ) {
    self.resources = resources
    self.name = name
    self.representation = representation
    self.copiesFiles = copiesFiles
    self.refusesLineBreaks = refusesLineBreaks
    self.existing = existing
  }
}
