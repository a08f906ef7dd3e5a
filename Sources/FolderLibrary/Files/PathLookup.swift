import AssetLibrary
import SystemPackage

/// Finds the assets of paths on disk.
///
/// Caches what it computes from the library, since thousands of paths may be looked up.
final class PathLookup {
  private let table: LibraryTable
  private lazy var folders = FolderTree(table.state.folders)
  /// The assets of folders looked up so far, by file name.
  private var names: [Int: [ArraySlice<UInt8>: [LocalIdentifier]]] = [:]
  private var resolvedFolders: [FilePath: [UInt8]] = [:]

  init(_ table: LibraryTable) {
    self.table = table
  }

  /// - Throws: `AssetError` if the path doesn't exist or doesn't respond.
  func identifiers(at path: FilePath) throws(AssetError) -> Set<LocalIdentifier> {
    try MountProbes.shared.check(path)
    guard let type = path.fileType else { throw AssetError(path: path, Errno.noSuchFileOrDirectory) }
    if type == .directory { return identifiers(below: path) }
    let named = identifiers(ofFile: path)
    // A link outside the library may lead into it.
    return named.isEmpty ? path.resolved.map(identifiers(ofFile:)) ?? [] : named
  }

  private func identifiers(ofFile path: FilePath) -> Set<LocalIdentifier> {
    let parent = path.removingLastComponent()
    guard let folder = resolved(parent.isEmpty ? FilePath(".") : parent) else { return [] }
    // Includes the entries of files that were named individually.
    return Set(folders.indexes(of: folder).flatMap { assets(in: $0)[path.nameBytes[...]] ?? [] })
  }

  private func resolved(_ folder: FilePath) -> [UInt8]? {
    if let known = resolvedFolders[folder] { return known }
    let bytes = folder.resolved?.bytes
    resolvedFolders[folder] = bytes
    return bytes
  }

  /// Returns the assets of a folder by file name.
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

  /// Returns the assets of a remote file or folder, by the local path that it has after a download.
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

/// The library's folders as a tree, and sorted by resolved path.
///
/// Computed once.
private struct FolderTree: Sendable {
  /// The present folders, sorted by the bytes of their resolved paths with a trailing slash.
  private let sorted: [(path: [UInt8], index: Int)]
  private let children: [Int: [Int]]

  init(_ folders: FolderList) {
    let present = folders.present
    sorted = present.map { (Self.prefix(folders[$0].canonicalPath), $0) }
      .sorted { $0.0 == $1.0 ? $0.1 < $1.1 : $0.0.lexicographicallyPrecedes($1.0) }
    children = Dictionary(grouping: present.filter { folders[$0].parent != nil }) { folders[$0].parent ?? 0 }
  }

  private static func prefix(_ path: [UInt8]) -> [UInt8] {
    path.last == UInt8(ascii: "/") ? path : path + [UInt8(ascii: "/")]
  }

  /// Returns the folders with a resolved path: the walked one, and those of individually named files.
  func indexes(of path: [UInt8]) -> [Int] {
    let prefix = Self.prefix(path)
    return sorted[first(notBefore: prefix)...].prefix { $0.path == prefix }.map(\.index)
  }

  /// Returns the folders at a resolved path and below it.
  func indexes(below path: [UInt8]) -> [Int] {
    let prefix = Self.prefix(path)
    return sorted[first(notBefore: prefix)...].prefix { $0.path.starts(with: prefix) }.map(\.index)
  }

  /// Adds all folders below the given ones in the library.
  ///
  /// A linked folder is below the folder that contains its link.
  func withDescendants(_ folders: some Sequence<Int>) -> Set<Int> {
    var found = Set(folders)
    var pending = Array(found)
    while let folder = pending.popLast() {
      for child in children[folder] ?? [] where found.insert(child).inserted { pending.append(child) }
    }
    return found
  }

  private func first(notBefore path: [UInt8]) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].path.lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
