import AssetLibrary
import CFileStatus
import Metadata
import Synchronization
import SystemPackage

/// One look at the files of a folder: what is new, what has changed, what is gone.
final class FolderVisit: Sendable {
  /// Files looked into as one piece of work: enough to outweigh the hand-over.
  private static let batchSize = 64

  private let scan: LibraryScan
  private let index: Int
  private let folder: OpenFolder
  private let names: NameTable
  /// What the library knows of the folder, by name.
  private let known: [KnownFile]
  private let ledger: [UInt64: LedgerEntry]
  private let isFirstIndexed: Bool
  private let wasRead: Bool
  private let unread = Atomic(0)

  init(scan: LibraryScan, index: Int, folder: OpenFolder, names: NameTable) {
    self.scan = scan
    self.index = index
    self.folder = folder
    self.names = names
    let (known, description) = scan.model.read { ($0.knownFiles(in: index), $0.folders[index]) }
    self.known = known
    isFirstIndexed = description.isFirstIndexed && scan.isFirstPass
    wasRead = description.wasRead
    ledger = known.isEmpty ? scan.storage?.ledger(of: description.canonicalPath) ?? [:] : [:]
  }

  /// Whether anything is known of the folder's files, so that only differences have to be read.
  var isKnown: Bool { !known.isEmpty }

  // MARK: A folder never seen

  /// The files in pieces, those of one stem together, the last names first.
  func batches() -> [[[Int]]] {
    var batches: [[[Int]]] = []
    var batch: [[Int]] = []
    var size = 0
    for group in groups(of: names.indices.reversed()) {
      batch.append(group)
      size += group.count
      if size >= Self.batchSize {
        batches.append(batch)
        batch = []
        size = 0
      }
    }
    if !batch.isEmpty || batches.isEmpty { batches.append(batch) }
    unread.store(batches.count, ordering: .relaxed)
    return batches
  }

  /// Looks into one piece of the files; with the last piece the folder is known.
  func read(_ batch: [[Int]]) {
    var builder = SegmentBuilder()
    read(batch, into: &builder, complaining: false)
    publish(builder.segment(folder: index), replacesAll: false)
    if unread.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { scan.save(index) }
  }

  /// Looks into all files at once.
  /// - Parameter complaining: whether a file that is no medium is worth a word, because the user named it.
  func readAll(complaining: Bool) {
    var builder = SegmentBuilder()
    read(groups(of: Array(names.indices)), into: &builder, complaining: complaining)
    publish(builder.segment(folder: index), replacesAll: true)
  }

