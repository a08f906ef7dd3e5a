import AssetLibrary
import SystemPackage

/// The files of one folder that were named individually so far, and how they belong together.
///
/// Adding files costs time in proportion to the new files: of the known files only those with the same stems
/// are read again. Each name takes its bytes and 40 more.
struct NamedFolder {
  private struct Entry {
    /// The index of the folder spelling under which the file was named.
    var spelling: UInt32
    /// The previous name whose stem has the same hash.
    var previous: UInt32?
    /// The asset that the file belongs to; nil while it could not be read.
    var asset: UInt64?
  }

  /// A file's name, and the index of its folder's spelling.
  private struct File {
    var name: [UInt8]
    var spelling: UInt32
  }

  private var spellings: [FilePath] = []
  /// The library's folder index of each spelling.
  private var folders: [Int] = []
  private var places: [FilePath: UInt32] = [:]
  private var names = NameTable()
  private var entries: [Entry] = []
  /// The last name of each stem, by the stem's hash.
  private var stems: [Int: UInt32] = [:]
  /// The files that describe others, by stem; nil until the folder has been listed.
  private var companions: [[UInt8]: [[UInt8]]]?
  private var ledger: [UInt64: LedgerEntry] = [:]

  /// The named files in the form of a library source.
  var files: LibrarySources.NamedFiles {
    var files = LibrarySources.NamedFiles(
      spellings: spellings.map { LibrarySources.NamedFiles.Spelling(folder: $0) })
    for index in names.indices {
      files.spellings[Int(entries[index].spelling)].names.append(Array(names[index]))
    }
    return files
  }

  // MARK: Adding

  /// Reads newly named files and adds them to the library.
  /// - Parameters:
  ///   - paths: files of this folder that were not named before.
  ///   - isAwaited: whether nothing has been shown yet.
  ///   - skip: called for files that are not pictures.
  mutating func add(
    _ paths: [FilePath], _ context: ScanContext, isAwaited: Bool,
    skip: @escaping @Sendable (AssetError) -> Void
  ) throws(AssetError) {
    var files: [File] = []
    var opened: OpenFolder?
    for path in paths {
      let spelling = try self.spelling(of: path.removingLastComponent(), context, &opened)
      files.append(File(name: path.nameBytes, spelling: spelling))
    }
    guard let first = files.first else { return }
    let folder: OpenFolder
    if let opened { folder = opened } else { folder = try open(spellings[Int(first.spelling)], context) }
    try add(files.filter { !isCompanion($0.name) }, folder, context, skip: skip)
    guard companions == nil else { return }
    // Show the pictures first: the folder may contain a hundred thousand other files.
    context.model.announce(now: isAwaited)
    companions = try Self.companions(in: folder)
    try add(files.filter { companions?[FileName($0.name).stem] != nil }, folder, context, skip: { _ in })
  }

  private func open(_ folder: FilePath, _ context: ScanContext) throws(AssetError) -> OpenFolder {
    try context.probes.check(folder.isEmpty ? FilePath(".") : folder)
    return try OpenFolder(folder)
  }

  /// Returns the index of a folder spelling; registers a new one with the library.
  private mutating func spelling(
    of path: FilePath, _ context: ScanContext, _ opened: inout OpenFolder?
  ) throws(AssetError) -> UInt32 {
    if let known = places[path] { return known }
    let folder = try open(path, context)
    let index = context.register(folder, parent: nil, depth: 0, isHidden: false, isPartial: true)
    if spellings.isEmpty {
      let canonical = context.model.read { $0.folders[index].canonicalPath }
      ledger = context.storage?.ledger(of: canonical) ?? [:]
    }
    let place = UInt32(spellings.count)
    spellings.append(path)
    folders.append(index)
    places[path] = place
    if opened == nil { opened = folder }
    return place
  }

  /// Returns the files of a folder that describe others, by stem.
  private static func companions(in folder: OpenFolder) throws(AssetError) -> [[UInt8]: [[UInt8]]] {
    var companions: [[UInt8]: [[UInt8]]] = [:]
    let all = try folder.entries().files
    for index in all.indices {
      let name = FileName(all[index])
      if name.describesOthers { companions[name.stem, default: []].append(Array(all[index])) }
    }
    return companions
  }

