import AssetLibrary
import FolderLibrary
import PhotoPicker
import Rclone
import Results
import SystemPackage

/// What is told of single files and of those that belong to them.
struct InfoLibrary {
  private let store: any AssetStore
  private let albums: [LocalIdentifier: [AssetRecord.Album]]
  private var identifiers: [FilePath: LocalIdentifier] = [:]
  private var problems: [String: String] = [:]

  /// Reads the files.
  init(_ words: [SourceWord]) {
    let files = words.compactMap(\.paths.first).filter { (try? Self.check($0)) != nil }
    self.init(files, RemoteAddress.outermost(words.compactMap(\.remote)))
  }

  private init(_ files: [FilePath], _ remotes: [RemoteAddress] = []) {
    store = LibraryBackend.open(files, isKept: true, includesPartners: true, remotes: remotes)
    store.waitUntilComplete()
    let files = files + remotes.map { FilePath($0.text) }
    for note in store.status.notes { Messages.warn(note) }
    albums = RecordReader(store).albums()
    for (path, found) in zip(files, store.identifiers(at: files)) {
      if let identifier = (try? found.get())?.first { identifiers[path] = identifier }
    }
    for issue in store.status.issues where problems[issue.subject] == nil {
      problems[issue.subject] = issue.reason
    }
  }

  /// What is told of a file.
  /// - Throws: `Failure` if it is no photo or video.
  func record(of word: SourceWord) throws(Failure) -> AssetRecord {
    if let remote = word.remote { return try record(of: remote) }
    guard let path = word.paths.first else { throw .error(word.issue?.description ?? "") }
    try Self.check(path)
    let record = try record(of: path)
    // A file that is named in another spelling of its folder, too, is told in each.
    guard record.asset.resources.contains(where: { $0.path == path }) else {
      return try InfoLibrary([path]).record(of: path)
    }
    return record
  }

  private func record(of remote: RemoteAddress) throws(Failure) -> AssetRecord {
    let name = remote.publicText
    if problems[name] == nil, identifiers[FilePath(remote.text)] == nil, let issue = store.status.issues.first
    {
      throw .error(issue.description)
    }
    return try record(of: FilePath(remote.text), called: name)
  }

  private func record(of path: FilePath, called name: String? = nil) throws(Failure) -> AssetRecord {
    let name = name ?? String(decoding: path.bytes, as: UTF8.self)
    do throws(AssetError) {
      var options = FetchOptions()
      options.includeHiddenAssets = true
      guard let identifier = identifiers[path],
        let asset = store.assets(withLocalIdentifiers: [identifier], options: options).first
      else { throw AssetError(name, problems[name] ?? "not a picture or video") }
      if let defect = asset.defect { throw AssetError(name, defect) }
      return AssetRecord(asset, details: try store.details(of: asset), albums: albums[asset.id] ?? [])
    } catch {
      throw .error("\(error)")
    }
  }

  /// - Throws: `Failure` for what is no file, or does not answer.
  private static func check(_ path: FilePath) throws(Failure) {
    let name = String(decoding: path.bytes, as: UTF8.self)
    guard MountProbes.shared.answers(path) else { throw .error("\(Wording.name(name)): does not answer") }
    let type: FileType
    do {
      type = try path.stat().type
    } catch {
      throw .error("\(Wording.name(name)): \(error)")
    }
    if type == .directory { throw .error("\(name): is a folder; tpick list prints the files in it") }
  }
}
