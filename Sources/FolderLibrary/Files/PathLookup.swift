import AssetLibrary
import SystemPackage

/// Finds the assets of a library that a path on disk stands for.
struct PathLookup {
  private let table: LibraryTable

  init(_ table: LibraryTable) {
    self.table = table
  }

  func identifiers(at path: FilePath) -> Set<LocalIdentifier> {
    if path.isFolder { return identifiers(below: path) }
    let named = identifiers(ofFile: path)
    // A link may lead into the library where it is not part of it itself.
    return named.isEmpty ? path.resolved.map(identifiers(ofFile:)) ?? [] : named
  }

  private func identifiers(ofFile path: FilePath) -> Set<LocalIdentifier> {
    let parent = path.removingLastComponent()
    guard let folder = (parent.isEmpty ? FilePath(".") : parent).resolved?.bytes else { return [] }
    let name = path.nameBytes
    // The folder itself, and what was named of it one by one.
    var found: Set<LocalIdentifier> = []
    for index in [folder, folder + [0]].compactMap(table.state.folders.index) {
      for handle in table.state.contents(of: index) {
        let segment = table.state.segment(of: handle)
        let row = segment.assets[handle.row]
        if segment.files(of: row).contains(where: { segment.name(of: $0).elementsEqual(name) }) {
          found.insert(LocalIdentifier(number: row.identifier))
        }
      }
    }
    return found
  }

  private func identifiers(below path: FilePath) -> Set<LocalIdentifier> {
    guard let root = path.resolved?.bytes else { return [] }
    let prefix = root.last == UInt8(ascii: "/") ? root : root + [UInt8(ascii: "/")]
    var inside: Set<Int> = []
    // A folder is always later in the list than the one around it; a linked one belongs to where its link is.
    for index in table.state.folders.present {
      let folder = table.state.folders[index]
      if folder.canonicalPath == root || folder.canonicalPath.starts(with: prefix)
        || folder.parent.map(inside.contains) ?? false
      {
        inside.insert(index)
      }
    }
    return Set(
      table.state.order.filter { inside.contains(table.state.segment(of: $0).folder) }
        .map(table.identifier(at:)))
  }
}
