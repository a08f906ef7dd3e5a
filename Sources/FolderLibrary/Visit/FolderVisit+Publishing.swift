import AssetLibrary
import SystemPackage

// What was found becomes part of the library.
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

  /// Puts segments in the place of some assets, all in one change: none of them is missing in between.
  /// - Returns: the segments as they were added.
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

  /// Changes the library by segments whose conflicts with assets of other folders are resolved.
  ///
  /// Those folders may be read at the same time: where one has assets by now that were not asked about, all are asked again.
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

  /// Resolves conflicts with assets of other folders that have the same identifiers: a file that moved keeps its
  /// identifier, one that is there twice stays the asset that it was first, and any other gets a new identifier.
  /// - Returns: the assets as they are to be added, those of other folders whose place they take, and all that were asked
  ///   about.
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
        // What the index knows of the folder gives way to files that were named one by one.
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
      // One that can't be looked for is still there.
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

  /// Rows again with identifiers of their own, because assets that were added in the meantime have theirs.
  func ownIdentity(of rows: [Int], in segment: Segment) -> Segment {
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
  /// Whether no assets of other folders but these have identifiers of a segment.
  fileprivate func hasOnly(_ asked: Set<FetchHandle>, inConflictWith segment: Segment) -> Bool {
    segment.assets.allSatisfy { asset in
      guard let handle = handles[asset.identifier], !asked.contains(handle) else { return true }
      let other = self.segment(of: handle)
      return other.folder == segment.folder || other.files(of: other.assets[handle.row]).isEmpty
    }
  }
}
