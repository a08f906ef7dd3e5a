import AssetLibrary
import Export
import FolderLibrary
import Permissions
import PhotoPicker
import Pixels
import RemoteLibrary
import SystemPackage

/// The library of a run, and its sources.
struct Library {
  let photos: PhotoLibrary
  let request: LibraryRequest
  private let sources: [FilePath]
  /// Folders on servers.
  private let remotes: [ServerAddress]
  /// The named sources that do not exist.
  let missingSources: [AssetError]
  var hasAllSources: Bool { missingSources.isEmpty }
  /// Observes decisions that the user makes in other processes.
  private let permissionWatch: PermissionWatch?
  /// Standard input, if its paths are processed while they arrive.
  private let stream: CandidateStream?

  /// Opens the sources and starts the scan.
  /// - Parameters:
  ///   - follows: whether there is a screen: changes on disk are watched, and paths on standard input are
  ///     processed while they arrive.
  ///   - cacheLimit: the size of the cache of decoded pictures in bytes.
  /// - Throws: `Failure` if no source exists or an allowed path is not an asset.
  init(
    _ request: LibraryRequest, follows: Bool = false, cacheLimit: Int = 24 << 20,
    consent: any ConsentPresenter = NoConsentPresenter()
  ) throws(Failure) {
    try self.init(
      request, follows: follows, cacheLimit: cacheLimit, consent: consent, decision: request.access.decision,
      keeper: request.access.keeper)
  }

  /// Opens the sources for the user to choose the photos that a client may see.
  ///
  /// Stores nothing until the user has chosen.
  /// - Parameter permission: the stored permission of the client.
  init(
    _ request: LibraryRequest, managing permission: ClientPermission, cacheLimit: Int
  ) throws(Failure) {
    var decision = permission.decision
    if decision.readWrite != .limited {
      decision = AccessDecision(readWrite: .limited, addOnly: decision.addOnly)
    }
    try self.init(
      request, follows: true, cacheLimit: cacheLimit, consent: NoConsentPresenter(), decision: decision,
      keeper: nil)
  }

  private init(
    _ request: LibraryRequest, follows: Bool, cacheLimit: Int, consent: any ConsentPresenter,
    decision: AccessDecision, keeper: AccessKeeper?
  ) throws(Failure) {
    self.request = request
    let list = try SourceList(request, streams: follows)
    sources = list.paths
    stream = list.stream
    request.verbosity.report(list.missing)
    missingSources = list.missing
    remotes = list.remotes
    let store = LibraryBackend.open(
      sources, isKept: true, watches: follows, writesSidecars: request.writesSidecars,
      candidates: stream, remotes: list.remotes,
      remoteSettings: request.remotes)
    var decision = decision
    let allowed = try Self.allowed(request.allow, in: store, stream)
    if !allowed.isEmpty {
      decision.allowed = AllowedAssets(allowed, successorFiles: store.successorFiles(of: allowed))
    }
    var record: (@Sendable (AccessDecision) -> Void)?
    if let keeper { record = { keeper.record($0, in: store) } }
    photos = PhotoLibrary(
      // Only the picker shows the same pictures again.
      store, cacheLimit: cacheLimit, keepsThumbnails: follows, decision: decision,
      consentRequest: request.access.consentRequest, consent: consent,
      record: record)
    let access = photos.access
    permissionWatch = follows ? keeper?.follow { access.apply($0) } : nil
  }

  var store: any AssetStore { photos.store }

  /// The sources as bytes, for messages; empty if they come through standard input.
  var shownFolders: [[UInt8]] {
    stream == nil ? sources.map { Array($0.string.utf8) } + remotes.map { Array($0.text.utf8) } : []
  }

  /// The library as the user sees it, with the decision about what the client may see.
  var access: LibraryAccessController { photos.access }

  /// The library as the client sees it.
  var manager: any AssetManager {
    // Not `photos.manager`, which would begin background work before the first screen.
    photos.access.manager
  }

  /// The identifiers of the assets given by `--allow`.
  private static func allowed(
    _ paths: [FilePath], in store: any AssetStore, _ stream: CandidateStream?
  ) throws(Failure) -> Set<LocalIdentifier> {
    if !paths.isEmpty { try waitUntilComplete(store, stream) }
    return Set(try identifiers(of: paths, option: "--allow", in: store, nil))
  }

  /// Removes deleted photos from the client's permission, and warns if the permission could not be stored.
  func endAccess() {
    request.access.keeper?.cleanUp(in: store)
    request.access.keeper?.report()
  }

  /// Waits until the library is complete; with a stream of sources, until after its end.
  /// - Throws: `Failure` if the stream is invalid.
  func waitUntilComplete() throws(Failure) { try Self.waitUntilComplete(store, stream) }

