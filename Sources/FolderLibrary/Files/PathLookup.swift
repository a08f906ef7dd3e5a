import AssetLibrary
import SystemPackage

/// Finds the assets of a library that paths on disk stand for.
///
/// What it works out of the library at one moment is kept for the next path: thousands may be asked about.
final class PathLookup {
  private let table: LibraryTable
  private lazy var folders = FolderTree(table.state.folders)
  /// The assets of the folders that were asked about, by the names of their files.
  private var names: [Int: [ArraySlice<UInt8>: [LocalIdentifier]]] = [:]
  private var resolvedFolders: [FilePath: [UInt8]] = [:]

  init(_ table: LibraryTable) {
    self.table = table
  }

  /// - Throws: `AssetError` when there is no such path, or it does not answer.
  func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier> {
    try MountProbes.shared.check(path)
    guard let type = path.fileType else { throw AssetError(path: path, Errno.noSuchFileOrDirectory) }
    if type == .directory { return identifiers(below: path) }
    let named = identifiers(ofFile: path)
    // A link may lead into the library where it is not part of it itself.
    return named.isEmpty ? path.resolved.map(identifiers(ofFile:)) ?? [] : named
  }

  private func identifiers(ofFile path: FilePath) -> Set<LocalIdentifier> {
    let parent = path.removingLastComponent()
    guard let folder = resolved(parent.isEmpty ? FilePath(".") : parent) else { return [] }
    // The folder itself, and what was named of it one by one.
    return Set(folders.indexes(of: folder).flatMap { assets(in: $0)[path.nameBytes[...]] ?? [] })
  }

  private func resolved(_ folder: FilePath) -> [UInt8]? {
    if let known = resolvedFolders[folder] { return known }
    let bytes = folder.resolved?.bytes
    resolvedFolders[folder] = bytes
    return bytes
  }

  /// The assets of a folder by the names of their files.
  private func assets(in folder: Int) -> [ArraySlice<UInt8>: [LocalIdentifier]] {
    if let known = names[folder] { return known }
    var found: [ArraySlice<UInt8>: [LocalIdentifier]] = [:]
    for handle in table.state.contents(of: folder) {
      let segment = table.state.segment(of: handle)
      let row = segment.assets[handle.row]
      for file in segment.files(of: row) where !file.isEmbedded {
        found[segment.name(of: file), default: []].append(LocalIdentifier(number: row.identifier))
      }
    }
    names[folder] = found
    return found
  }

  /// The assets of a file or folder of a server, by the path that it has here once it is brought.
  func identifiers(atRemote path: FilePath) -> Set<LocalIdentifier> {
    let parent = path.removingLastComponent()
    let remote = table.state.folders.present.filter { table.state.folders[$0].isRemote }
    let below = remote.filter { table.state.folders[$0].path.starts(with: path) }
    if !below.isEmpty {
      return Set(below.flatMap { table.state.contents(of: $0).map(table.identifier(at:)) })
    }
    let around = remote.filter { table.state.folders[$0].path == parent }
    return Set(around.flatMap { assets(in: $0)[path.nameBytes[...]] ?? [] })
  }

  private func identifiers(below path: FilePath) -> Set<LocalIdentifier> {
    guard let root = path.resolved?.bytes else { return [] }
    return Set(
      folders.withDescendants(folders.indexes(below: root)).flatMap { folder in
        table.state.contents(of: folder).map(table.identifier(at:))
      })
  }
}
