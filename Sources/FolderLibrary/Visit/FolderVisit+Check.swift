import AssetLibrary
import CPlatform
import SystemPackage

// Visits to a known folder.
extension FolderVisit {
  /// Compares the files with the known ones and reads those that differ.
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
      do throws(AssetError) {
        try check(file, .status)
      } catch {
        // The file keeps its data.
        context.model.change { $0.issues[index, default: []].append(error) }
        continue
      }
      guard let status = names.withCString(file, { folder.status(of: $0) }) else {
        if let before { gone.append(before) }
        continue
      }
      statuses[status.inode] = file
      if let before, before.file.isSame(status) {
        continue
      }
      changed.append(file)
    }
    gone += known[next...]
    if changed.isEmpty, gone.isEmpty { return }
    update(changed: changed, gone: gone, present: statuses)
  }

  /// Reads the stems with differences again and keeps all others.
  private func update(changed: [Int], gone: [KnownFile], present: [UInt64: Int]) {
    var stems = Set(changed.map { FileName(names[$0]).stem } + gone.map { FileName($0.name).stem })
    let assets = context.model.read { state in
      state.contents(of: index).map { handle in
        let segment = state.segment(of: handle)
        return (segment: segment, row: segment.assets[handle.row])
      }
    }
    let stemsOfAssets = assets.map { segment, row in
      Set(segment.files(of: row).map { FileName(segment.name(of: $0)).stem })
    }
    // An asset with several stems (a Live Photo paired by content identifier) includes all of them.
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
    let maker = rowMaker(isPresentInode: { present[$0] != nil })
    let again = names.indices.filter { stems.contains(FileName(names[$0]).stem) }
    // If cancelled, the folder keeps its data.
    guard let looks = look(at: groups(of: again)) else { return }
    for findings in looks { maker.add(findings, to: &builder) }
    publish(builder.segment(folder: index), replacesAll: true)
    context.save(index)
  }
}

// Metadata that arrives later.
extension FolderVisit {
  /// Reads assets again, with metadata that `complete` adds to the findings.
  /// - Returns: the result of `complete`; if it is false, nothing changes.
  func describe(replacing handles: [FetchHandle], _ complete: (inout [FileFinding]) -> Bool) -> Bool {
    guard var groups = look(at: groups(of: names.indices)) else { return false }
    var all = groups.flatMap { $0 }
    guard complete(&all) else { return false }
    var next = 0
    for index in groups.indices {
      let count = groups[index].count
      groups[index] = Array(all[next..<next + count])
      next += count
    }
    _ = replace(handles, with: groups)
    return true
  }

  /// Replaces assets by ones of the same files with more metadata.
  ///
  /// Assets that have changed or disappeared in the meantime are left alone.
  /// - Returns: the assets that are now fully known.
  func replace(_ handles: [FetchHandle], with groups: [[FileFinding]]) -> Set<UInt64> {
    let maker = rowMaker(isPresentInode: { _ in false })
    var builder = SegmentBuilder()
    for findings in groups { maker.add(findings, to: &builder) }
    let known = change(by: [builder.segment(folder: index)]) { state, segments -> Set<UInt64> in
      let segment = segments[0]
      let replaced = handles.filter { handle in
        guard let before = state.segments[handle.segment] else { return false }
        return state.handles[before.assets[handle.row].identifier] == handle
      }
      var current = segment
      if replaced.count != handles.count {
        let names = Set(
          replaced.flatMap { handle -> [ArraySlice<UInt8>] in
            let before = state.segment(of: handle)
            return before.files(of: before.assets[handle.row]).map(before.name(of:))
          })
        current = segment.assets(ofFiles: names)
      }
      let refused = state.replace(replaced, with: current)
      state.add(ownIdentity(of: refused, in: current))
      if current.assets.contains(where: { $0.contentIdentifier != 0 }) {
        state.setNeedsPairing(true, folder: index)
      }
      return Set(current.assets.lazy.filter { !$0.flags.contains(.unread) }.map(\.identifier))
    }
    context.model.announce()
    return known
  }
}

// Adding results to the library.
extension FolderVisit {
  func publish(_ segment: Segment, replacesAll: Bool) {
    let index = segment.folder
    change(by: [segment]) { state, segments in
      let segment = segments[0]
      state.setRead(folder: index)
      let refused = replacesAll ? state.replaceContents(of: index, with: segment) : state.add(segment)
      state.add(ownIdentity(of: refused, in: segment))
      if segment.assets.contains(where: { $0.contentIdentifier != 0 }) {
        state.setNeedsPairing(true, folder: index)
      }
    }
    context.model.announce()
  }

