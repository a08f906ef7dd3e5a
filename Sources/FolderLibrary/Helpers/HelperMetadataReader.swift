import AssetLibrary
import CPlatform
import CodecProtocol
import Dispatch
import Metadata
import Synchronization
import System
import SystemPackage

/// Reads the metadata that requires the codec helper, after everything else has been read.
struct HelperMetadataReader {
  /// The number of assets per batch; their results are shown together.
  private static let batchSize = 64
  /// The number of concurrent batches: more helpers don't pay off.
  private static let readers = 2

  /// Some assets of a folder whose metadata is missing.
  private struct Batch: Sendable {
    var folder: Int
    var handles: [FetchHandle]
  }

  private final class NextBatch: Sendable {
    let value = Atomic(0)
  }

  private let context: ScanContext
  private let helper: CodecClient

  init(_ context: ScanContext, helper: CodecClient) {
    self.context = context
    self.helper = helper
  }

  /// Reads all assets whose metadata is missing; returns when that is done.
  /// - Parameter tellsProgress: whether this is a step of the first scan, so that progress is reported.
  func run(tellsProgress: Bool = true) {
    let batches = self.batches()
    guard !batches.isEmpty else { return }
    if tellsProgress, context.control.isFirstPass { context.model.progress.begin(.describing) }
    let next = NextBatch()
    ConcurrentWork.perform(min(Self.readers, batches.count)) { [self] in
      while !context.control.isCancelled {
        let index = next.value.add(1, ordering: .relaxed).oldValue
        guard index < batches.count, read(batches[index]) else { return }
        context.model.progress.advance(by: 1 / Double(batches.count))
      }
    }
    for folder in Set(batches.map(\.folder)) { context.save(folder) }
  }

  /// Returns the assets without metadata that may be read now, the newest first.
  private func batches() -> [Batch] {
    var waiting: [(folder: Int, issue: AssetError)] = []
    // A rescan has cleared the issues of stalled files; add them again.
    defer { for (folder, issue) in waiting { context.model.note(issue, in: folder) } }
    return context.model.read { state in
      state.folders.present.reversed().flatMap { folder -> [Batch] in
        // Remote files are read through their server.
        if state.folders[folder].isRemote { return [] }
        let handles = state.contents(of: folder).filter { handle in
          let row = state.row(of: handle)
          guard row.flags.contains(.unread) else { return false }
          let segment = state.segment(of: handle)
          guard let stall = context.stalls.pausing(of: segment.files(of: row)) else { return true }
          let path = state.folders[folder].path.appendingName(segment.name(of: stall.file))
          waiting.append((folder, AssetError(path.displayString, stall.reason, isStall: true)))
          return false
        }
        return stride(from: 0, to: handles.count, by: Self.batchSize).map {
          Batch(folder: folder, handles: Array(handles[$0..<min($0 + Self.batchSize, handles.count)]))
        }
      }
    }
  }

  /// Reads the assets of a batch.
  /// - Returns: whether to continue with further batches.
  private func read(_ batch: Batch) -> Bool {
    let (folder, names, stalledRuns) = context.model.read { state in
      var names: [ArraySlice<UInt8>] = []
      var stalledRuns: [HelperStalls.Key: UInt8] = [:]
      for handle in batch.handles {
        let segment = state.segment(of: handle)
        for file in segment.files(of: state.row(of: handle)) where !file.isEmbedded {
          names.append(segment.name(of: file))
          if file.stalledRuns > 0 { stalledRuns[HelperStalls.Key(file)] = file.stalledRuns }
        }
      }
      var table = NameTable()
      for name in names { table.append(name) }
      table.sort()
      return (state.folders[batch.folder], table, stalledRuns)
    }
    // If the folder is gone or inaccessible, its data is kept; the next scan reports the problem.
    guard context.probes.answers(folder.path), let open = try? OpenFolder(folder.path) else { return true }
    let visit = FolderVisit(context, index: batch.folder, folder: open, names: names)
    let faults = HelperFaults(
      context: context, issues: batch.folder, folder: open, names: names, stalledRuns: stalledRuns)
    return visit.describe(replacing: batch.handles) { findings in
      describe(&findings, in: open, names, faults)
    }
  }

