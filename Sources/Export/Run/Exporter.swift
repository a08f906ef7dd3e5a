package import AssetLibrary
import CPlatform
import Pixels
package import Results
import Synchronization
import System
import SystemPackage

/// Copies assets into a folder, or converts them into it.
///
/// A copy appears completely under its name or not at all, and never takes the name of another file unless
/// that file is to be replaced. If an asset can't be copied, the error is reported and the export continues.
/// Files are copied one after the other. Conversions run on one thread per processor, and are named in the
/// order of the assets. Use an exporter from one thread, which `export` blocks.
package struct Exporter {
  let store: any OriginalAccess
  let manager: AssetResourceManager
  let folder: TargetFolder
  let options: ExportOptions
  let maker: (any RepresentationMaker)?

  /// - Parameter maker: converts files; without it, assets that require conversion fail.
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

  /// The maximum number of pixels in memory during conversion.
  private static let pixelBudget = 120_000_000

  /// Copies assets; the first resource of an asset is its primary file.
  /// - Parameters:
  ///   - record: returns the values of an asset for the template of names.
  ///   - cancellation: stops the export before the next chunk of bytes.
  ///   - progress: called after each chunk and each asset.
  /// - Throws: `AssetError` if there is not enough free space; nothing was copied then.
  package func export(
    _ assets: [Asset], record: (Asset) -> AssetRecord, cancellation: Cancellation = Cancellation(),
    progress: (ExportProgress) -> Void = { _ in }
  ) throws(AssetError) -> ExportReport {
    // Skip assets whose files are in the target folder: otherwise earlier copies would be copied again.
    let held = folder.held(of: assets.map { $0.primaryResource?.path ?? FilePath("") })
    let jobs = zip(assets, held).filter { !$0.1 }.map { ExportJob($0.0, options) }
    let size =
      options.copiesFiles ? jobs.lazy.map(\.byteCount).saturatedSum() : 0
    // With `skip`, existing copies need no space, so the required space is unknown.
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
          // How long download and conversion take is unknown: each counts as half of the progress.
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
        if collector.recordExisting(job, record) {
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

  /// Returns the completed fraction of a download.
  static func fraction(_ bytes: Int64, of byteCount: Int64) -> Double {
    byteCount > 0 ? min(1, Double(bytes) / Double(byteCount)) : 0
  }

  /// The downloads of jobs that run in parallel.
  private final class Downloads: Sendable {
    private let bytesOfJobs = Mutex<[LocalIdentifier: Int64]>([:])

    /// - Parameter bytes: the number of downloaded bytes; nil when the job's downloads are finished.
    func set(_ bytes: Int64?, for job: ExportJob) { bytesOfJobs.withLock { $0[job.asset.id] = bytes } }

    /// The total number of downloaded bytes; nil if no download is running.
    var bytes: Int64? { bytesOfJobs.withLock { $0.isEmpty ? nil : $0.values.saturatedSum() } }
  }

  /// Makes the files of an asset without naming them, so that other work can be done before they appear.
  /// - Returns: the draft; the files vanish with it unless they are placed.
  /// - Throws: `AssetError` if a file can't be made.
  package func draft(_ asset: Asset) throws(AssetError) -> ExportDraft {
    let job = ExportJob(asset, options)
    try checkRoom(for: job.byteCount, first: asset.resources.first { $0.byteCount > 0 })
    let prepared = try make(job, Cancellation(), downloaded: { _, _ in }, copied: { _ in }, { _ in })
    return ExportDraft(exporter: self, job: job, prepared: prepared)
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

  /// Names the prepared files, and assembles the report.
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

    /// Records an asset whose copies already exist.
    /// - Returns: whether they do.
    mutating func recordExisting(_ job: ExportJob, _ record: (Asset) -> AssetRecord) -> Bool {
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

  /// - Throws: `AssetError` if there is not enough free space, unless copies share the blocks of their
  ///   originals.
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

/// The files of an asset, complete in their folder but without names.
package struct ExportDraft: Sendable {
  fileprivate let exporter: Exporter
  fileprivate let job: ExportJob
  fileprivate let prepared: PreparedExport

  /// The descriptor of the file that the asset's primary resource will be; nil if no file was made.
  package var descriptor: Int32? { prepared.files.first?.descriptor }

  /// The descriptors of all files, in the order of the asset's resources.
  package var descriptors: [Int32] { prepared.files.map(\.descriptor) }

  /// Gives the files their names, all or none, with a number if a name is taken.
  /// - Returns: the asset with these files.
  /// - Throws: `AssetError` if a file can't be named; the draft is useless then.
  package func place() throws(AssetError) -> Asset {
    var places = ExportPlaces(exporter.folder)
    let placed = try exporter.place(
      prepared, of: job, name: ExportName(job.asset.nameBytes), &places, Cancellation())
    places.synchronize()
    return placed
  }

  /// Removes the placed files again.
  package func remove() { for file in prepared.files { file.remove() } }
}

/// The progress of an export.
package struct ExportProgress: Hashable, Sendable {
  /// The number of assets that were finished, successfully or not.
  package var assets = 0
  package var assetCount: Int
  /// The progress of running jobs, as the sum of their completed fractions.
  package var fraction = 0.0
  /// The number of bytes that were written.
  package var bytes: Int64 = 0
  /// The number of downloaded bytes of running jobs; nil if no download is running.
  package var downloaded: Int64?
  /// The total number of bytes that are copied unchanged.
  package var byteCount: Int64

  package init(
    assets: Int = 0, assetCount: Int, fraction: Double = 0, bytes: Int64 = 0, downloaded: Int64? = nil,
    byteCount: Int64
  ) {
    (self.assets, self.assetCount, self.fraction) = (assets, assetCount, fraction)
    (self.bytes, self.downloaded, self.byteCount) = (bytes, downloaded, byteCount)
  }
}

/// The outcome of an export.
package struct ExportReport: Sendable {
  /// The assets that were copied, in order, with their copies as resources.
  package var copies: [Asset] = []
  /// Remarks about copies that were made.
  package var remarks: [AssetError] = []
  /// The errors of assets that were not copied.
  package var failures: [AssetError] = []
  /// The number of assets that were skipped because they are in the target folder: otherwise, earlier copies
  /// would be copied again.
  package var leftOut = 0
  /// Whether the user cancelled the export.
  package var isCancelled = false

  package init() {}
}

/// What is copied, and how the copies are named.
package struct ExportOptions: Sendable {
  /// The files of an asset to copy.
  package enum Resources: String, CaseIterable, Sendable {
    /// The primary file.
    case primary
    /// All files: also the clip of a Live Photo, the raw file, the original of an edit, sidecars.
    case all
  }

  /// What to do if the name of a copy is taken.
  package enum Existing: String, CaseIterable, Sendable {
    /// Add a number to the name.
    case number
    /// Skip the copy if the existing file has the same content; otherwise, add a number.
    case skip
    /// Replace the existing file atomically, unless it is a copy of the same run or an original.
    case replace
  }

  package var resources: Resources
  /// The template for names without extension; nil = the names of the files.
  package var name: ResultTemplate?
  /// The formats and limits of delivered files.
  package var representation: RepresentationOptions
  /// Whether unchanged files are copied; otherwise, the originals are delivered in place.
  package var copiesFiles: Bool
  /// Whether to refuse copies whose names contain a line break.
  package var refusesLineBreaks: Bool
  package var existing: Existing
  /// Whether files get the extension of their actual format, even if the representation requests no type.
  package var namesTypes = false
  /// The maximum size in bytes of a part of a video, which is known only when it has been made; nil = no maximum.
  package var maximumPartByteCount: Int64?

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
