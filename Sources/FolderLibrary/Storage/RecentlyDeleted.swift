import AssetLibrary
import CPlatform
import CodecProtocol
import Dispatch
import Metadata
import Synchronization
import System
import SystemPackage
import Trash

/// The assets in the trash that came from a library: the contents of the smart album Recently Deleted.
///
/// They are read from the files in the trash like those of a folder, but have the names and folders that the files
/// had before. A look at the trash whose folders have not changed since the last one costs a few system calls. Any
/// thread may call.
final class RecentlyDeleted: Sendable {
  /// The deleted assets at one moment.
  private struct Contents {
    /// The assets as rows, in the folders that they came from.
    var library = LibraryState()
    var entries: [LocalIdentifier: Entry] = [:]
  }

  /// The files of a deleted asset.
  private struct Entry {
    /// All files, the primary one first.
    var files: [TrashedFile]
    /// When it was deleted.
    var date: AssetDate?
  }

  private struct State {
    var contents = Contents()
    /// The trash at the last look; nil if it must be read again.
    var stamp: [[UInt64]]?
    /// What was read from the files at the last look, by their paths in the trash.
    var findings: [FilePath: (file: TrashedFile, finding: FileFinding)] = [:]
  }

  /// What a look needs to know of the library.
  struct Library {
    /// The files of assets that tpick has deleted.
    var known: [(asset: LocalIdentifier, files: TrashedTogether)]
    /// The files of edits that tpick has deleted when it reverted assets.
    var edits: [(asset: LocalIdentifier, files: TrashedTogether)]
    var table: LibraryTable
  }

  private let trash: DesktopTrash
  private let sources: [FilePath]
  private let reader: MetadataClient
  private let helper: CodecClient
  private let library: @Sendable () -> Library
  private let pool = StringPool()
  private let state = Mutex(State())
  /// Serializes looks.
  private let looking = Mutex(())
  private let queue = DispatchQueue(label: "tpick.deleted", qos: .utility)
  private let isScheduled = Atomic(false)

  /// - Parameters:
  ///   - sources: the library's folders and files.
  ///   - library: returns the current state of the library; may block on a disk.
  init(
    _ trash: DesktopTrash, sources: [FilePath], reader: MetadataClient, helper: CodecClient,
    library: @escaping @Sendable () -> Library
  ) {
    (self.trash, self.sources, self.reader, self.helper) = (trash, sources, reader, helper)
    self.library = library
  }

  // MARK: Fetching

  /// Returns the assets that the options admit, as the last look found them.
  /// - Parameter marks: the user's favorites and hidden assets.
  func assets(_ options: FetchOptions, marks: AssetMarks) -> [Asset] {
    let contents = state.withLock { $0.contents }
    let order = options.albumOrder(of: SmartAlbum.recentlyDeleted.localIdentifier)
    var all = options
    all.fetchLimit = 0
    // Each photo of a burst was deleted, and is restored, on its own.
    all.includeAllBurstAssets = true
    if order != nil { all.sortDescriptors = AssetSort.newest.descriptors }
    var assets = table(of: contents, marks).assets(in: nil, options: all).map { asset in
      Self.deleted(asset, contents.entries[asset.id])
    }
    if order != nil { assets.sort { $0.wasDeletedAfter($1) } }
    if order == .ownReversed { assets.reverse() }
    return options.limited(assets)
  }

  /// Returns the album with the assets that the options admit; nil if there are none.
  func collection(_ options: FetchOptions, marks: AssetMarks) -> AssetCollection? {
    var all = options
    all.fetchLimit = 0
    all.includeAllBurstAssets = true
    all.sortDescriptors = AssetSort.newest.descriptors
    let found = table(of: state.withLock { $0.contents }, marks).assets(in: nil, options: all)
    if found.isEmpty { return nil }
    return AssetCollection(
      .recentlyDeleted, estimatedAssetCount: found.count, startDate: found.creationDate(at: found.count - 1),
      endDate: found.creationDate(at: 0))
  }

  /// Returns completions for a search among the assets.
  func searchTexts(
    in fields: SearchFields, beginningWith prefix: String, options: FetchOptions, marks: AssetMarks
  ) -> [SearchText] {
    table(of: state.withLock { $0.contents }, marks)
      .searchTexts(in: fields, beginningWith: prefix, collection: nil, options: options)
  }

  private func table(of contents: Contents, _ marks: AssetMarks) -> LibraryTable {
    var library = contents.library
    library.setCorrections(marks.corrections)
    library.applyChanges()
    return LibraryTable(state: library, texts: pool.texts, marks: marks)
  }

