import AssetLibrary
import CPlatform
import CodecProtocol
import Dispatch
import MediaFormats
import Metadata
import Synchronization
import System

/// Reads the headers of some assets' files and updates their rows.
struct RemoteBatch {
  /// A file with the state of its reading.
  fileprivate struct Item {
    var finding: FileFinding
    var header: HeaderFile?
    var failure: AssetError?
    var loader: RangeLoader?
    /// The range to read next.
    var wanted: Range<Int>?
  }

  private let batch: UnreadAssets
  private let context: ScanContext
  private let helper: CodecClient?
  private let sources: [any RemoteSource]
  private let headers: RecentHeaders

  /// - Parameter headers: receives the headers of files whose thumbnails may need more bytes.
  init(
    _ batch: UnreadAssets, _ context: ScanContext, _ helper: CodecClient?, _ sources: [any RemoteSource],
    _ headers: RecentHeaders
  ) {
    (self.batch, self.context, self.helper, self.sources) = (batch, context, helper, sources)
    self.headers = headers
  }

  /// Reads the files and updates the library.
  /// - Parameters:
  ///   - isCancelled: whether to abort.
  ///   - yields: whether others are more urgent; reads not started yet are then postponed.
  func read(
    isCancelled: @escaping @Sendable () -> Bool, yields: @escaping @Sendable () -> Bool
  ) -> ReadingSchedule.BatchResult {
    let (folder, handles, known) = context.model.read { state in
      let handles = batch.assets.compactMap { state.handles[$0] }.filter {
        state.segment(of: $0).folder == batch.folder && state.row(of: $0).flags.contains(.unread)
      }
      let known = handles.flatMap { handle -> [KnownFile] in
        let segment = state.segment(of: handle)
        return segment.files(of: state.row(of: handle)).filter { !$0.isEmbedded }.map {
          KnownFile(segment: segment, file: $0, asset: handle)
        }
      }
      return (state.folders[batch.folder], handles, known)
    }
    var result = ReadingSchedule.BatchResult()
    guard !handles.isEmpty,
      let (source, place) = sources.lazy.compactMap({ source in
        source.folder(at: folder.canonicalPath).map { (source, $0) }
      }).first
    else { return result }
    if source.isOffline {
      result.failed = Set(batch.assets)
      return result
    }
    let contents = RemoteFolder(
      folder.path, called: folder.remoteName?.displayName ?? source.name, identity: folder.identity,
      known.map {
        RemoteListing.Entry(
          name: Array($0.name), key: $0.file.inode, size: $0.file.size, modified: $0.file.modified)
      })
    let visit = FolderVisit(
      context, index: batch.folder, folder: contents, names: contents.names,
      known: known.sorted { $0.name.lexicographicallyPrecedes($1.name) })
    let groups = visit.groups(of: contents.names.indices)
    var items = groups.joined().compactMap { visit.awaited($0) }.map { Item(finding: $0) }
    look(into: &items, in: place, contents, source, isCancelled: isCancelled, yields: yields)
    if isCancelled() { return result }
    if let failure = items.compactMap(\.failure).first(where: \.isTransient) {
      result.isUnreachable = true
      context.model.note(AssetError(source.name, failure.reason, isTransient: true))
    }
    keepThumbnails(of: items, source)
    // Files that could not be read for the moment keep their data.
    var next = items[...]
    let read = groups.map { group -> [Item] in
      defer { next = next.dropFirst(group.count) }
      return Array(next.prefix(group.count))
    }
    let done = read.filter { $0.allSatisfy { $0.failure == nil && !$0.finding.isAwaited } }
    let names = Set(done.joined().map { contents.names[$0.finding.index] })
    let described = known.filter { names.contains($0.name) }.compactMap(\.asset)
    result.described = visit.replace(Array(Set(described)), with: done.map { $0.map(\.finding) })
    result.failed = failures(in: read, of: handles, contents)
    if !result.isUnreachable {
      let left = Set(batch.assets).subtracting(result.described)
      // If reading was interrupted, unfinished files are read again later.
      if items.contains(where: { $0.wanted != nil }) {
        result.postponed = batch.assets.filter { left.contains($0) && !result.failed.contains($0) }
      } else {
        result.failed.formUnion(left)
      }
    }
    return result
  }