  /// Asks the helper about files that need it, and records why others could not be read.
  /// - Returns: false if there is no helper.
  private func describe(
    _ findings: inout [FileFinding], in folder: OpenFolder, _ names: NameTable, _ faults: HelperFaults
  ) -> Bool {
    for index in findings.indices {
      guard let error = findings[index].failure else {
        // The file has been read, so an earlier stall of a helper no longer matters.
        if !findings[index].needsHelper { faults.forget(findings[index]) }
        continue
      }
      if error.isHelperUnavailable {
        context.model.change { $0.note(error == .unconfined ? Self.unconfinedReader : Self.missingReader) }
        return false
      }
      faults.note(error, on: &findings[index])
    }
    var waiting = findings.indices.filter { findings[$0].needsHelper }[...]
    while !waiting.isEmpty, !context.control.isCancelled {
      // Open as many files at once as the limit of open files allows.
      var there: [(index: Int, descriptor: Int32)] = []
      defer { for file in there { close(file.descriptor) } }
      while there.count < Self.mostOpen, let index = waiting.first {
        let place = findings[index].index
        let open = {
          names.withCString(place) {
            openat(folder.descriptor, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
          }
        }
        let descriptor = there.isEmpty ? DescriptorLimit.waiting(open) : open()
        if descriptor < 0, DescriptorLimit.isReached(Errno(rawValue: errno)), !there.isEmpty { break }
        waiting.removeFirst()
        if descriptor >= 0 { there.append((index, descriptor)) }
      }
      guard describe(&findings, there, faults) else { return false }
    }
    return true
  }

  /// The number of files open for the helper at once.
  ///
  /// With a low limit, leaves descriptors for starting the helper.
  private static let mostOpen = min(16, max(1, (DescriptorLimit.count - 24) / 4))

  private func describe(
    _ findings: inout [FileFinding], _ there: [(index: Int, descriptor: Int32)], _ faults: HelperFaults
  ) -> Bool {
    let files = there.map { file in
      ReportedFile(
        file.descriptor,
        ReportRequest(.foreign, byteCount: Int(clamping: findings[file.index].status.size)))
    }
    let control = context.control
    let reports = helper.metadata.reports(on: files, isCancelled: { control.isCancelled }) {
      file, wire throws(WireError) in
      try MediaReport(from: &wire, to: files[file].request)
    }
    for ((index, _), report) in zip(there, reports) {
      guard case .media(let format, _) = findings[index].content else { continue }
      switch report {
      case .success(.described(let facts)): findings[index].content = .media(format, facts)
      case .success(.failed(let reason)): findings[index].content = .broken(reason)
      case .success(.noMemory):
        faults.note(.noMemory, on: &findings[index])
        continue
      // Replies to other kinds of requests; must not occur.
      case .success(.medium), .success(.sidecar), .success(.incomplete):
        faults.note(.died, on: &findings[index])
        continue
      case .failure(.missing):
        context.model.change { $0.note(Self.missingHelper) }
        return false
      case .failure(.unconfined):
        context.model.change { $0.note(Self.unconfinedHelper) }
        return false
      case .failure(let error):
        faults.note(error, on: &findings[index])
        continue
      }
      faults.forget(findings[index])
    }
    return true
  }

  private static let missingReader =
    "\(HelperProgram.reader.missingMessage); without it, only the names and file dates of photos are known"

  private static let unconfinedReader =
    "this system can't confine tpick-reader, so only the names and file dates of photos are known; "
    + "set \(ConfinementPolicy.setting) in the configuration to run it unconfined"

  private static let unconfinedHelper =
    "this system can't confine tpick-codecs, so sizes, dates and locations of HEIC, raw and video files are unknown; "
    + "set \(ConfinementPolicy.setting) in the configuration to run it unconfined"

  private static let missingHelper =
    "\(HelperProgram.codecs.missingMessage); without it, sizes, dates and locations of HEIC, raw and video files are unknown"
}

/// Records failures of the helpers on files of a folder, both as issues and in the findings.
private struct HelperFaults {
  let context: ScanContext
  /// The index of the folder to which the issues belong.
  let issues: Int
  let folder: OpenFolder
  let names: NameTable
  /// The number of runs in which a helper stalled on each file.
  let stalledRuns: [HelperStalls.Key: UInt8]

  /// Records a failure on a file: as temporary, or as permanent if helpers stalled on it in several runs.
  func note(_ error: CodecError, on finding: inout FileFinding) {
    if error == .noDescriptors || error == .exhausted {
      // The file stays unread and is retried soon.
      let reason = "\(error.reason); it will be retried later"
      context.stalls.postpone(HelperStalls.Key(finding), reason)
      context.model.note(AssetError(name(of: finding), reason, isStall: true), in: issues)
      return
    }
    if error.isStall {
      let key = HelperStalls.Key(finding)
      let reason = "\(error.reason); it will be retried later"
      let runs = context.stalls.note(key, reason, earlier: stalledRuns[key] ?? 0)
      if runs < HelperStalls.mostRuns {
        finding.stalledRuns = runs
        context.model.note(AssetError(name(of: finding), reason, isStall: true), in: issues)
        return
      }
    }
    finding.failure = nil
    finding.content = .broken(error.reason)
    forget(finding)
  }

  /// Removes the issue and the stall record of a file.
  func forget(_ finding: FileFinding) {
    context.stalls.forget(HelperStalls.Key(finding))
    context.model.removeNote(on: name(of: finding), in: issues)
  }

  private func name(of finding: FileFinding) -> String {
    folder.subject(of: names[finding.index])
  }
}

extension LibraryModel {
  /// Adds an issue of a folder and replaces an earlier one about the same file.
  func note(_ issue: AssetError, in folder: Int) {
    removeNote(on: issue.subject, in: folder)
    change { $0.issues[folder, default: []].append(issue) }
  }

  /// Removes a transient issue about a file.
  fileprivate func removeNote(on subject: String, in folder: Int) {
    let isSaid = read { state in
      state.issues[folder]?.contains { $0.isTransient && $0.subject == subject } ?? false
    }
    guard isSaid else { return }
    change { state in state.issues[folder]?.removeAll { $0.isTransient && $0.subject == subject } }
  }
}
