import AssetLibrary
import CPlatform

// A folder known before.
extension FolderVisit {
  /// Compares the files with what is known of them, and looks into those that differ.
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
        // What is known of it stays.
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

  /// Reads the stems that differ anew and keeps the rest.
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
    // An asset of several stems (a Live Photo paired by its content) draws all of them in.
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
    let maker = rowMaker(isElsewhere: { present[$0] != nil })
    let again = names.indices.filter { stems.contains(FileName(names[$0]).stem) }
    // What nobody waits for stays as it is known.
    guard let looks = look(at: groups(of: again)) else { return }
    for findings in looks { maker.add(findings, to: &builder) }
    publish(builder.segment(folder: index), replacesAll: true)
    context.save(index)
  }
}

// Facts that come later.
extension FolderVisit {
  /// Reads assets again with facts that `complete` adds to the findings.
  /// - Returns: what `complete` returned; where it is false nothing changes.
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

  /// Puts assets in the place of others, of the same files, of which less was known.
  ///
  /// What went meanwhile, or is known otherwise, stays as it is.
  /// - Returns: the assets of which all is known now.
  func replace(_ handles: [FetchHandle], with groups: [[FileFinding]]) -> Set<UInt64> {
    let maker = rowMaker(isElsewhere: { _ in false })
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
      return Set(current.assets.lazy.filter { !$0.flags.contains(.provisional) }.map(\.identifier))
    }
    context.model.announce()
    return known
  }
}
