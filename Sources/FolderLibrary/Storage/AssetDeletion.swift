import AssetLibrary
import SystemPackage
import Trash

/// Moves the files of deleted assets to the trash, and those of restored assets back: all of them or none.
struct AssetDeletion {
  /// The paths in the trash of the deleted assets' files.
  private(set) var trashed: [LocalIdentifier: [FilePath]] = [:]
  /// The indexes of the library's folders that files were moved out of or into.
  private(set) var folders: Set<Int> = []
  private let trash: DesktopTrash?
  private var put: [TrashedFile] = []
  private var returned: [FilePath] = []

  /// Moves the files.
  /// - Throws: `AssetError` that names the file that can't be moved; all others are moved back then.
  init(
    _ changes: [AssetChange], in table: LibraryTable, _ storage: LibraryStorage, _ sources: LibrarySources,
    trash: DesktopTrash?
  ) throws(AssetError) {
    self.trash = trash
    var (deleted, restored): ([LocalIdentifier], [LocalIdentifier]) = ([], [])
    for change in changes {
      switch change {
      case .delete(let assets): deleted += assets
      case .restore(let assets): restored += assets
      default: break
      }
    }
    if deleted.isEmpty, restored.isEmpty { return }
    guard let trash else { throw AssetError("trash", "this library has no trash", code: .unsupported) }
    try delete(deleted, in: table, sources, trash)
    do throws(AssetError) {
      try restore(restored, in: table, storage, trash)
    } catch {
      throw rollBack(because: error)
    }
  }

  private mutating func delete(
    _ assets: [LocalIdentifier], in table: LibraryTable, _ sources: LibrarySources, _ trash: DesktopTrash
  ) throws(AssetError) {
    var files: [(asset: LocalIdentifier, path: FilePath)] = []
    var taken: Set<FilePath> = []
    for asset in assets {
      guard let handle = table.handle(of: asset) else { continue }
      let resources = table.element(at: handle).resources
      for resource in resources where resource.byteRange == nil && taken.insert(resource.path).inserted {
        if sources.remotes.contains(where: { resource.path.starts(with: $0.path) }) {
          throw AssetError(resource.subject, "is on a server and can't be deleted", code: .unsupported)
        }
        files.append((asset, resource.path))
      }
      trashed[asset] = []
      folders.insert(table.state.segment(of: handle).folder)
    }
    do throws(TrashError) {
      put = try trash.put(files.map(\.path))
    } catch {
      throw AssetError(error)
    }
    for (file, moved) in zip(files, put) { trashed[file.asset, default: []].append(moved.file) }
  }

  private mutating func restore(
    _ assets: [LocalIdentifier], in table: LibraryTable, _ storage: LibraryStorage, _ trash: DesktopTrash
  ) throws(AssetError) {
    if assets.isEmpty { return }
    let known = storage.trashedFiles(of: assets)
    let present = Dictionary(trash.list().map { ($0.file, $0) }, uniquingKeysWith: { first, _ in first })
    var files: [TrashedFile] = []
    for asset in assets {
      let paths = known[asset] ?? []
      let found = paths.compactMap { present[$0] }
      guard !paths.isEmpty, found.count == paths.count else {
        throw AssetError(asset.rawValue, "is not in the trash any more", code: .notFound)
      }
      files += found
    }
    do throws(TrashError) {
      try trash.restore(files)
    } catch {
      throw AssetError(error)
    }
    returned = files.map(\.original)
    let around = Set(returned.map { $0.removingLastComponent().bytes })
    for index in table.state.folders.present where around.contains(table.state.folders[index].canonicalPath) {
      folders.insert(index)
    }
  }

  /// Moves all files back, because the changes can't be stored.
  /// - Returns: `error`, or if moving back fails, the new error and where the photos are.
  func rollBack(because error: AssetError) -> AssetError {
    var error = error
    do throws(TrashError) {
      try trash?.restore(put)
      if !returned.isEmpty { try trash?.put(returned) }
    } catch {
      let place = put.isEmpty ? "the photos are back from the trash" : "the photos are in the trash"
      return AssetError(error.path.displayString, "\(error.reason); \(place)")
    }
    error.isTransient = false
    return error
  }
}

extension AssetError {
  fileprivate init(_ error: TrashError) { self.init(error.path.displayString, error.reason) }
}
