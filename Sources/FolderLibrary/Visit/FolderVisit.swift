import AssetLibrary
import CPlatform
import Metadata
import Synchronization
import SystemPackage

/// Visits the files of a folder once: finds what is new, changed or gone.
final class FolderVisit: Sendable {
  /// The number of files per batch: enough to outweigh the overhead of a batch.
  private static let batchSize = 64

  let context: ScanContext
  let index: Int
  let folder: any FolderContents
  let names: NameTable
  /// The known files of the folder, sorted by name.
  let known: [KnownFile]
  let ledger: [UInt64: LedgerEntry]
  let isFirstIndexed: Bool
  let wasRead: Bool
  /// The mount of the folder if accesses to it may hang; nil otherwise.
  private let mount: MountTable.Mount?
  /// For individually named files: the spellings of the folder's path that the user gave.
  private let spellings: FolderSpellings?
  private let unread = Atomic(0)

  convenience init(_ context: ScanContext, index: Int, folder: any FolderContents, names: NameTable) {
    self.init(context, folders: [index], spellings: nil, folder: folder, names: names)
  }

  /// Creates a visit to individually named files.
  convenience init(
    _ context: ScanContext, spellings: FolderSpellings, folder: any FolderContents, names: NameTable
  ) {
    self.init(context, folders: spellings.folders, spellings: spellings, folder: folder, names: names)
  }

  /// Creates a visit to newly named files of a folder with other known files.
  /// - Parameters:
  ///   - names: the new files, and the others with the same stems.
  ///   - known: their known data, sorted by name.
  ///   - ledger: the folder's ledger entries.
  init(
    _ context: ScanContext, spellings: FolderSpellings, folder: any FolderContents, names: NameTable,
    known: [KnownFile], ledger: [UInt64: LedgerEntry]
  ) {
    self.context = context
    index = spellings.folders[0]
    self.spellings = spellings
    self.folder = folder
    self.names = names
    mount = context.probes.mount(of: folder.path.isEmpty ? FilePath(".") : folder.path)
    self.known = known
    self.ledger = ledger
    isFirstIndexed =
      context.control.isFirstPass
      && context.model.read { $0.folders[spellings.folders[0]].isFirstIndexed }
    // The folder was not searched for new files.
    wasRead = false
  }

  /// Creates a visit to remote files whose names are known.
  /// - Parameter known: their known data, sorted by name.
  init(
    _ context: ScanContext, index: Int, folder: any FolderContents, names: NameTable, known: [KnownFile]
  ) {
    self.context = context
    self.index = index
    spellings = nil
    self.folder = folder
    self.names = names
    mount = nil
    self.known = known
    ledger = [:]
    isFirstIndexed = false
    wasRead = true
  }

  private init(
    _ context: ScanContext, folders: [Int], spellings: FolderSpellings?, folder: any FolderContents,
    names: NameTable
  ) {
    self.context = context
    index = folders[0]
    self.spellings = spellings
    self.folder = folder
    self.names = names
    mount = context.probes.mount(of: folder.path.isEmpty ? FilePath(".") : folder.path)
    let (known, description) = context.model.read { state in
      (folders.map(state.knownFiles), state.folders[folders[0]])
    }
    self.known =
      known.count == 1
      ? known[0] : known.flatMap { $0 }.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    isFirstIndexed = description.isFirstIndexed && context.control.isFirstPass
    wasRead = description.wasRead
    ledger = self.known.isEmpty ? context.storage?.ledger(of: description.canonicalPath) ?? [:] : [:]
  }

  /// Whether files of the folder are known, so that only differences have to be read.
  var isKnown: Bool { !known.isEmpty }

  // MARK: New folders

  /// Returns the files in batches, with the files of a stem together, the last names first.
  func batches() -> [[[Int]]] {
    var batches = Self.pieces(of: groups(of: names.indices.reversed()))
    if batches.isEmpty { batches = [[]] }
    unread.store(batches.count, ordering: .relaxed)
    return batches
  }