  /// Returns an asset with the paths that its files have in the trash.
  private static func deleted(_ asset: Asset, _ entry: Entry?) -> Asset {
    var asset = asset
    asset.deletion = DeletionRecord(date: entry?.date, originalPath: asset.primaryResource?.path ?? "")
    for index in asset.resources.indices {
      let name = asset.resources[index].filename
      if let file = entry?.files.first(where: { $0.original.nameBytes == name }) {
        asset.resources[index].path = file.file
      }
    }
    return asset
  }

  /// Returns the files of deleted assets, the primary ones first, without assets that are not in the trash.
  ///
  /// Looks at the trash once.
  func files(of assets: [LocalIdentifier]) -> [LocalIdentifier: [TrashedFile]] {
    look()
    let entries = state.withLock { $0.contents.entries }
    return assets.reduce(into: [:]) { files, asset in files[asset] = entries[asset]?.files }
  }

  /// Drops assets that are no longer in the trash, before the next look finds that out.
  func forget(_ assets: [LocalIdentifier]) {
    if assets.isEmpty { return }
    // A look that began before would list them again.
    looking.withLock { _ in forgetNow(assets) }
  }

  private func forgetNow(_ assets: [LocalIdentifier]) {
    state.withLock { state in
      for asset in assets where state.contents.entries.removeValue(forKey: asset) != nil {
        guard let handle = asset.number.flatMap({ state.contents.library.handles[$0] }) else { continue }
        state.contents.library.remove(handle)
      }
      state.contents.library.applyChanges()
    }
  }

  // MARK: Looking

  /// Makes the next look read the trash, even if it is unchanged.
  func lookAgain() { looking.withLock { _ in state.withLock { $0.stamp = nil } } }

