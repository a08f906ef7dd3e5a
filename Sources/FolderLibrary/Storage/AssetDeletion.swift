import AssetLibrary
import SystemPackage
import Trash

/// Moves the files of deleted assets and edits to the trash, and those of restored ones back: all of them or none.
struct AssetDeletion {
  /// The deleted assets' files in the trash.
  private(set) var trashed: [LocalIdentifier: TrashedTogether] = [:]
  /// The edited files of reverted assets in the trash.
  private(set) var trashedEdits: [LocalIdentifier: TrashedTogether] = [:]
  /// The indexes of the library's folders that files were moved out of or into.
  private(set) var folders: Set<Int> = []
  /// The files of restored assets, at their original paths.
  private(set) var restored: [(asset: LocalIdentifier, files: [FilePath])] = []
  private let trash: DesktopTrash?
  private var put: [TrashedFile] = []
  /// All restored files, as they were in the trash.
  private var returned: [TrashedFile] = []
  /// What the next start repairs if this process ends before `end()`.
  private var unfinished: [UnfinishedMoves] = []

  /// Moves the files.
  ///
  /// Call `end()` when the changes are stored, or `rollBack(because:)` if they can't be.
  /// - Throws: `AssetError` that names the file that can't be moved; all others are moved back then.
  init(
    _ changes: [AssetChange], in table: LibraryTable, _ storage: LibraryStorage, _ sources: LibrarySources,
    trash: DesktopTrash?, recentlyDeleted: RecentlyDeleted?
  ) throws(AssetError) {
    self.trash = trash
    var (leaving, returning): ([LocalIdentifier], [LocalIdentifier]) = ([], [])
    var (reverted, edited): ([LocalIdentifier], [LocalIdentifier]) = ([], [])
    for change in changes {
      switch change {
      case .delete(let assets): leaving += assets
      case .restore(let assets): returning += assets
      case .revertToOriginal(let assets): reverted += assets
      case .restoreEdits(let assets): edited += assets
      default: break
      }
    }
    if leaving.isEmpty, returning.isEmpty, reverted.isEmpty, edited.isEmpty { return }
    guard let trash else { throw AssetError("trash", "this library has no trash", code: .unsupported) }
    try delete(leaving, editsOf: reverted, in: table, storage, sources, trash)
    do throws(AssetError) {
      let groups =
        returning.isEmpty ? [] : try Self.files(of: returning, in: table, storage, trash, recentlyDeleted)
      let edits = edited.isEmpty ? [] : try Self.edits(of: edited, storage, trash)
      try restore(groups, of: returning, edits: edits, in: table, storage, trash)
    } catch {
      throw rollBack(because: error)
    }
  }

  private mutating func delete(
    _ assets: [LocalIdentifier], editsOf reverted: [LocalIdentifier], in table: LibraryTable,
    _ storage: LibraryStorage, _ sources: LibrarySources, _ trash: DesktopTrash
  ) throws(AssetError) {
    var files: [(asset: LocalIdentifier, isEdit: Bool, path: FilePath)] = []
    var taken: Set<FilePath> = []
    for (asset, isEdit) in assets.map({ ($0, false) }) + reverted.map({ ($0, true) }) {
      guard let handle = table.handle(of: asset) else { continue }
      let element = table.element(at: handle)
      let resources = isEdit ? element.resources.filter(\.isEdit) : element.resources
      if isEdit, !element.hasAdjustments || resources.isEmpty {
        throw AssetError(element.subject, "has no edit")
      }
      for resource in resources where resource.byteRange == nil && taken.insert(resource.path).inserted {
        if sources.remotes.contains(where: { resource.path.starts(with: $0.path) }) {
          throw AssetError(resource.subject, "is on a server and can't be deleted", code: .unsupported)
        }
        files.append((asset, isEdit, resource.path))
      }
      if isEdit { trashedEdits[asset] = TrashedTogether() } else { trashed[asset] = TrashedTogether() }
      folders.insert(table.state.segment(of: handle).folder)
    }
    if files.isEmpty { return }
    var moves: UnfinishedMoves?
    do throws(TrashError) {
      put = try trash.put(files.map(\.path)) { (going) throws(TrashError) in
        moves = try UnfinishedMoves.begin(going, .deleting, in: storage.folder)
      }
    } catch {
      // What could not be moved back is tried again at the next start.
      throw AssetError(error)
    }
    if let moves { unfinished.append(moves) }
    for (file, moved) in zip(files, put) {
      if file.isEdit {
        trashedEdits[file.asset]?.files.append(moved.file)
        trashedEdits[file.asset]?.date = moved.deleted
      } else {
        trashed[file.asset]?.files.append(moved.file)
        trashed[file.asset]?.date = moved.deleted
      }
    }
  }

  /// Moves files back from the trash: those of assets in groups, and those of edits.
  private mutating func restore(
    _ groups: [[TrashedFile]], of assets: [LocalIdentifier], edits: [[TrashedFile]], in table: LibraryTable,
    _ storage: LibraryStorage, _ trash: DesktopTrash
  ) throws(AssetError) {
    let all = (groups + edits).flatMap(\.self)
    if all.isEmpty { return }
    do throws(TrashError) {
      let moves = try UnfinishedMoves.begin(all, .restoring, in: storage.folder)
      do throws(TrashError) {
        try trash.restore(all)
      } catch {
        moves.end()
        throw error
      }
      unfinished.append(moves)
    } catch {
      throw AssetError(error)
    }
    restored = zip(assets, groups).map { ($0, $1.map(\.original)) }
    returned = all
    let list = table.state.folders
    // The library may name a folder by another place where its disk is mounted.
    var around = Set(Set(returned.map { $0.original.removingLastComponent() }).flatMap(trash.spellings))
    for index in list.present where around.remove(FilePath(bytes: list[index].canonicalPath)) != nil {
      folders.insert(index)
    }
    // A folder that was deleted too is found again from the nearest one around it.
    for var place in around {
      while !place.isEmpty, place.lastComponent != nil {
        place.removeLastComponent()
        guard let index = list.index(of: place.bytes) else { continue }
        folders.insert(index)
        break
      }
    }
  }

