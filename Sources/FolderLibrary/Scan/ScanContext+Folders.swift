import AssetLibrary
import SystemPackage

// Folders become known.
extension ScanContext {
  /// Makes a folder known, by what the index has of it where it is new to this run.
  /// - Returns: the index of the folder.
  func register(
    _ folder: OpenFolder, parent: Int?, depth: Int, isHidden: Bool, isPartial: Bool = false
  ) -> Int {
    let canonical = ((folder.path.isEmpty ? FilePath(".") : folder.path).resolved ?? folder.path).bytes
    var new = LibraryFolder(
      path: folder.path, canonicalPath: canonical, identity: folder.identity, parent: parent, depth: depth,
      isHidden: isHidden, isPartial: isPartial)
    let isKnown = model.read { $0.folders.index(of: new.key) != nil }
    let page = isKnown || isPartial ? nil : storage?.page(of: canonical, pool: model.pool)
    if let page { rememberIdentities(of: page) }
    let wasCompleted = !isKnown && parent == nil && storage?.wasCompleted(canonical) ?? false
    return model.change { state in
      new.isFirstIndexed =
        control.isFirstPass && (parent.map { state.folders[$0].isFirstIndexed } ?? !wasCompleted)
      let index = state.add(new)
      if let page {
        state.setRead(folder: index)
        state.add(page.segment(folder: index))
      }
      return index
    }
  }

  /// Makes known what the index has of the sources, before anything is looked at.
  func loadIndex(of sources: LibrarySources) { loadIndex(below: sources.folders) }

  /// Makes known what the index has of folders and of all below them.
  func loadIndex(below folders: [FilePath]) {
    guard let storage else { return }
    for source in folders {
      guard probes.answers(source, within: MountProbes.shortPatience), let root = source.resolved?.bytes
      else { continue }
      // Another tpick may be at its first look at the same library, and have written a part of it.
      let isFirst = !storage.wasCompleted(root)
      storage.readPages(below: root, pool: model.pool) { pages in
        for page in pages { rememberIdentities(of: page) }
        model.change { state in
          for page in pages { state.add(page, of: source, root: root, isFirst: isFirst) }
        }
      }
    }
    // At once: the next announcement may be a while off.
    model.announce(now: true)
  }
}

extension LibraryState {
  /// Adds a folder of a source as the index knows it.
  fileprivate mutating func add(
    _ page: FolderPage, of source: FilePath, root: [UInt8], isFirst: Bool
  ) {
    let below = page.canonicalPath.dropFirst(root.count).drop { $0 == UInt8(ascii: "/") }
    let slash = page.canonicalPath.lastIndex(of: UInt8(ascii: "/")) ?? 0
    var known = LibraryFolder(
      path: below.isEmpty ? source : source.appendingName(below), canonicalPath: page.canonicalPath,
      identity: page.identity,
      parent: below.isEmpty ? nil : folders.index(of: Array(page.canonicalPath[..<max(1, slash)])),
      depth: below.isEmpty ? 0 : below.split(separator: UInt8(ascii: "/")).count, isHidden: page.isHidden)
    guard folders.index(of: known.key) == nil else { return }
    known.isFirstIndexed = isFirst
    let index = add(known)
    setRead(folder: index)
    if !page.files.isEmpty { add(page.segment(folder: index)) }
  }
}