  /// The indexes of files by their stems.
  private func groups(of indexes: some Collection<Int>) -> [[Int]] {
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

  private func read(_ groups: [[Int]], into builder: inout SegmentBuilder, complaining: Bool) {
    let maker = rowMaker(isElsewhere: { _ in false })
    var room = MediaReader.Room()
    for group in groups where !scan.isGivenUp {
      let findings = group.sorted().compactMap { look(at: $0, room: &room) }
      maker.add(findings, to: &builder)
      if complaining { complain(about: findings) }
    }
  }

  private func look(at file: Int, room: inout MediaReader.Room) -> FileFinding? {
    do throws(AssetError) {
      return try FileFinding.read(
        file, named: FileName(names[file]), in: names, of: folder, room: &room)
    } catch {
      scan.model.change { $0.issues[index, default: []].append(error) }
      return nil
    }
  }

  private func complain(about findings: [FileFinding]) {
    for finding in findings {
      guard case .nothing = finding.content else { continue }
      let path = folder.path(of: names[finding.index])
      scan.model.change { state in
        state.issues[index, default: []].append(AssetError(path.displayString, "not a picture or video"))
      }
    }
  }

  // MARK: A folder known before

  /// Compares the files with what is known of them, and looks into those that differ.
  func check() {
    var statuses: [UInt64: Int] = [:]
    var changed: [Int] = []
    var gone: [KnownFile] = []
    var next = 0
    for file in names.indices {
      let name = names[file]
      while next < known.count, known[next].name.lexicographicallyPrecedes(name) {
        gone.append(known[next])
        next += 1
      }
      let before = next < known.count && known[next].name.elementsEqual(name) ? known[next] : nil
      if before != nil { next += 1 }
      guard let status = names.withCString(file, { folder.status(of: $0) }) else {
        if let before { gone.append(before) }
        continue
      }
      statuses[status.inode] = file
      if let before, before.file.isSame(size: status.size, modified: status.modified, inode: status.inode) {
        continue
      }
      changed.append(file)
      if let before { gone.append(before) }
    }
    gone += known[next...]
    if changed.isEmpty, gone.isEmpty { return }
    update(changed: changed, gone: gone, present: statuses)
  }

  /// Reads the stems that differ anew and keeps the rest.
  private func update(changed: [Int], gone: [KnownFile], present: [UInt64: Int]) {
    var stems = Set(changed.map { FileName(names[$0]).stem } + gone.map { FileName($0.name).stem })
    let assets = scan.model.read { state in
      state.contents(of: index).map { handle in
        let segment = state.segment(of: handle)
        return (segment: segment, row: segment.assets[LibraryState.row(of: handle)])
      }
    }
    let stemsOfAssets = assets.map { segment, row in
      Set(segment.files(of: row).map { FileName(segment.name(of: $0)).stem })
    }
    // An asset of several stems (a Live Photo paired by its content) draws all of them in.
    var count = 0
    while count != stems.count {
      count = stems.count
      for own in stemsOfAssets where own.count > 1 && !own.isDisjoint(with: stems) { stems.formUnion(own) }
    }
    var builder = SegmentBuilder()
    for (asset, own) in zip(assets, stemsOfAssets) where own.isDisjoint(with: stems) {
      builder.add(asset.row, from: asset.segment)
    }
    for other in known where other.asset == nil && !stems.contains(FileName(other.name).stem) {
      builder.add(other.file, named: other.name)
    }
    let maker = rowMaker(isElsewhere: { present[$0] != nil })
    let again = names.indices.filter { stems.contains(FileName(names[$0]).stem) }
    var room = MediaReader.Room()
    for group in groups(of: again) {
      maker.add(group.compactMap { look(at: $0, room: &room) }, to: &builder)
    }
    publish(builder.segment(folder: index), replacesAll: true)
    scan.save(index)
  }

  // MARK: Facts that come later

  /// Reads assets again with facts that `complete` adds to the findings.
  /// - Returns: what `complete` returned; where it is false nothing changes.
  func describe(replacing handles: [UInt64], _ complete: (inout [FileFinding]) -> Bool) -> Bool {
    var room = MediaReader.Room()
    var groups = self.groups(of: names.indices).map { $0.compactMap { look(at: $0, room: &room) } }
    var all = groups.flatMap { $0 }
    guard complete(&all) else { return false }
    var next = 0
    for index in groups.indices {
      let count = groups[index].count
      groups[index] = Array(all[next..<next + count])
      next += count
    }
    let maker = rowMaker(isElsewhere: { _ in false })
    var builder = SegmentBuilder()
    for findings in groups { maker.add(findings, to: &builder) }
    let (segment, superseded) = settleConflicts(of: builder.segment(folder: index))
    scan.model.change { state in
      for handle in superseded { state.remove(handle) }
      let refused = state.replace(handles, with: segment)
      state.add(ownIdentity(of: refused, in: segment))
      if segment.assets.contains(where: { $0.contentIdentifier != 0 }) {
        state.setNeedsPairing(true, folder: index)
      }
    }
    scan.model.announce()
    return true
  }

  // MARK: Identity

  /// - Parameter isElsewhere: whether an inode is found in the folder now, under whatever name.
  private func rowMaker(isElsewhere: @escaping (UInt64) -> Bool) -> RowMaker {
    RowMaker(pool: PooledTexts(scan.model.pool), folder: folder, names: names) { [self] finding in
      identity(of: finding, isElsewhere: isElsewhere)
    }
  }

  private func identity(of finding: FileFinding, isElsewhere: (UInt64) -> Bool) -> AssetIdentity {
    let before = knownAsset(named: names[finding.index])
    if let before, before.inode == finding.status.inode {
      if before.identity.isInherited {
        scan.identities.remember(finding.status, as: before.identity.identifier)
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
    let model = scan.model
    let linkHash = isShared ? folder.path(of: names[finding.index]).canonicalNameHash : nil
    let identifier = scan.identities.identifier(
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
    let row = known[low].segment.assets[LibraryState.row(of: handle)]
    // The other files of an asset are somebody of their own once they part from it.
    guard let first = known[low].segment.files(of: row).first,
      known[low].segment.name(of: first).elementsEqual(name)
    else { return nil }
    let identity = AssetIdentity(
      identifier: row.identifier, added: row.added, isInherited: row.flags.contains(.inherited))
    return (known[low].file.inode, identity)
  }

  // MARK: Publishing

  private func publish(_ segment: Segment, replacesAll: Bool) {
    let (segment, superseded) = settleConflicts(of: segment)
    scan.model.change { state in
      for handle in superseded { state.remove(handle) }
      state.setRead(folder: index)
      let refused = replacesAll ? state.replaceContents(of: index, with: segment) : state.add(segment)
      state.add(ownIdentity(of: refused, in: segment))
      if segment.assets.contains(where: { $0.contentIdentifier != 0 }) {
        state.setNeedsPairing(true, folder: index)
      }
    }
    scan.model.announce()
  }

  /// Clears up identifiers that assets of other folders bear already: a file that moved takes its identifier
  /// along, one that is there twice stays what it was first, and anything else gets an identifier of its own.
  /// - Returns: the assets as they are to be added, and those of other folders whose place they take.
  private func settleConflicts(of segment: Segment) -> (Segment, superseded: [UInt64]) {
    struct Conflict {
      var row: Int
      var handle: UInt64
      var path: FilePath
      var inode: UInt64
    }
    let conflicts = scan.model.read { state in
      segment.assets.indices.compactMap { row -> Conflict? in
        guard let handle = state.handles[segment.assets[row].identifier] else { return nil }
        let other = state.segment(of: handle)
        guard other.folder != index else { return nil }
        let file = other.files(of: other.assets[LibraryState.row(of: handle)]).first
        guard let file else { return nil }
        return Conflict(
          row: row, handle: handle,
          path: state.folders[other.folder].path.appendingName(other.name(of: file)),
          inode: file.inode)
      }
    }
    guard !conflicts.isEmpty else { return (segment, []) }
    var superseded: [UInt64] = []
    var assets = segment.assets
    for conflict in conflicts {
      let inode = (try? conflict.path.stat())?.inode.rawValue
      if inode.map({ UInt64($0) }) != conflict.inode {
        superseded.append(conflict.handle)
      } else if let file = segment.files(of: assets[conflict.row]).first, file.inode != conflict.inode {
        giveOwnIdentity(to: &assets[conflict.row], file, in: segment)
      }
    }
    return (
      Segment(folder: segment.folder, assets: assets, files: segment.files, names: segment.names), superseded
    )
  }

  /// Rows once more, as assets that nobody else is: what came between two looks took their identifiers.
  private func ownIdentity(of rows: [Int], in segment: Segment) -> Segment {
    var builder = SegmentBuilder()
    for row in rows {
      var asset = segment.assets[row]
      guard let file = segment.files(of: asset).first else { continue }
      giveOwnIdentity(to: &asset, file, in: segment)
      builder.add(asset, from: segment)
    }
    return builder.segment(folder: index)
  }

  private func giveOwnIdentity(to asset: inout AssetRow, _ file: FileRow, in segment: Segment) {
    let hash = LedgerEntry.hash(of: folder.path(of: segment.name(of: file)).bytes)
    asset.identifier = IdentityRegistry.mix(IdentityRegistry.mix(asset.identifier, hash), file.inode)
    asset.flags.insert(.inherited)
    scan.identities.remember(
      inode: file.inode, size: file.size, modified: file.modified, as: asset.identifier)
  }
}