  /// Splits stems into batches.
  private static func pieces(of groups: [[Int]]) -> [[[Int]]] {
    var pieces: [[[Int]]] = []
    var size = batchSize
    for group in groups {
      if size >= batchSize {
        pieces.append([])
        size = 0
      }
      pieces[pieces.count - 1].append(group)
      size += group.count
    }
    return pieces
  }

  /// Reads one batch; saves the folder after the last one.
  /// - Returns: whether it was the last one.
  func read(_ batch: [[Int]]) -> Bool {
    var builder = SegmentBuilder()
    read(batch, into: &builder, reportsNonMedia: false)
    publish(builder.segment(folder: index), replacesAll: false)
    let isLast = unread.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    if isLast { context.save(index) }
    return isLast
  }

  /// Reads all files at once.
  ///
  /// A file that is not an image or video becomes an issue, because the user named it.
  /// - Parameter share: the share of the whole scan, from 0 to 1.
  func readAll(share: Double, reportsNonMedia: Bool = true) {
    var builder = SegmentBuilder()
    let groups = groups(of: Array(names.indices))
    for start in stride(from: 0, to: groups.count, by: Self.batchSize) {
      let batch = groups[start..<min(start + Self.batchSize, groups.count)]
      read(batch, into: &builder, reportsNonMedia: reportsNonMedia)
      context.model.progress.advance(by: share * Double(batch.count) / Double(groups.count))
      // The files appear together at the end, but progress is announced now.
      context.model.announceProgress()
    }
    if groups.isEmpty { context.model.progress.advance(by: share) }
    let segment = builder.segment(folder: index)
    for part in spellings?.split(segment) ?? [segment] { publish(part, replacesAll: true) }
  }

  /// The result of reading named files.
  struct NamedResult {
    /// The segments added to the library.
    var segments: [Segment] = []
    /// The files that could not be read for the moment.
    var unread: [[UInt8]] = []
  }

  /// Reads all files at once and replaces their known data.
  /// - Parameter skip: called for each file that is not an image or video, or can't be read.
  func readNamed(skip: (ArraySlice<UInt8>, AssetError) -> Void) -> NamedResult {
    var result = NamedResult()
    var builder = SegmentBuilder()
    let maker = rowMaker(isPresentInode: { _ in false })
    for piece in Self.pieces(of: groups(of: names.indices)) {
      guard let looks = readFindings(piece.flatMap { $0 }) else {
        result.unread += piece.joined().map { Array(names[$0]) }
        continue
      }
      var rest = looks[...]
      for group in piece {
        var findings: [FileFinding] = []
        for (file, look) in zip(group, rest.prefix(group.count)) {
          do throws(AssetError) {
            guard let finding = try look.get() else { continue }
            findings.append(finding)
            if let complaint = complaint(about: finding) { skip(names[file], complaint) }
          } catch {
            guard error.isTransient else {
              skip(names[file], error)
              continue
            }
            result.unread.append(Array(names[file]))
            context.model.change { $0.issues[index, default: []].append(error) }
          }
        }
        rest = rest.dropFirst(group.count)
        maker.add(findings, to: &builder)
      }
    }
    let segment = builder.segment(folder: index).withoutUnusedFiles
    result.segments = publish(
      spellings?.split(segment) ?? [segment], replacing: Set(known.compactMap(\.asset)))
    return result
  }

  /// Groups the indexes of files by stem.
  func groups(of indexes: some Collection<Int>) -> [[Int]] {
    var places: [[UInt8]: Int] = [:]
    var groups: [[Int]] = []
    places.reserveCapacity(indexes.count)
    for index in indexes {
      let stem = FileName(names[index]).stem
      if let place = places[stem] {
        groups[place].append(index)
      } else {
        places[stem] = groups.count
        groups.append([index])
      }
    }
    return groups
  }

  /// - Throws: `AssetError` if a file does not respond.
  func check(_ file: Int, _ question: ProbeQuestion) throws(AssetError) {
    guard folder.onDisk != nil else { return }
    guard names.isLink(file) else {
      return try context.probes.check(path(of: names[file]), on: mount, question)
    }
    let path = path(of: names[file])
    try context.probes.check(path, on: context.probes.mount(of: path), question)
  }

