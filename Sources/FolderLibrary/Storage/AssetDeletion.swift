import AssetLibrary
import SystemPackage
import Trash

/// Moves the files of deleted assets and edits to the trash, and those of restored ones back: all of them or none.
struct AssetDeletion {
  /// The paths in the trash of the deleted assets' files.
  private(set) var trashed: [LocalIdentifier: [FilePath]] = [:]
  /// The paths in the trash of the edited files of reverted assets.
  private(set) var trashedEdits: [LocalIdentifier: [FilePath]] = [:]
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
    var (reverted, edited): ([LocalIdentifier], [LocalIdentifier]) = ([], [])
    for change in changes {
      switch change {
      case .delete(let assets): deleted += assets
      case .restore(let assets): restored += assets
      case .revertToOriginal(let assets): reverted += assets
      case .restoreEdits(let assets): edited += assets
      default: break
      }
    }
    if deleted.isEmpty, restored.isEmpty, reverted.isEmpty, edited.isEmpty { return }
    guard let trash else { throw AssetError("trash", "this library has no trash") }
    try delete(deleted, editsOf: reverted, in: table, sources, trash)
    do throws(AssetError) {
      let known = storage.trashedFiles(of: restored)
      let knownEdits = storage.trashedFiles(of: edited, edits: true)
      try restore(restored.map { known[$0] ?? [] }, named: restored, in: table, trash)
      try restore(edited.map { knownEdits[$0] ?? [] }, named: edited, in: table, trash)
    } catch {
      throw rollBack(because: error)
    }
  }

  private mutating func delete(
    _ assets: [LocalIdentifier], editsOf reverted: [LocalIdentifier], in table: LibraryTable,
    _ sources: LibrarySources, _ trash: DesktopTrash
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
          throw AssetError(resource.subject, "is on a server and can't be deleted")
        }
        files.append((asset, isEdit, resource.path))
      }
      if isEdit { trashedEdits[asset] = [] } else { trashed[asset] = [] }
      folders.insert(table.state.segment(of: handle).folder)
    }
    do throws(TrashError) {
      put = try trash.put(files.map(\.path))
    } catch {
      throw AssetError(error)
    }
    for (file, moved) in zip(files, put) {
      if file.isEdit {
        trashedEdits[file.asset, default: []].append(moved.file)
      } else {
        trashed[file.asset, default: []].append(moved.file)
      }
    }
  }

  /// - Parameters:
  ///   - known: the paths in the trash of each asset's files.
  ///   - assets: the assets, for the error.
  private mutating func restore(
    _ known: [[FilePath]], named assets: [LocalIdentifier], in table: LibraryTable, _ trash: DesktopTrash
  ) throws(AssetError) {
    if assets.isEmpty { return }
    let present = Dictionary(trash.list().map { ($0.file, $0) }, uniquingKeysWith: { first, _ in first })
    var files: [TrashedFile] = []
    for (asset, paths) in zip(assets, known) {
      let found = paths.compactMap { present[$0] }
      guard !paths.isEmpty, found.count == paths.count else {
        throw AssetError(asset.rawValue, "is not in the trash any more")
      }
      files += found
    }
    do throws(TrashError) {
      try trash.restore(files)
    } catch {
      throw AssetError(error)
    }
    returned += files.map(\.original)
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

extension AssetResource {
  /// Whether the file belongs to a user's edit: a rendition, or Apple's description of the edit.
  ///
  /// A sidecar, and the description of the camera's own adjustments, belong to the original.
  fileprivate var isEdit: Bool {
    switch type {
    case .fullSizePhoto, .fullSizeVideo: true
    case .adjustmentData: FileName(filename).part == .adjustment
    default: false
    }
  }
}

extension AssetError {
  fileprivate init(_ error: TrashError) { self.init(error.path.displayString, error.reason) }
}