  /// Whether a file is read along with those it describes.
  private func isCompanion(_ name: [UInt8]) -> Bool {
    companions?[FileName(name).stem]?.contains(name) ?? false
  }

  /// Reads files, together with known files of the same stems, and applies them as one change of the library.
  private mutating func add(
    _ files: [File], _ folder: OpenFolder, _ context: ScanContext,
    skip: @escaping @Sendable (AssetError) -> Void
  ) throws(AssetError) {
    if files.isEmpty { return }
    var batch: [[UInt8]: UInt32] = [:]
    var known: Set<Int> = []
    for file in files {
      batch[file.name] = file.spelling
      let stem = FileName(file.name).stem
      for index in indexes(ofStem: stem) where known.insert(index).inserted {
        batch[Array(names[index])] = entries[index].spelling
      }
      for name in companions?[stem] ?? [] where batch[name] == nil { batch[name] = file.spelling }
    }
    let involved = Set(batch.values).sorted()
    var table = NameTable()
    var spelled = Dictionary(uniqueKeysWithValues: involved.map { ($0, [[UInt8]]()) })
    for (name, spelling) in batch.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      table.append(name)
      spelled[spelling]?.append(name)
    }
    let parts = involved.map {
      LibrarySources.NamedFiles.Spelling(folder: spellings[Int($0)], names: spelled[$0] ?? [])
    }
    let visit = FolderVisit(
      context, spellings: FolderSpellings(parts, folders: involved.map { folders[Int($0)] }), folder: folder,
      names: table, known: knownFiles(known, context), ledger: ledger)
    let fresh = Set(files.map(\.name)).subtracting(known.map { Array(names[$0]) })
    let result = visit.readNamed { name, issue in if fresh.contains(Array(name)) { skip(issue) } }
    note(result, batch: batch)
  }

  // MARK: Known files

  private func indexes(ofStem stem: [UInt8]) -> [Int] {
    var found: [Int] = []
    var next = stems[stem.hashValue]
    while let index = next {
      if FileName(names[Int(index)]).stem == stem { found.append(Int(index)) }
      next = entries[Int(index)].previous
    }
    return found
  }

  private func index(of name: [UInt8]) -> Int? {
    indexes(ofStem: FileName(name).stem).first { names[$0].elementsEqual(name) }
  }

  /// Returns the library's current data of named files.
  private func knownFiles(_ indexes: Set<Int>, _ context: ScanContext) -> [KnownFile] {
    let assets = Set(indexes.compactMap { entries[$0].asset })
    if assets.isEmpty { return [] }
    let folders = Set(folders)
    return context.model.read { state in
      assets.flatMap { asset -> [KnownFile] in
        guard let handle = state.handles[asset] else { return [] }
        let segment = state.segment(of: handle)
        guard folders.contains(segment.folder) else { return [] }
        return segment.files(of: segment.assets[handle.row]).filter { !$0.isEmbedded }
          .map { KnownFile(segment: segment, file: $0, asset: handle) }
      }
    }.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// Stores the names that became part of an asset, and those that could not be read for the moment.
  private mutating func note(_ result: FolderVisit.NamedResult, batch: [[UInt8]: UInt32]) {
    for segment in result.segments {
      for asset in segment.assets {
        for file in segment.files(of: asset) where !file.isEmbedded {
          note(Array(segment.name(of: file)), as: asset.identifier, batch: batch)
        }
      }
    }
    for name in result.unread { note(name, as: nil, batch: batch) }
  }

  private mutating func note(_ name: [UInt8], as asset: UInt64?, batch: [[UInt8]: UInt32]) {
    if let known = index(of: name) {
      if let asset { entries[known].asset = asset }
      return
    }
    // Files that describe others are found again through those.
    guard let spelling = batch[name], !isCompanion(name) else { return }
    let hash = FileName(name).stem.hashValue
    entries.append(Entry(spelling: spelling, previous: stems[hash], asset: asset))
    stems[hash] = UInt32(names.count)
    names.append(name)
  }
}