  // MARK: Reading

  /// Reads as much of each file as its metadata requires.
  private func look(
    into items: inout [Item], in folder: [UInt8], _ contents: RemoteFolder, _ source: any RemoteSource,
    isCancelled: @escaping @Sendable () -> Bool, yields: @escaping @Sendable () -> Bool
  ) {
    for index in items.indices where items[index].finding.isAwaited {
      let finding = items[index].finding
      let name = Array(contents.names[finding.index])
      let file = RemoteFile(
        path: folder + (folder.isEmpty ? [] : [UInt8(ascii: "/")]) + name, key: finding.status.inode,
        size: finding.status.size, modified: finding.status.modified)
      do throws(AssetError) {
        items[index].header = try HeaderFile(file, of: source)
        items[index].wanted = 0..<HeaderFile.step
      } catch {
        items[index].failure = error
      }
    }
    while !isCancelled(), !yields(), items.contains(where: { $0.wanted != nil }) {
      let asked = items.indices.filter { items[$0].wanted != nil }
      let loaded = load(&items, asked, source.connections, isCancelled: isCancelled, yields: yields)
      ask(&items, loaded.filter { items[$0].failure == nil }, isCancelled: isCancelled)
    }
  }

  /// Loads the wanted ranges, several at once.
  /// - Returns: the items whose ranges were loaded or failed to load.
  private func load(
    _ items: inout [Item], _ asked: [Int], _ connections: Int,
    isCancelled: @escaping @Sendable () -> Bool,
    yields: @escaping @Sendable () -> Bool
  ) -> [Int] {
    let loads = asked.compactMap { index in
      items[index].header.flatMap { header in items[index].wanted.map { (index, header, $0) } }
    }
    let next = Atomic(0)
    let failures = Mutex<[Int: AssetError]>([:])
    let loaded = Mutex<Set<Int>>([])
    ConcurrentWork.perform(min(connections, loads.count)) {
      while !isCancelled(), !yields() {
        let place = next.add(1, ordering: .relaxed).oldValue
        guard place < loads.count else { return }
        let (index, header, range) = loads[place]
        do throws(AssetError) {
          try header.load(range, isCancelled: isCancelled)
        } catch {
          failures.withLock { $0[index] = error }
        }
        loaded.withLock { _ = $0.insert(index) }
      }
    }
    for (index, error) in failures.withLock({ $0 }) { items[index].failure = error }
    let done = loaded.withLock { loaded in asked.filter(loaded.contains) }
    for index in done { items[index].wanted = nil }
    return done
  }

  /// Asks the helpers for the files' metadata, and records which further ranges they need.
  private func ask(_ items: inout [Item], _ asked: [Int], isCancelled: @escaping () -> Bool) {
    ask(&items, asked, as: nil, context.reader, isCancelled: isCancelled)
    // Ask the codec helper about formats that only it can read.
    guard let helper else { return }
    let foreign = asked.filter { items[$0].wanted == nil && items[$0].finding.needsHelper }
    ask(&items, foreign, as: .foreign, helper.metadata, isCancelled: isCancelled)
  }

  private func ask(
    _ items: inout [Item], _ asked: [Int], as kind: ReportRequest.Kind?, _ reader: MetadataClient,
    isCancelled: @escaping () -> Bool
  ) {
    var rest = asked[...]
    while !rest.isEmpty {
      let part = rest.prefix(FindingBatch.mostFiles)
      rest = rest.dropFirst(part.count)
      let files = part.compactMap { index -> ReportedFile? in
        guard let header = items[index].header, let descriptor = header.descriptor else { return nil }
        let request = ReportRequest(
          kind ?? items[index].finding.request.kind, byteCount: header.count, present: header.present.ranges)
        return ReportedFile(descriptor, request)
      }
      let reports = reader.reports(on: files, isCancelled: isCancelled) { file, wire throws(WireError) in
        try MediaReport(from: &wire, to: files[file].request)
      }
      for (index, report) in zip(part, reports) { items[index].take(report) }
    }
  }

  // MARK: Results

