import CodecProtocol

/// What the parts of a scan share: the library that they bring up to date, and what says whether they go on.
struct ScanContext: Sendable {
  let model: LibraryModel
  let identities = IdentityRegistry()
  let storage: LibraryStorage?
  let control = ScanControl()
  let stalls: HelperStalls
  let calls: FolderCalls
  let probes: MountProbes
  /// Reads what files say of themselves.
  let reader: MetadataHelper

  /// Writes what is known of a folder into the index.
  func save(_ folder: Int) {
    guard let storage, !control.isCancelled else { return }
    let page = model.read { state in
      state.folders[folder].isPartial || state.folders[folder].namesOfSource != nil
        ? nil : FolderPage(of: folder, in: state)
    }
    if let page { storage.save(page, pool: model.pool) }
  }

  /// Remembers which files of a page have identifiers that are not their own, wherever they are moved.
  func rememberIdentities(of page: FolderPage) {
    for asset in page.assets where asset.flags.contains(.inherited) {
      let file = page.files[Int(asset.firstFile)]
      identities.remember(
        inode: file.inode, size: file.size, modified: file.modified, as: asset.identifier)
    }
  }
}