  /// Replaces some assets by segments in one change, so that no asset is missing in between.
  /// - Returns: the segments as added.
  func publish(_ segments: [Segment], replacing handles: Set<FetchHandle>) -> [Segment] {
    if handles.isEmpty, segments.allSatisfy(\.assets.isEmpty) { return [] }
    let added = change(by: segments) { state, segments in
      for handle in handles { state.remove(handle) }
      var added: [Segment] = []
      for segment in segments {
        state.setRead(folder: segment.folder)
        let again = ownIdentity(of: state.add(segment), in: segment)
        state.add(again)
        added += [segment, again]
        if segment.assets.contains(where: { $0.contentIdentifier != 0 }) {
          state.setNeedsPairing(true, folder: segment.folder)
        }
      }
      return added
    }
    context.model.announce()
    return added
  }

  /// Changes the library by segments, after resolving conflicts with assets of other folders.
  ///
  /// Other folders may be read at the same time. If one of them has conflicting assets that were not
  /// examined, the conflicts are resolved again.
  func change<Result>(by segments: [Segment], _ body: (inout LibraryState, [Segment]) -> Result) -> Result {
    while true {
      let resolved = segments.map(resolveConflicts)
      let result = context.model.change { state -> Result? in
        guard zip(segments, resolved).allSatisfy({ state.hasOnly($1.asked, inConflictWith: $0) }) else {
          return nil
        }
        for handle in resolved.flatMap(\.superseded) { state.remove(handle) }
        return body(&state, resolved.map(\.segment))
      }
      if let result { return result }
    }
  }

  /// Resolves conflicts with assets of other folders that have the same identifiers.
  ///
  /// If the other asset's file is gone, the file was moved, and the asset here replaces the other one. If
  /// both are the same file, the asset stays where it was found first. If they are two files, the asset here
  /// gets a new identifier.
  /// - Returns: the assets to add, the assets of other folders that they replace, and all assets that were
  ///   examined.
  private func resolveConflicts(
    of segment: Segment
  ) -> (segment: Segment, superseded: [FetchHandle], asked: Set<FetchHandle>) {
    struct Conflict {
      var row: Int
      var handle: FetchHandle
      var path: FilePath
      var inode: UInt64
      var givesWay: Bool
    }
    let conflicts = context.model.read { state in
      segment.assets.indices.compactMap { row -> Conflict? in
        guard let handle = state.handles[segment.assets[row].identifier] else { return nil }
        let other = state.segment(of: handle)
        guard other.folder != segment.folder else { return nil }
        // Data of this folder from the index gives way to individually named files.
        let givesWay =
          state.folders[segment.folder].isPartial && !state.folders[other.folder].isPartial
          && state.folders[segment.folder].identity == state.folders[other.folder].identity
        let file = other.files(of: other.assets[handle.row]).first
        guard let file else { return nil }
        return Conflict(
          row: row, handle: handle,
          path: state.folders[other.folder].path.appendingName(other.name(of: file)),
          inode: file.inode, givesWay: givesWay)
      }
    }
    guard !conflicts.isEmpty else { return (segment, [], []) }
    var superseded: [FetchHandle] = []
    var assets = segment.assets
    for conflict in conflicts {
      // A file that can't be checked counts as existing.
      let isThere =
        !context.probes.answers(conflict.path)
        || (try? conflict.path.stat()).map { UInt64($0.inode.rawValue) } == conflict.inode
      if !isThere || conflict.givesWay {
        superseded.append(conflict.handle)
      } else if let file = segment.files(of: assets[conflict.row]).first, file.inode != conflict.inode {
        giveOwnIdentity(to: &assets[conflict.row], file, in: segment)
      }
    }
    return (
      Segment(folder: segment.folder, assets: assets, files: segment.files, names: segment.names), superseded,
      Set(conflicts.map(\.handle))
    )
  }

  /// Returns a segment of the given rows with new identifiers, because other assets have theirs.
  private func ownIdentity(of rows: [Int], in segment: Segment) -> Segment {
    var builder = SegmentBuilder()
    for row in rows {
      var asset = segment.assets[row]
      guard let file = segment.files(of: asset).first else { continue }
      giveOwnIdentity(to: &asset, file, in: segment)
      builder.add(asset, from: segment)
    }
    return builder.segment(folder: segment.folder)
  }

  private func giveOwnIdentity(to asset: inout AssetRow, _ file: FileRow, in segment: Segment) {
    let hash = LedgerEntry.hash(of: folder.path(of: segment.name(of: file)).bytes)
    asset.identifier = IdentityRegistry.mix(IdentityRegistry.mix(asset.identifier, hash), file.inode)
    asset.flags.insert(.inherited)
    context.identities.remember(
      inode: file.inode, size: file.size, modified: file.modified, as: asset.identifier)
  }
}

extension LibraryState {
  /// Whether only the given assets of other folders share identifiers with a segment.
  fileprivate func hasOnly(_ asked: Set<FetchHandle>, inConflictWith segment: Segment) -> Bool {
    segment.assets.allSatisfy { asset in
      guard let handle = handles[asset.identifier], !asked.contains(handle) else { return true }
      let other = self.segment(of: handle)
      return other.folder == segment.folder || other.files(of: other.assets[handle.row]).isEmpty
    }
  }
}