  /// Returns a file's name for messages: the path as given, or the address of a remote file.
  func subject(of name: ArraySlice<UInt8>) -> String {
    folder.onDisk == nil ? folder.subject(of: name) : path(of: name).displayString
  }

  /// Returns the path of a file as given.
  func path(of name: ArraySlice<UInt8>) -> FilePath {
    spellings?.path(of: name) ?? folder.path(of: name)
  }
}

/// The files of a folder during a visit: on a disk, or in a server's listing.
protocol FolderContents: AnyObject, Sendable {
  /// The path of the files; of remote files, their path after a download.
  var path: FilePath { get }

  /// Returns a file's name for messages.
  func subject(of name: ArraySlice<UInt8>) -> String

  /// Returns the status of a file; nil if it is gone.
  func status(of name: UnsafePointer<CChar>) -> file_status?

  /// The open folder on a disk; nil if the files are remote.
  var onDisk: OpenFolder? { get }
}

extension FolderContents {
  /// Returns the path of an entry.
  func path(of name: some Collection<UInt8>) -> FilePath { path.appendingName(name) }
}

extension OpenFolder: FolderContents {
  func subject(of name: ArraySlice<UInt8>) -> String { path(of: name).displayString }

  var onDisk: OpenFolder? { self }
}

// Identities of assets.
extension FolderVisit {
  /// - Parameter isPresentInode: whether an inode is in the folder now, under any name.
  func rowMaker(isPresentInode: @escaping (UInt64) -> Bool) -> RowMaker {
    let canonicalPath = context.model.read { $0.folders[index].canonicalPath }
    return RowMaker(
      pool: PooledTexts(context.model.pool), names: names, folder: StableHash.hash(canonicalPath)
    ) { [self] finding in
      identity(of: finding, isPresentInode: isPresentInode)
    }
  }

  private func identity(of finding: FileFinding, isPresentInode: (UInt64) -> Bool) -> AssetIdentity {
    let before = knownAsset(named: names[finding.index])
    if let before, before.inode == finding.status.inode {
      if before.identity.isInherited {
        context.identities.remember(finding.status, as: before.identity.identifier)
      }
      return before.identity
    }
    let recorded = ledger[LedgerEntry.hash(of: names[finding.index])]
    // The file that had this name passes its identity on if it is no longer in the folder: a program has
    // saved by replacing it. If the index was lost, the ledger knows that file. If the folder was read before
    // and had no such file, the ledger is not asked: cameras reuse numbers, so this is probably another
    // photo.
    let previous =
      before.flatMap { isPresentInode($0.inode) ? nil : $0.identity.identifier }
      ?? (wasRead ? nil : recorded?.identifier)
    let isShared = finding.status.link_count > 1 || names.isLink(finding.index)
    let model = context.model
    let linkHash = isShared ? folder.path(of: names[finding.index]).canonicalNameHash : nil
    let identifier = context.identities.identifier(
      of: finding.status, linkHash: linkHash, previous: previous,
      isKnown: { key in model.read { $0.handles[key] != nil } })
    // The ledger's date belongs to the file that had this name then, which may be another asset.
    let remembered = recorded.flatMap { $0.identifier == identifier ? $0.added : nil }
    // In the first scan of a new library nothing was seen before, so the lookup is skipped.
    let seen = (isFirstIndexed ? nil : model.read { $0.firstSeen(identifier) }) ?? remembered
    return AssetIdentity(
      identifier: identifier, added: seen ?? firstSeenDate(of: finding.status),
      isInherited: identifier != IdentityRegistry.key(of: finding.status, linkHash: linkHash))
  }