  private static func waitUntilComplete(_ store: any AssetStore, _ stream: CandidateStream?) throws(Failure) {
    store.waitUntilComplete()
    if let failure = stream?.failure { throw Failure(failure) }
  }

  /// Whether no source is on a server.
  var hasOnlyLocalSources: Bool { remotes.isEmpty }

  /// Downloads the originals of picks that exist only on servers, and keeps them, because their paths are
  /// printed.
  /// - Parameter withAllFiles: whether all files of an asset are needed, rather than only the primary one.
  /// - Throws: `Failure` if a download fails.
  func downloadOriginals(of assets: [Asset], withAllFiles: Bool = false) throws(Failure) {
    let (_, failures) = downloadOriginals(ofEach: assets, withAllFiles: withAllFiles, endsAtFailure: true)
    if let failure = failures.first { throw .error("\(failure)") }
  }

  /// Downloads the originals of assets that exist only on servers, and keeps them.
  /// - Parameter endsAtFailure: whether the first failure ends the downloads.
  /// - Returns: the assets whose originals are available, and the errors of the others.
  func downloadOriginals(
    ofEach assets: [Asset], withAllFiles: Bool = false, endsAtFailure: Bool = false
  ) -> (here: [Asset], failures: [AssetError]) {
    if hasOnlyLocalSources { return (assets, []) }
    let wanted = assets.map { asset in
      let resources = asset.presenting(request.version).resources
      return withAllFiles ? resources.filter { $0.byteRange == nil } : Array(resources.prefix(1))
    }
    // First protect what is in the cache: other downloads, in this process or another one, could evict it.
    wanted.joined().forEach(store.hold)
    store.keepOriginals(of: assets.flatMap(\.resources))
    let missing = wanted.joined().filter { !store.isLocal($0) }
    var meter = ExportMeter()
    var state = ExportProgress(
      assetCount: missing.count, byteCount: missing.lazy.map(\.byteCount).saturatedSum())
    defer { meter.clear() }
    var (here, failures): ([Asset], [AssetError]) = ([], [])
    for (asset, resources) in zip(assets, wanted) {
      do throws(AssetError) {
        for resource in resources where !store.isLocal(resource) {
          try store.download(resource) { fraction in
            state.downloaded = Int64(saturating: fraction * Double(resource.byteCount))
            meter.show(state)
            return .proceed
          }
          state.assets += 1
          state.bytes = state.bytes.addingSaturated(resource.byteCount)
          store.keepOriginals(of: [resource])
        }
        here.append(asset)
      } catch {
        failures.append(error)
        if endsAtFailure { break }
      }
    }
    return (here, failures)
  }

  /// Whether the command fails because of `--strict`: something could not be read, or a source is missing.
  /// - Parameter isWhole: whether everything in the sources could be read.
  func failsStrictly(_ isWhole: Bool) -> Bool { request.isStrict && !(isWhole && hasAllSources) }

  /// The error if the sources turned out to be unusable only while the screen was open.
  var failure: Failure { stream?.failure.map(Failure.init) ?? .error("no source can be read") }

  /// Warns once about sources that are missing among the paths on standard input, which arrive while the
  /// screen is open.
  func reportMissing() {
    if let stream { request.verbosity.report(stream.takeMissing()) }
  }

  /// The assets at paths, in the order of the paths; those of one folder are sorted by path.
  ///
  /// A path may also be an identifier. Warns about paths that don't exist or match no photo of the library.
  /// - Throws: `Failure` if no path is left.
  func identifiers(of paths: [FilePath], option: String) throws(Failure) -> [LocalIdentifier] {
    if !paths.isEmpty { try waitUntilComplete() }
    return try Self.identifiers(of: paths, option: option, in: store, request.verbosity)
  }

  /// Requires a complete library, because only then it is known which paths belong to it.
  /// - Parameter verbosity: how missing paths are reported if others exist; nil = each must exist.
  private static func identifiers(
    of paths: [FilePath], option: String, in store: any AssetStore, _ verbosity: Verbosity?
  ) throws(Failure) -> [LocalIdentifier] {
    if paths.isEmpty { return [] }
    var identifiers: [LocalIdentifier] = []
    var issues: [AssetError] = []
    let answers = store.identifiers(at: paths)
    let named = assets(named: zip(paths, answers).filter { (try? $1.get()) == nil }.map(\.0), in: store)
    for (path, answer) in zip(paths, answers) {
      let name = String(decoding: path.bytes, as: UTF8.self)
      switch answer {
      case .failure where named.contains(LocalIdentifier(name)): identifiers.append(LocalIdentifier(name))
      case .failure(let error):
        issues.append(AssetError("\(option): \(Wording.name(error.subject))", error.reason))
      case .success(let found) where found.isEmpty:
        issues.append(AssetError("\(option): \(Wording.name(name))", "no such photo in the library"))
      case .success(let found): identifiers += inOrder(found, store)
      }
    }
    if let verbosity, !identifiers.isEmpty {
      verbosity.report(issues)
    } else if let last = issues.popLast() {
      verbosity?.report(issues)
      throw .error(last.description)
    }
    return identifiers
  }