  /// Looks at the trash in the background.
  /// - Parameter changed: called if the assets are others than before, on any thread.
  func lookLater(_ changed: @escaping @Sendable () -> Void) {
    guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [weak self] in
      guard let self else { return }
      isScheduled.store(false, ordering: .releasing)
      if look() { changed() }
    }
  }

  /// Two changes within this time may leave the same time of change, in nanoseconds: a tick of the system's clock.
  private static let tick: Int64 = 20_000_000

  /// Reads the trash, unless it is unchanged since the last look.
  /// - Returns: whether its assets are others than before.
  @discardableResult
  func look() -> Bool {
    looking.withLock { _ in
      let stamp = trash.stamp()
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      let age = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec) &- stamp.changed
      let before = state.withLock { state in state.stamp == stamp.value ? nil : state }
      guard let before else { return false }
      let library = library()
      let units = units(library)
      let findings = findings(of: units.flatMap(\.files), known: before.findings)
      let contents = contents(units, findings, library.table)
      state.withLock { state in
        state.contents = contents
        state.findings = findings.filter { $0.value.finding.failure == nil }
        state.stamp = (0..<Self.tick).contains(age) ? nil : stamp.value
      }
      let files = { (contents: Contents) in contents.entries.mapValues(\.files) }
      return files(before.contents) != files(contents)
    }
  }

  /// Files in the trash that belong together.
  private struct Unit {
    /// The asset whose files tpick moved to the trash; nil for files that another program moved there.
    var asset: LocalIdentifier?
    /// The asset to whose edit the files belong.
    var edited: LocalIdentifier?
    var files: [TrashedFile]
  }

  /// Returns the files in the trash that came from the library, those of one photo together.
  private func units(_ library: Library) -> [Unit] {
    // Links and folders in a trash are not followed, so what they lead to is unknown.
    let listed = trash.list().filter(\.isRegular)
    if listed.isEmpty { return [] }
    let places = sources.flatMap { source in
      [source.lexicallyAbsolute]
        + (MountProbes.shared.answers(source) ? [source.resolved].compactMap(\.self) : [])
    }.flatMap(trash.spellings)
    let listedPath = trash.listedPaths()
    let own = listed.filter { file in places.contains { Self.isPhoto(file.original, below: $0) } }
    var rest = Dictionary(own.map { ($0.file, $0) }, uniquingKeysWith: { first, _ in first })
    var units: [Unit] = []
    func take(_ files: TrashedTogether) -> [TrashedFile] {
      let found = files.found(in: rest, listedPath)
      for file in found { rest[file.file] = nil }
      return found
    }
    for (asset, files) in library.known {
      let found = take(files)
      if !found.isEmpty { units.append(Unit(asset: asset, files: found)) }
    }
    let edits = library.edits.map { Unit(edited: $0.asset, files: take($0.files)) }
    // What other programs deleted at the same time from the same folder, as `tpick trash restore` groups it.
    struct Key: Hashable { var deleted: String?, folder: FilePath, stem: [UInt8] }
    var groups: [Key: [Int]] = [:]
    for file in own where rest[file.file] != nil && PhotoFileName.isMediaOrSidecar(file.original.nameBytes) {
      let key = Key(
        deleted: file.deleted, folder: file.original.removingLastComponent(),
        stem: PhotoFileName.stem(file.original.nameBytes))
      // Two photos of one name may have been deleted in the same second; each has a path once.
      let group = groups[key]?.first { index in
        !units[index].files.contains { $0.original == file.original }
      }
      if let group {
        units[group].files.append(file)
      } else {
        groups[key, default: []].append(units.count)
        units.append(Unit(files: [file]))
      }
    }
    // Last: whether an edit's photo is in the trash is known from the others.
    return units + edits.filter { !$0.files.isEmpty }
  }

  /// Whether a library with a source would have listed a file at a path.
  private static func isPhoto(_ path: FilePath, below source: FilePath) -> Bool {
    guard path.starts(with: source), !path.nameBytes.withUnsafeBufferPointer(FileName.isLeftover) else {
      return false
    }
    // Libraries don't read folders that start with a dot.
    return path.removingLastComponent().components.dropFirst(source.components.count).allSatisfy {
      !$0.string.hasPrefix(".")
    }
  }

  // MARK: Reading files

  /// Reads the metadata of files, as far as it is not known from the last look; files that can't be read are omitted.
  private func findings(
    of files: [TrashedFile], known: [FilePath: (file: TrashedFile, finding: FileFinding)]
  ) -> [FilePath: (file: TrashedFile, finding: FileFinding)] {
    var found: [FilePath: (file: TrashedFile, finding: FileFinding)] = [:]
    var unread: [FilePath: [TrashedFile]] = [:]
    for file in files {
      if let known = known[file.file], known.file == file {
        found[file.file] = known
      } else {
        unread[file.file.removingLastComponent(), default: []].append(file)
      }
    }
    for (folder, files) in unread {
      guard let open = try? OpenFolder(folder) else { continue }
      for (file, finding) in zip(files, read(files, in: open)) {
        // Another file may have taken its name meanwhile.
        guard let finding, finding.status.inode == file.inode else { continue }
        found[file.file] = (file, finding)
      }
    }
    return found
  }

  /// Reads files of one folder.
  /// - Returns: a finding for each file; nil if it can't be read.
  private func read(_ files: [TrashedFile], in folder: OpenFolder) -> [FileFinding?] {
    var names = NameTable()
    for file in files { names.append(file.file.nameBytes) }
    var findings: [FileFinding?] = []
    var rest = names.indices
    while !rest.isEmpty {
      var batch = FindingBatch(names, of: folder)
      while !batch.isFull, let index = rest.first {
        guard batch.open(index) else { break }
        rest.removeFirst()
      }
      guard let results = batch.read(by: reader, isCancelled: { false }) else { break }
      findings += results.map { try? $0.get() }
    }
    var waiting = findings.indices.filter { findings[$0]?.needsHelper ?? false }[...]
    while !waiting.isEmpty {
      describe(waiting.prefix(Self.mostDescribed), of: &findings, in: folder, names)
      waiting = waiting.dropFirst(Self.mostDescribed)
    }
    return findings
  }

  /// The number of files that the codec helper reads at once.
  private static let mostDescribed = 8

  /// Reads the metadata that requires the codec helper; files that it can't read stay as they are.
  private func describe(
    _ indexes: ArraySlice<Int>, of findings: inout [FileFinding?], in folder: OpenFolder, _ names: NameTable
  ) {
    var open: [(index: Int, file: ReportedFile)] = []
    defer { for file in open { close(file.file.descriptor) } }
    for index in indexes {
      guard let finding = findings[index] else { continue }
      let descriptor = names.withCString(index) { name in
        DescriptorLimit.waiting {
          openat(folder.descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        }
      }
      guard descriptor >= 0 else { continue }
      let request = ReportRequest(.foreign, byteCount: Int(clamping: finding.status.size))
      open.append((index, ReportedFile(descriptor, request)))
    }
    let files = open.map(\.file)
    let reports = helper.metadata.reports(on: files) { file, wire throws(WireError) in
      try MediaReport(from: &wire, to: files[file].request)
    }
    for (file, report) in zip(open, reports) {
      guard case .media(let format, _)? = findings[file.index]?.content else { continue }
      switch report {
      case .success(.described(let facts)): findings[file.index]?.content = .media(format, facts)
      case .success(.failed(let reason)): findings[file.index]?.content = .broken(reason)
      default: break
      }
    }
  }

  // MARK: Assets

  /// Makes assets of the files.
  private func contents(
    _ units: [Unit], _ findings: [FilePath: (file: TrashedFile, finding: FileFinding)], _ table: LibraryTable
  ) -> Contents {
    var contents = Contents()
    let texts = PooledTexts(pool)
    for unit in units {
      // The edit of a photo in the library, or in the trash, is a part of it and no photo.
      if let photo = unit.edited, table.handle(of: photo) != nil || contents.entries[photo] != nil {
        continue
      }
      var names = NameTable()
      var (files, found): ([TrashedFile], [FileFinding]) = ([], [])
      // In the order in which a folder is read.
      for file in unit.files.sorted(by: { Self.isNamedBefore($0, $1) }) {
        guard var finding = findings[file.file]?.finding else { continue }
        let name = file.original.nameBytes
        finding.name = FileName(name)
        finding.index = names.count
        names.append(name)
        files.append(file)
        found.append(finding)
      }
      let groups = AssetAssembler.groups(of: found)
      // What tpick deleted was one asset, even if some of its files are gone and the others no longer belong together.
      for group in unit.asset == nil ? groups : Array(groups.prefix(1)) {
        let members = group.members.map(\.finding)
        guard let first = members.first else { continue }
        var own = members.map { files[$0] }
        if unit.asset != nil { own += unit.files.filter { !own.contains($0) } }
        let status = found[first].status
        let identifier = identifier(of: own[0], status, unit.asset, table, contents)
        let folder = Self.folder(of: own[0].original, table)
        let index = contents.library.add(folder)
        let added = table.state.firstSeen(identifier) ?? min(status.modified, status.changed) / 1_000_000_000
        let maker = RowMaker(pool: texts, names: names, folder: StableHash.hash(folder.canonicalPath)) { _ in
          AssetIdentity(identifier: identifier, added: added)
        }
        var builder = SegmentBuilder()
        maker.add(members.map { found[$0] }, to: &builder)
        contents.library.add(builder.segment(folder: index))
        contents.entries[LocalIdentifier(number: identifier)] = Entry(
          files: own, date: own[0].deleted.flatMap(AssetDate.init(deletionDate:)))
      }
    }
    contents.library.applyChanges()
    return contents
  }

  private static func isNamedBefore(_ a: TrashedFile, _ b: TrashedFile) -> Bool {
    let (name, other) = (a.original.nameBytes, b.original.nameBytes)
    return name == other
      ? a.file.bytes.lexicographicallyPrecedes(b.file.bytes) : name.lexicographicallyPrecedes(other)
  }

  /// Returns the identifier of a deleted asset: the one that it had in the library, unless that is taken.
  ///
  /// Moving a file within a file system changes none of the values from which identifiers are computed.
  private func identifier(
    of file: TrashedFile, _ status: file_status, _ known: LocalIdentifier?, _ table: LibraryTable,
    _ contents: Contents
  ) -> UInt64 {
    // The link count has changed if another name of the file was deleted too.
    let linkHash = status.link_count > 1 ? StableHash.hash(file.original.bytes) : nil
    var identifier = known?.number ?? IdentityRegistry.key(of: status, linkHash: linkHash)
    // An editor may have moved the former version to the trash: the new file has its identifier.
    while table.state.handles[identifier] != nil
      || contents.entries[LocalIdentifier(number: identifier)] != nil
    {
      identifier = IdentityRegistry.mix(identifier, StableHash.hash(file.file.bytes))
    }
    return identifier
  }

  /// Returns the folder that a file came from, which may no longer exist.
  private static func folder(of original: FilePath, _ table: LibraryTable) -> LibraryFolder {
    let path = original.removingLastComponent()
    let folders = table.state.folders
    let isHidden = folders.index(of: path.bytes).map { folders[$0].isHidden } ?? false
    return LibraryFolder(
      path: path, canonicalPath: path.bytes, identity: FileIdentity(device: 0, inode: 0), parent: nil,
      depth: 0,
      isHidden: isHidden)
  }
}

extension AssetDate {
  /// Parses a deletion date of the trash, local time: `2026-11-26T15:10:00`; nil if it is invalid.
  fileprivate init?(deletionDate text: String) {
    let parts = text.split { "-T:".contains($0) }.compactMap { Int($0) }
    guard parts.count == 6, (1...12).contains(parts[1]), (1...31).contains(parts[2]), parts[3] < 24,
      parts[4] < 60, parts[5] <= 60
    else { return nil }
    self.init(
      year: parts[0], month: parts[1], day: parts[2], hour: parts[3], minute: parts[4], second: parts[5])
  }
}

extension FilePath {
  /// The absolute path, without resolving links.
  fileprivate var lexicallyAbsolute: FilePath {
    guard !isAbsolute, let folder = getcwd(nil, 0) else { return lexicallyNormalized() }
    defer { free(folder) }
    return FilePath(platformString: folder).pushing(self).lexicallyNormalized()
  }
}