  /// Returns the first-seen date of a file that was never seen before.
  ///
  /// The first scan of a new library uses the time when the file was created, because the files are not new
  /// to the user.
  private func firstSeenDate(of status: file_status) -> Int64 {
    let now = AssetDate.nowInUTC.wallSeconds
    guard isFirstIndexed else { return now }
    return min(now, (status.born != 0 ? status.born : status.modified) / 1_000_000_000)
  }

  private func knownAsset(named name: ArraySlice<UInt8>) -> (inode: UInt64, identity: AssetIdentity)? {
    var (low, high) = (0, known.count)
    while low < high {
      let middle = (low + high) / 2
      if known[middle].name.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
    }
    guard low < known.count, known[low].name.elementsEqual(name), let handle = known[low].asset else {
      return nil
    }
    let row = known[low].segment.assets[handle.row]
    // Only the first file of an asset has its identity; other files are new assets when they leave it.
    guard let first = known[low].segment.files(of: row).first,
      known[low].segment.name(of: first).elementsEqual(name)
    else { return nil }
    let identity = AssetIdentity(
      identifier: row.identifier, added: row.added, isInherited: row.flags.contains(.inherited))
    return (known[low].file.inode, identity)
  }
}

// Reading files, many at a time.
extension FolderVisit {
  /// Reads the files of stems and adds rows for them; adds nothing if cancelled.
  func read(_ groups: some Collection<[Int]>, into builder: inout SegmentBuilder, reportsNonMedia: Bool) {
    let maker = rowMaker(isPresentInode: { _ in false })
    for findings in look(at: groups.map { $0.sorted() }) ?? [] {
      maker.add(findings, to: &builder)
      if reportsNonMedia { complain(about: findings) }
    }
  }

  /// Reads the files of stems; those that can't be read become issues of the folder.
  /// - Returns: nil if cancelled.
  func look(at groups: [[Int]]) -> [[FileFinding]]? {
    guard let looks = readFindings(groups.flatMap { $0 }) else { return nil }
    var rest = looks[...]
    return groups.map { group in
      defer { rest = rest.dropFirst(group.count) }
      return rest.prefix(group.count).compactMap { look in
        do throws(AssetError) {
          return try look.get()
        } catch {
          context.model.change { $0.issues[index, default: []].append(error) }
          return nil
        }
      }
    }
  }

  /// Reads files, as many at once as may be open.
  /// - Returns: the results in order; a nil element is a file that is gone. nil if cancelled.
  private func readFindings(_ files: [Int]) -> [Result<FileFinding?, AssetError>]? {
    guard let onDisk = folder.onDisk else { return files.map { .success(awaited($0)) } }
    var looks: [Result<FileFinding?, AssetError>] = []
    looks.reserveCapacity(files.count)
    var rest = files[...]
    while !rest.isEmpty {
      var batch = FindingBatch(names, of: onDisk)
      let first = looks.count
      while !batch.isFull, let file = rest.first {
        do throws(AssetError) {
          try check(file, .content)
          guard batch.open(file) else { break }
        } catch {
          batch.fail(error)
        }
        rest.removeFirst()
      }
      let control = context.control
      guard !control.isCancelled,
        let read = batch.read(by: context.reader, isCancelled: { control.isCancelled })
      else { return nil }
      for (file, look) in zip(files[first...], read) {
        looks.append(
          look.mapError { error in
            var issue = error
            issue.subject = subject(of: names[file])
            return issue
          })
      }
    }
    return looks
  }

  /// Returns the finding of a remote file whose header has not been read; nil if the file is gone.
  func awaited(_ file: Int) -> FileFinding? {
    guard let status = names.withCString(file, { folder.status(of: $0) }) else { return nil }
    return FileFinding(awaiting: FileName(names[file]), index: file, status: status)
  }

  private func complain(about findings: [FileFinding]) {
    for complaint in findings.compactMap(complaint(about:)) {
      context.model.change { $0.issues[index, default: []].append(complaint) }
    }
  }

  func complaint(about finding: FileFinding) -> AssetError? {
    guard case .nothing = finding.content, finding.failure == nil else { return nil }
    return AssetError(subject(of: names[finding.index]), "not a picture or video")
  }
}
