import AssetLibrary
import CPlatform
import Metadata
import Synchronization
import SystemPackage

/// One look at the files of a folder: what is new, what has changed, what is gone.
final class FolderVisit: Sendable {
  /// Files looked into as one piece of work: enough to outweigh the hand-over.
  private static let batchSize = 64

  let context: ScanContext
  let index: Int
  let folder: any FolderContents
  let names: NameTable
  /// What the library knows of the folder, by name.
  let known: [KnownFile]
  let ledger: [UInt64: LedgerEntry]
  let isFirstIndexed: Bool
  let wasRead: Bool
  /// The mount on which the folder is, if it may stop answering.
  private let mount: MountTable.Mount?
  /// How the files were named, where they were named one by one.
  private let spellings: FolderSpellings?
  private let unread = Atomic(0)

  convenience init(_ context: ScanContext, index: Int, folder: any FolderContents, names: NameTable) {
    self.init(context, folders: [index], spellings: nil, folder: folder, names: names)
  }

  /// A look at files that were named one by one.
  convenience init(
    _ context: ScanContext, spellings: FolderSpellings, folder: any FolderContents, names: NameTable
  ) {
    self.init(context, folders: spellings.folders, spellings: spellings, folder: folder, names: names)
  }

  /// A look at files that are named while others of their folder are known.
  /// - Parameters:
  ///   - names: those that are new, and the others of their stems.
  ///   - known: what the library knows of them, by name.
  ///   - ledger: what is remembered of the folder.
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
    // The files that are new in it were not looked for.
    wasRead = false
  }

  /// A look at files on a server of which their names are known.
  /// - Parameter known: what the library knows of them, by name.
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

  /// Whether anything is known of the folder's files, so that only differences have to be read.
  var isKnown: Bool { !known.isEmpty }

  // MARK: A folder never seen

  /// The files in pieces, those of one stem together, the last names first.
  func batches() -> [[[Int]]] {
    var batches = Self.pieces(of: groups(of: names.indices.reversed()))
    if batches.isEmpty { batches = [[]] }
    unread.store(batches.count, ordering: .relaxed)
    return batches
  }

  /// Stems in pieces of so many files as are looked into as one piece of work.
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

  /// Looks into one piece of the files; with the last piece the folder is known.
  /// - Returns: whether it was the last one.
  func read(_ batch: [[Int]]) -> Bool {
    var builder = SegmentBuilder()
    read(batch, into: &builder, complaining: false)
    publish(builder.segment(folder: index), replacesAll: false)
    let isLast = unread.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    if isLast { context.save(index) }
    return isLast
  }

  /// Looks into all files at once; one that is no medium is worth a word, because the user named it.
  /// - Parameter share: how much of the whole that is, from 0 to 1.
  func readAll(share: Double, complaining: Bool = true) {
    var builder = SegmentBuilder()
    let groups = groups(of: Array(names.indices))
    for start in stride(from: 0, to: groups.count, by: Self.batchSize) {
      let batch = groups[start..<min(start + Self.batchSize, groups.count)]
      read(batch, into: &builder, complaining: complaining)
      context.model.progress.advance(by: share * Double(batch.count) / Double(groups.count))
      // The files become known together, but the progress is announced now.
      context.model.announceProgress()
    }
    if groups.isEmpty { context.model.progress.advance(by: share) }
    let segment = builder.segment(folder: index)
    for part in spellings?.split(segment) ?? [segment] { publish(part, replacesAll: true) }
  }

  /// What became of a look at files that were named.
  struct NamedResult {
    /// What the library got.
    var segments: [Segment] = []
    /// The files that could not be read for the moment.
    var unread: [[UInt8]] = []
  }

  /// Looks into all files at once, and puts what it finds in the place of what is known of them.
  /// - Parameter skip: hears of each file that is no medium or can't be read.
  func readNamed(skip: (ArraySlice<UInt8>, AssetError) -> Void) -> NamedResult {
    var result = NamedResult()
    var builder = SegmentBuilder()
    let maker = rowMaker(isElsewhere: { _ in false })
    for piece in Self.pieces(of: groups(of: names.indices)) {
      guard let looks = lookInto(piece.flatMap { $0 }) else {
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

  /// The indexes of files by their stems.
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

  /// - Throws: `AssetError` where a file does not answer.
  func check(_ file: Int, _ question: ProbeQuestion) throws(AssetError) {
    guard folder.onDisk != nil else { return }
    guard names.isLink(file) else {
      return try context.probes.check(path(of: names[file]), on: mount, question)
    }
    let path = path(of: names[file])
    try context.probes.check(path, on: context.probes.mount(of: path), question)
  }

  /// What a file is called in messages: as it was given, or where it is on a server.
  func subject(of name: ArraySlice<UInt8>) -> String {
    folder.onDisk == nil ? folder.subject(of: name) : path(of: name).displayString
  }

  /// The path of a file as it was given.
  func path(of name: ArraySlice<UInt8>) -> FilePath {
    spellings?.path(of: name) ?? folder.path(of: name)
  }
}

/// The files of a folder as a visit asks about them: on a disk, or in a listing of a server.
protocol FolderContents: AnyObject, Sendable {
  /// Where the files are; those of a server once they are brought.
  var path: FilePath { get }

  /// What a file is called in messages.
  func subject(of name: ArraySlice<UInt8>) -> String

  /// What is known of a file; nil when it is gone.
  func status(of name: UnsafePointer<CChar>) -> file_status?

  /// The folder on a disk, whose files can be opened; nil where they are on a server.
  var onDisk: OpenFolder? { get }
}

extension FolderContents {
  /// The path of an entry.
  func path(of name: some Collection<UInt8>) -> FilePath { path.appendingName(name) }
}

extension OpenFolder: FolderContents {
  func subject(of name: ArraySlice<UInt8>) -> String { path(of: name).displayString }

  var onDisk: OpenFolder? { self }
}

// Who the assets are.
extension FolderVisit {
  /// - Parameter isElsewhere: whether an inode is found in the folder now, under whatever name.
  func rowMaker(isElsewhere: @escaping (UInt64) -> Bool) -> RowMaker {
    let canonicalPath = context.model.read { $0.folders[index].canonicalPath }
    return RowMaker(
      pool: PooledTexts(context.model.pool), names: names, folder: StableHash.hash(canonicalPath)
    ) { [self] finding in
      identity(of: finding, isElsewhere: isElsewhere)
    }
  }

  private func identity(of finding: FileFinding, isElsewhere: (UInt64) -> Bool) -> AssetIdentity {
    let before = knownAsset(named: names[finding.index])
    if let before, before.inode == finding.status.inode {
      if before.identity.isInherited {
        context.identities.remember(finding.status, as: before.identity.identifier)
      }
      return before.identity
    }
    let recorded = ledger[LedgerEntry.hash(of: names[finding.index])]
    // A file that went on under another name took its identity along. What was removed from a folder does not
    // come back as another file of its name, as cameras count from 1 again: the ledger speaks for the lost index.
    let previous =
      before.flatMap { isElsewhere($0.inode) ? nil : $0.identity.identifier }
      ?? (wasRead ? nil : recorded?.identifier)
    let isShared = finding.status.link_count > 1 || names.isLink(finding.index)
    let model = context.model
    let linkHash = isShared ? folder.path(of: names[finding.index]).canonicalNameHash : nil
    let identifier = context.identities.identifier(
      of: finding.status, linkHash: linkHash, previous: previous,
      isKnown: { key in model.read { $0.handles[key] != nil } })
    // What is remembered of the name is the first-seen date of the file that bore it.
    let remembered = recorded.flatMap { $0.identifier == identifier ? $0.added : nil }
    // In a library that is opened for the first time nothing was seen before: nobody need be asked.
    let seen = (isFirstIndexed ? nil : model.read { $0.firstSeen(identifier) }) ?? remembered
    return AssetIdentity(
      identifier: identifier, added: seen ?? firstSight(of: finding.status),
      isInherited: identifier != IdentityRegistry.key(of: finding.status, linkHash: linkHash))
  }

  /// What lies in a library that is opened for the first time is not new to its user: it came when the file came.
  private func firstSight(of status: file_status) -> Int64 {
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
    // The other files of an asset are assets of their own once they part from it.
    guard let first = known[low].segment.files(of: row).first,
      known[low].segment.name(of: first).elementsEqual(name)
    else { return nil }
    let identity = AssetIdentity(
      identifier: row.identifier, added: row.added, isInherited: row.flags.contains(.inherited))
    return (known[low].file.inode, identity)
  }
}

// Looks into files, many at a time.
extension FolderVisit {
  /// Looks into the files of stems, and makes rows of what is found; nothing where nobody waits any more.
  func read(_ groups: some Collection<[Int]>, into builder: inout SegmentBuilder, complaining: Bool) {
    let maker = rowMaker(isElsewhere: { _ in false })
    for findings in look(at: groups.map { $0.sorted() }) ?? [] {
      maker.add(findings, to: &builder)
      if complaining { complain(about: findings) }
    }
  }

  /// Looks into the files of stems; what can't be read is an issue of the folder.
  /// - Returns: nil where nobody waits any more.
  func look(at groups: [[Int]]) -> [[FileFinding]]? {
    guard let looks = lookInto(groups.flatMap { $0 }) else { return nil }
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

  /// Looks into files, as many at once as may be open.
  /// - Returns: in their order; nil for one that is gone. Nil where nobody waits any more.
  private func lookInto(_ files: [Int]) -> [Result<FileFinding?, AssetError>]? {
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

  /// What the listing of a server tells of a file; nil for one that is gone.
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
