import AssetLibrary
import CPlatform

// Who the assets are.
extension FolderVisit {
  /// - Parameter isElsewhere: whether an inode is found in the folder now, under whatever name.
  func rowMaker(isElsewhere: @escaping (UInt64) -> Bool) -> RowMaker {
    let canonicalPath = context.model.read { $0.folders[index].canonicalPath }
    return RowMaker(
      pool: PooledTexts(context.model.pool), names: names, folder: StableHash.hash(canonicalPath)
    ) { [self] finding in
      identity(of: finding, isElsewhere: isElsewhere)
    }
  }

  private func identity(of finding: FileFinding, isElsewhere: (UInt64) -> Bool) -> AssetIdentity {
    let before = knownAsset(named: names[finding.index])
    if let before, before.inode == finding.status.inode {
      if before.identity.isInherited {
        context.identities.remember(finding.status, as: before.identity.identifier)
      }
      return before.identity
    }
    let recorded = ledger[LedgerEntry.hash(of: names[finding.index])]
    // A file that went on under another name took its identity along. What was removed from a folder does not
    // come back as another file of its name, as cameras count from 1 again: the ledger speaks for the lost index.
    let previous =
      before.flatMap { isElsewhere($0.inode) ? nil : $0.identity.identifier }
      ?? (wasRead ? nil : recorded?.identifier)
    let isShared = finding.status.link_count > 1 || names.isLink(finding.index)
    let model = context.model
    let linkHash = isShared ? folder.path(of: names[finding.index]).canonicalNameHash : nil
    let identifier = context.identities.identifier(
      of: finding.status, linkHash: linkHash, previous: previous,
      isKnown: { key in model.read { $0.handles[key] != nil } })
    // What is remembered of the name is the first-seen date of the file that bore it.
    let remembered = recorded.flatMap { $0.identifier == identifier ? $0.added : nil }
    // In a library that is opened for the first time nothing was seen before: nobody need be asked.
    let seen = (isFirstIndexed ? nil : model.read { $0.firstSeen(identifier) }) ?? remembered
    return AssetIdentity(
      identifier: identifier, added: seen ?? firstSight(of: finding.status),
      isInherited: identifier != IdentityRegistry.key(of: finding.status, linkHash: linkHash))
  }

  /// What lies in a library that is opened for the first time is not new to its user: it came when the file came.
  private func firstSight(of status: file_status) -> Int64 {
    let now = AssetDate.nowInUTC.wallSeconds
    guard isFirstIndexed else { return now }
    return min(now, (status.born != 0 ? status.born : status.modified) / 1_000_000_000)
  }

  private func knownAsset(named name: ArraySlice<UInt8>) -> (inode: UInt64, identity: AssetIdentity)? {
    var (low, high) = (0, known.count)
    while low < high {
      let middle = (low + high) / 2
      if known[middle].name.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
    }
    guard low < known.count, known[low].name.elementsEqual(name), let handle = known[low].asset else {
      return nil
    }
    let row = known[low].segment.assets[handle.row]
    // The other files of an asset are assets of their own once they part from it.
    guard let first = known[low].segment.files(of: row).first,
      known[low].segment.name(of: first).elementsEqual(name)
    else { return nil }
    let identity = AssetIdentity(
      identifier: row.identifier, added: row.added, isInherited: row.flags.contains(.inherited))
    return (known[low].file.inode, identity)
  }
}