  /// Stores embedded thumbnails, which are inside the header of most files.
  private func keepThumbnails(of items: [Item], _ source: any RemoteSource) {
    for item in items where item.failure == nil && !item.finding.isAwaited {
      guard let header = item.header, case .media(_, let facts?) = item.finding.content else { continue }
      guard let range = facts.thumbnail else {
        if batch.isWanted { headers.keep(header) }
        continue
      }
      guard range.count <= HeaderFile.longestThumbnail, range.upperBound <= header.count,
        (try? header.load(range) { context.control.isCancelled }) != nil,
        let bytes = try? header.bytes(in: range)
      else { continue }
      source.keep(thumbnail: bytes, at: range.lowerBound, of: header.file, isWanted: batch.isWanted)
    }
  }

  /// Adds issues for files that can't be read, and returns their assets.
  private func failures(
    in read: [[Item]], of handles: [FetchHandle], _ contents: RemoteFolder
  ) -> Set<UInt64> {
    let names = read.joined().filter { $0.failure.map { !$0.isTransient } ?? false }
    guard !names.isEmpty else { return [] }
    return context.model.change { state in
      var failed: Set<UInt64> = []
      for item in names {
        guard let failure = item.failure else { continue }
        let name = contents.names[item.finding.index]
        let issue = AssetError(contents.subject(of: name), failure.reason)
        if state.issues[batch.folder]?.contains(issue) != true {
          state.issues[batch.folder, default: []].append(issue)
        }
        for handle in handles {
          guard let segment = state.segments[handle.segment] else { continue }
          let row = segment.assets[handle.row]
          if segment.files(of: row).contains(where: { segment.name(of: $0).elementsEqual(name) }) {
            failed.insert(row.identifier)
          }
        }
      }
      return failed
    }
  }
}

extension RemoteBatch.Item {
  /// Returns the range to read next; nil if too much of the file would have to be read.
  private mutating func next(after asked: Range<Int>) -> Range<Int>? {
    guard let header else { return nil }
    var loader = self.loader ?? RangeLoader(present: header.present, byteCount: header.count)
    defer { self.loader = loader }
    return loader.next(after: asked)
  }

  /// Processes the reply of a helper.
  fileprivate mutating func take(_ report: Swift.Result<MediaReport, CodecError>) {
    do throws(AssetError) {
      switch report {
      case .success(.incomplete(let range)):
        wanted = next(after: range)
        // The metadata is too far into the file.
        if wanted == nil {
          finding.isAwaited = false
          if case .media(let format, nil) = finding.content {
            finding.content = .media(format, MediaFacts())
          }
        }
      case .success(.described(let facts)):
        if case .media(let format, _) = finding.content { finding.content = .media(format, facts) }
        finding.isAwaited = false
      case .success(let report):
        finding.isAwaited = false
        try finding.take(report)
        if case .media(_, nil) = finding.content { finding.isAwaited = false }
      case .failure(let error):
        finding.isAwaited = false
        // If the helper is missing, the format is that of the file's extension.
        if !error.isHelperUnavailable { finding.content = .broken(error.reason) }
      }
    } catch {
      finding.content = .broken(error.reason)
      finding.isAwaited = false
    }
  }
}

/// The headers read most recently of remote files whose thumbnails need more bytes, so that they are not
/// downloaded again.
///
/// Each is an in-memory file of some hundred kilobytes. Any thread may call.
final class RecentHeaders: Sendable {
  /// Enough for two screens, as far as the limit of open files allows.
  private let most: Int
  /// The oldest first.
  private let headers = Mutex<[HeaderFile]>([])

  init(most: Int = min(64, DescriptorLimit.count / 16)) { self.most = most }

  /// Stores a header; removes the oldest one if there are too many.
  func keep(_ header: HeaderFile) {
    headers.withLock { headers in
      headers.removeAll { $0.file.version == header.file.version }
      headers.append(header)
      headers.removeFirst(max(0, headers.count - most))
    }
  }

  /// Removes and returns the header of a file version; nil if it is not stored.
  func take(_ version: UInt64) -> HeaderFile? {
    headers.withLock { headers in
      headers.firstIndex { $0.file.version == version }.map { headers.remove(at: $0) }
    }
  }
}
