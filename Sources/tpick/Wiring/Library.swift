import AssetLibrary
import FolderLibrary
import Imaging
import SystemPackage

/// The library of a run: store, image pipeline and asset manager.
struct Library {
  let store: any AssetStore
  let images: ImagePipeline
  /// The user's side: decides what the client sees.
  let access: LibraryAccessController
  let request: LibraryRequest
  private let sources: [FilePath]

  /// Opens the sources and starts the scan.
  /// - Parameters:
  ///   - follows: whether changes on disk are watched.
  ///   - cacheLimit: the size of the cache of decoded pictures in bytes.
  /// - Throws: `Failure` if a source does not exist or an allowed path is not an asset.
  init(
    _ request: LibraryRequest, follows: Bool = false, cacheLimit: Int = 24 << 20,
    consentRequest: ConsentRequest,
    consent: any ConsentPresenter
  ) throws(Failure) {
    self.request = request
    sources = try Self.sources(of: request)
    store = LibraryBackend.open(sources, isKept: true, watches: follows)
    images = ImagePipeline(
      store: store, cacheLimit: cacheLimit, foreign: HelperDecoder(),
      // Only the picker shows the same pictures again.
      thumbnails: ThumbnailCache(UserDirectories.thumbnailDirectory, keepsThumbnails: follows))
    access = LibraryAccessController(
      store: store, images: images, status: request.status,
      allowed: try Self.allowed(request.allow, in: store), consentRequest: consentRequest, consent: consent)
  }

  /// The library as the client sees it.
  var manager: any AssetManager { access.manager }

  private static func sources(of request: LibraryRequest) throws(Failure) -> [FilePath] {
    if request.isDemo { return [try DemoLibrary.folder()] }
    var sources: [FilePath] = []
    for word in request.sources {
      if word == "-" {
        sources += try pathsFromInput(isNulSeparated: request.isNulSeparated)
      } else {
        let path = FilePath(bytes: ArgumentBytes.bytes(word))
        try check(path)
        sources.append(path)
      }
    }
    if request.sources.isEmpty {
      let pictures = UserDirectories.pictures
      guard
        !MountProbes.shared.answers(pictures, within: MountProbes.shortPatience)
          || (try? pictures.stat()) != nil
      else {
        throw .error("\(pictures.string): no such folder; name one: tpick FOLDER, or try tpick --demo")
      }
      return [pictures]
    }
    return sources
  }

  /// Lets a source pass that does not answer: the library says so, while the others go on.
  private static func check(_ path: FilePath) throws(Failure) {
    guard MountProbes.shared.answers(path, within: MountProbes.shortPatience) else { return }
    do {
      _ = try path.stat()
    } catch {
      throw .error("\(String(decoding: path.bytes, as: UTF8.self)): \(error)")
    }
  }

  /// The paths on standard input; warns about those that don't exist.
  private static func pathsFromInput(isNulSeparated: Bool) throws(Failure) -> [FilePath] {
    let bytes: [UInt8]
    do {
      bytes = try FileText.bytes(of: .standardInput)
    } catch {
      throw .error("standard input: \(error)")
    }
    return bytes.split(separator: isNulSeparated ? 0 : 0x0A).compactMap { line in
      let path = FilePath(bytes: line)
      do throws(Failure) {
        try check(path)
        return path
      } catch {
        Messages.warn(error.message)
        return nil
      }
    }
  }

  /// The identifiers of the assets given by `--allow`.
  private static func allowed(
    _ paths: [FilePath], in store: any AssetStore
  ) throws(Failure) -> Set<LocalIdentifier> {
    Set(try identifiers(of: paths, option: "--allow", in: store))
  }

  /// The assets at paths, in the order of the paths; those of one folder are sorted by path.
  /// - Throws: `Failure` if a path does not exist or matches no photo of the library.
  func identifiers(of paths: [FilePath], option: String) throws(Failure) -> [LocalIdentifier] {
    try Self.identifiers(of: paths, option: option, in: store)
  }

  /// Waits for the scan, because only then it is known which paths belong to the library.
  private static func identifiers(
    of paths: [FilePath], option: String, in store: any AssetStore
  ) throws(Failure) -> [LocalIdentifier] {
    if paths.isEmpty { return [] }
    store.waitUntilComplete()
    var identifiers: [LocalIdentifier] = []
    for path in paths {
      let found: Set<LocalIdentifier>
      do {
        found = try store.identifiers(at: path)
      } catch {
        throw .error("\(option): \(error)")
      }
      guard !found.isEmpty else {
        throw .error(
          "\(option): \(String(decoding: path.bytes, as: UTF8.self)): matches no photo of the library")
      }
      var options = FetchOptions(sort: .name)
      options.includeHiddenAssets = true
      let inOrder = store.assets(withLocalIdentifiers: Array(found), options: options)
        .sorted { $0.pathBytes.lexicographicallyPrecedes($1.pathBytes) }.map(\.id)
      identifiers += inOrder.isEmpty ? found.sorted() : inOrder
    }
    return identifiers
  }

  /// The album with a title (case-insensitive) or an identifier as printed by `tpick albums`.
  ///
  /// Waits for the scan.
  /// - Throws: `Failure` if there is none.
  func album(named word: String?) throws(Failure) -> LocalIdentifier? {
    guard let word else { return nil }
    store.waitUntilComplete()
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let albums = manager.fetchCollections(of: .all, options: options)
    guard let album = albums.first(where: { $0.isNamed(word) }) else {
      throw .error("--album: no album is called '\(word)'; tpick albums lists them")
    }
    return album.id
  }

  /// The current versions of assets, which may have been renamed since they were picked.
  func current(_ assets: [Asset]) -> [Asset] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let found = manager.fetchAssets(withLocalIdentifiers: assets.map(\.id), options: options)
    let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return assets.map { known[$0.id] ?? $0 }
  }

  /// Whether not one of the sources could be read; a file that is no photo was.
  var isUnreadable: Bool {
    let issues = Dictionary(
      store.status.issues.map { ($0.subject, $0) }, uniquingKeysWith: { first, _ in first })
    return !sources.isEmpty
      && sources.allSatisfy { source in
        guard let issue = issues[String(decoding: source.bytes, as: UTF8.self)] else { return false }
        return issue.isTransient || (try? source.stat().type) == .directory
      }
  }

  /// Reports what could not be read on standard error, as far as the client may hear of it.
  func reportIssues() {
    let status = manager.libraryStatus
    let issues = status.issues.map(\.description)
    for message in status.notes.filter({ !issues.contains($0) }) + issues { Messages.warn(message) }
  }
}