  /// Returns the edited files in the trash of each reverted asset.
  /// - Throws: `AssetError` that names an asset of which one is missing: half an edit is none.
  private static func edits(
    of assets: [LocalIdentifier], _ storage: LibraryStorage, _ trash: DesktopTrash
  ) throws(AssetError) -> [[TrashedFile]] {
    let known = storage.trashedFiles(of: assets, edits: true)
    let present = Dictionary(
      trash.list().filter { !$0.isFolder }.map { ($0.file, $0) },
      uniquingKeysWith: { first, _ in first })
    let listedPath = trash.listedPaths()
    var groups: [[TrashedFile]] = []
    for asset in assets {
      let edit = known[asset] ?? TrashedTogether()
      let found = edit.found(in: present, listedPath)
      guard !found.isEmpty, found.count == edit.files.count else {
        throw AssetError(asset.rawValue, "its edit is not in the trash any more", code: .notFound)
      }
      groups.append(found)
    }
    return groups
  }

  /// Returns the files in the trash of each asset, the primary one first.
  ///
  /// Files of an asset that another program has removed from the trash are omitted.
  /// - Throws: `AssetError` that names an asset without files in the trash.
  private static func files(
    of assets: [LocalIdentifier], in table: LibraryTable, _ storage: LibraryStorage, _ trash: DesktopTrash,
    _ recentlyDeleted: RecentlyDeleted?
  ) throws(AssetError) -> [[TrashedFile]] {
    let known = storage.trashedFiles(of: assets)
    // A folder that another program moved there has taken the name of a file: no asset has folders.
    let listed = known.isEmpty ? [] : trash.list().filter { !$0.isFolder }
    let present = Dictionary(listed.map { ($0.file, $0) }, uniquingKeysWith: { first, _ in first })
    let listedPath = trash.listedPaths()
    var groups = assets.map { known[$0]?.found(in: present, listedPath) ?? [] }
    let unknown = groups.indices.filter { groups[$0].isEmpty }
    if !unknown.isEmpty, let found = recentlyDeleted?.files(of: unknown.map { assets[$0] }) {
      for index in unknown { groups[index] = found[assets[index]] ?? [] }
    }
    for (asset, files) in zip(assets, groups) {
      // If another program has restored an asset of the library, what has its old path in the trash is another one.
      guard !files.isEmpty, table.handle(of: asset) == nil else {
        throw AssetError(asset.rawValue, "is not in the trash any more", code: .notFound)
      }
    }
    return groups
  }

  /// Deletes assets in the trash for good, each with all its files.
  /// - Returns: the deleted assets, and the errors of the others.
  /// - Throws: `AssetError` if an asset is not in the trash; nothing is deleted then.
  static func deletePermanently(
    _ assets: [LocalIdentifier], in table: LibraryTable, _ storage: LibraryStorage, trash: DesktopTrash?,
    recentlyDeleted: RecentlyDeleted?
  ) throws(AssetError) -> (deleted: [LocalIdentifier], failures: [AssetError]) {
    guard let trash else { throw AssetError("trash", "this library has no trash", code: .unsupported) }
    let groups = try files(of: assets, in: table, storage, trash, recentlyDeleted)
    // The primary file last: an asset that can't be deleted completely stays in Recently Deleted.
    let errors = trash.erase(groups: groups.map { $0.reversed() })
    return (
      zip(assets, errors).filter { $1 == nil }.map(\.0), errors.compactMap { $0.map { AssetError($0) } }
    )
  }

  /// Moves all files back, because the changes can't be stored.
  /// - Returns: `error`, or if moving back fails, the new error and where the photos are.
  func rollBack(because error: AssetError) -> AssetError {
    var error = error
    do throws(TrashError) {
      try trash?.restore(put)
      // With the dates by which the ledger knows them.
      for (date, files) in Dictionary(grouping: returned, by: \.deleted) {
        try trash?.put(files.map(\.original), deleted: date)
      }
    } catch {
      let place = put.isEmpty ? "the photos are back from the trash" : "the photos are in the trash"
      return AssetError(error.path.displayString, "\(error.reason); \(place)")
    }
    end()
    error.isTransient = false
    return error
  }

  /// Ends the call: the changes are stored, or all files are back.
  func end() { for moves in unfinished { moves.end() } }
}

extension AssetResource {
  /// Whether the file belongs to a user's edit: a rendition, or Apple's description of the edit.
  ///
  /// A sidecar, and the description of the camera's own adjustments, belong to the original.
  fileprivate var isEdit: Bool {
    switch type {
    case .fullSizePhoto, .fullSizeVideo, .fullSizePairedVideo: true
    case .adjustmentData: FileName(filename).part == .adjustment
    default: false
    }
  }
}

extension AssetError {
  fileprivate init(_ error: TrashError) {
    let code: Code =
      switch error {
      case .missing, .gone: .notFound
      case .denied, .readOnly, .untrusted: .accessDenied
      default: .failed
      }
    self.init(error.path.displayString, error.reason, code: code)
  }
}
