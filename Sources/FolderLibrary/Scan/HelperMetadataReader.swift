import AssetLibrary
import CFileStatus
import CodecProtocol
import Dispatch
import Metadata
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Reads the facts that only the codec helper can tell, once everything else is known.
struct HelperMetadataReader {
  /// Assets described as one piece of work: what they tell is shown together.
  private static let batchSize = 64
  /// Pieces under way at once: as many as there are helpers worth starting.
  private static let readers = 2

  /// Some assets of a folder whose facts are missing.
  private struct Batch: Sendable {
    var folder: Int
    var handles: [FetchHandle]
  }

  private let context: ScanContext
  private let helper: CodecHelper

  init(_ context: ScanContext, helper: CodecHelper) {
    self.context = context
    self.helper = helper
  }

  /// Describes everything that is still provisional; returns when that is done.
  func run() {
    let batches = self.batches()
    guard !batches.isEmpty else { return }
    if context.control.isFirstPass { context.model.progress.begin(.describing) }
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: min(Self.readers, batches.count)) { _ in
      while !context.control.isCancelled {
        let index = next.add(1, ordering: .relaxed).oldValue
        guard index < batches.count, read(batches[index]) else { return }
        context.model.progress.advance(by: 1 / Double(batches.count))
      }
    }
    for folder in Set(batches.map(\.folder)) { context.save(folder) }
  }

  /// What is provisional, the newest first.
  private func batches() -> [Batch] {
    context.model.read { state in
      state.folders.present.reversed().flatMap { folder -> [Batch] in
        let handles = state.contents(of: folder).filter { state.row(of: $0).flags.contains(.provisional) }
        return stride(from: 0, to: handles.count, by: Self.batchSize).map {
          Batch(folder: folder, handles: Array(handles[$0..<min($0 + Self.batchSize, handles.count)]))
        }
      }
    }
  }

  /// Describes the assets of a batch.
  /// - Returns: whether it makes sense to go on.
  private func read(_ batch: Batch) -> Bool {
    let (folder, names) = context.model.read { state -> (LibraryFolder, NameTable) in
      var names: [ArraySlice<UInt8>] = []
      for handle in batch.handles {
        let segment = state.segment(of: handle)
        names += segment.files(of: state.row(of: handle)).filter { !$0.isEmbedded }.map(segment.name(of:))
      }
      var table = NameTable()
      for name in names { table.append(name) }
      table.sort()
      return (state.folders[batch.folder], table)
    }
    // A folder that went or was closed meanwhile keeps what is known of it; the next look says what is wrong.
    guard let open = try? OpenFolder(folder.path) else { return true }
    let visit = FolderVisit(context, index: batch.folder, folder: open, names: names)
    return visit.describe(replacing: batch.handles) { findings in describe(&findings, in: open, names) }
  }

  /// Asks the helper about the files that need it.
  /// - Returns: false when there is no helper.
  private func describe(_ findings: inout [FileFinding], in folder: OpenFolder, _ names: NameTable) -> Bool {
    let waiting = findings.indices.filter { findings[$0].needsHelper }
    let descriptors = waiting.map { index in
      names.withCString(findings[index].index) {
        openat(folder.descriptor, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      }
    }
    defer { for descriptor in descriptors where descriptor >= 0 { close(descriptor) } }
    let there = zip(waiting, descriptors).filter { $0.1 >= 0 }
    for ((index, descriptor), answer) in zip(there, helper.facts(of: there.map(\.1))) {
      guard case .media(let format, _) = findings[index].content else { continue }
      switch answer {
      case .success(let codec):
        var facts = MediaFacts(codec)
        if !codec.xmp.isEmpty {
          // A claim that can't be checked is none.
          facts.motionVideo = try? MediaReader.motionVideo(
            claimedBy: codec.xmp, from: DescriptorSource(descriptor: descriptor),
            byteCount: Int(findings[index].status.size))
        }
        findings[index].content = .media(format, facts)
      case .failure(.missing):
        context.model.change { $0.note(Self.missingHelper) }
        return false
      case .failure(let error): findings[index].content = .broken(error.reason)
      }
    }
    return true
  }

  private static let missingHelper =
    "tpick-codecs is not beside tpick: sizes, dates and places of HEIC, raw and video files are not known"
}