  /// The assets whose identifiers are among words that are not paths.
  private static func assets(named words: [FilePath], in store: any AssetStore) -> Set<LocalIdentifier> {
    guard !words.isEmpty else { return [] }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let identifiers = words.map { LocalIdentifier(String(decoding: $0.bytes, as: UTF8.self)) }
    return Set(store.assets(withLocalIdentifiers: identifiers, options: options).identifiers)
  }

  /// Returns assets sorted by path.
  private static func inOrder(
    _ found: Set<LocalIdentifier>, _ store: any AssetStore
  ) -> [LocalIdentifier] {
    guard found.count > 1 else { return Array(found) }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let inOrder = store.assets(withLocalIdentifiers: Array(found), options: options)
      .sorted { $0.pathBytes.lexicographicallyPrecedes($1.pathBytes) }.map(\.id)
    return inOrder.isEmpty ? found.sorted() : inOrder
  }

  /// The album with an identifier as printed by `tpick albums`, a folder's path, or a title
  /// (case-insensitive).
  ///
  /// Waits for the scan.
  /// - Throws: `Failure` if there is none, or more than one.
  func album(named word: String?) throws(Failure) -> AssetCollection? {
    guard let word else { return nil }
    try waitUntilComplete()
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let albums = AlbumSearch(manager.fetchCollections(of: .all, options: options)).albums(named: word)
    guard let album = albums.first else {
      throw AlbumSearch.refusalOfDeletedPhotos(word)
        ?? .error("--album: no album is named '\(word)'; tpick albums lists them")
    }
    guard albums.count == 1 else {
      let places = albums.map { $0.path?.string ?? "\($0.localIdentifier.rawValue) (no folder)" }
      throw .error(
        "--album: \(albums.count) albums are named '\(word)'; choose one by its path or identifier: "
          + places.joined(separator: ", "))
    }
    return album
  }

  /// Whether no source could be read; a file counts as read even if it is not a photo.
  private var isUnreadable: Bool {
    let status = store.status
    if status.isUnreadable { return true }
    guard remotes.isEmpty, !sources.isEmpty else { return false }
    // Files that were named individually.
    let issues = Dictionary(status.issues.map { ($0.subject, $0) }, uniquingKeysWith: { first, _ in first })
    return sources.allSatisfy { source in
      guard let issue = issues[String(decoding: source.bytes, as: UTF8.self)] else { return false }
      return issue.isTransient || (try? source.stat().type) == .directory
    }
  }

  /// Ends the command if no source could be read: the contents known from earlier runs may be outdated.
  ///
  /// Call it once the library is complete.
  /// - Parameter allowsKnown: whether contents known from earlier runs are enough.
  /// - Throws: `Failure` with the error of the last source; the others are reported.
  func requireReadable(allowingKnown allowsKnown: Bool = false) throws(Failure) {
    guard isUnreadable else { return }
    let (status, known) = (store.status, manager.libraryStatus.assetCount)
    if allowsKnown, known > 0 { return }
    var issues = status.unreadableSources.isEmpty ? status.issues : status.unreadableSources
    guard let last = issues.popLast() else { throw .error("no source can be read") }
    request.verbosity.report(issues)
    let hint = known > 0 && !remotes.isEmpty ? "; --offline shows what is known of it" : ""
    throw .error(last.description + hint)
  }

  /// Reports unreadable files on standard error, as far as the client may know of them.
  /// - Parameter skipped: files that were read but can't be used.
  /// - Returns: whether there was nothing to report.
  @discardableResult
  func reportIssues(_ skipped: [AssetError] = []) -> Bool {
    let status = manager.libraryStatus
    let issues = status.issues.map(\.description)
    if request.verbosity != .quiet {
      for note in status.notes where !issues.contains(note) { Messages.warn(note) }
    }
    var tally = IssueTally(namesKept: request.verbosity.mostNamed)
    if let stream, manager.authorizationStatus(for: .readWrite) == .authorized { tally = stream.skipped }
    for issue in status.issues + skipped { tally.add(issue) }
    request.verbosity.report(tally)
    return tally.counts.isEmpty
  }
}
