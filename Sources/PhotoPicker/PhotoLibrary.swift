public import AssetLibrary
package import CodecProtocol
import Conversion
public import Export
import FolderLibrary
public import Imaging
import Permissions
package import PickerRuntime
import RemoteLibrary
import System

/// The photos that a picker shows: a store of assets and an image manager.
///
/// Index, thumbnails, favorites and albums are stored in tpick's folders: a folder that one program has read
/// opens immediately in others. Methods may be called from any thread.
///
///     let library = try PhotoLibrary(folders: ["/home/ada/Pictures"])
///     await library.manager.waitUntilComplete()
///     let newest = library.manager.fetchAssets().firstObject
public struct PhotoLibrary: Sendable {
  package let store: any AssetStore
  package let images: ImagePipeline
  /// Reads light formats for images and results.
  ///
  /// It is shared, so that no more helper processes run than needed.
  package let reader: ReaderClient
  /// Reads HEIC, raw files and videos for images and results.
  package let helper: CodecClient
  /// Controls the client's access on behalf of the user.
  ///
  /// Only the program that asks the user for permission needs it; pass others the `manager` alone.
  public let access: LibraryAccessController
  /// Asks the user on the screen of a picker, or through the program's own presenter while none is shown.
  package let consentScreen: ConsentScreen
  /// Reads and writes metadata of results.
  private let metadata: MetadataClient
  /// The path that the program gave for the reader helper.
  private let readerPath: String?
  /// Follows the stored decisions about a client; nil if none are stored.
  var permissionWatch: PermissionWatch?

  /// Opens folders, including everything below them, and single files.
  ///
  /// They are read in the background; fetches and the picker show what is known. `AssetManager.waitUntilComplete()`
  /// waits for the rest, and `changes` tells what comes later.
  /// - Parameters:
  ///   - folders: the paths of folders or files.
  ///   - cacheLimit: the maximum size of the cache of decoded images in bytes.
  ///   - reader: the path of the helper `tpick-reader`, which reads most files; nil = it is searched: at the
  ///     path in the environment variable `TPICK_READER`, in the folder in `TPICK_HELPERS`, beside this
  ///     program, in `../libexec/tpick` relative to it, and in the build folder.
  ///   - codecs: the path of the helper `tpick-codecs`, which reads HEIC, raw files and videos; nil = it is
  ///     searched in the same way, with `TPICK_CODECS`.
  /// - Throws: `AssetError` for the first path that does not exist, or with the code `helperMissing` if the
  ///   reader is not found. Without `tpick-codecs`, only its formats can't be shown.
  public init(
    folders: [FilePath], cacheLimit: Int = ImagePipeline.defaultCacheLimit, reader: String? = nil,
    codecs: String? = nil
  ) throws(AssetError) {
    for folder in folders { _ = try folder.isFolder() }
    try HelperProgram.requireReader(at: reader)
    self.init(
      LibraryBackend.open(folders, isKept: true, watches: true, reader: reader, codecs: codecs),
      cacheLimit: cacheLimit, reader: reader, codecs: codecs)
  }

  /// Opens folders and files on this machine and on servers as one library.
  ///
  /// Remote originals are downloaded only by requests that allow it (`isNetworkAccessAllowed`), by results of the
  /// picker, and by item providers.
  /// - Parameters:
  ///   - sources: paths, or addresses that rclone knows, as "nas:Pictures". A path that exists has priority.
  ///   - cacheLimit: the maximum size of the cache of decoded images in bytes.
  ///   - reader: the path of the helper, as for folders.
  ///   - codecs: the path of the helper, as for folders.
  /// - Throws: as for folders. A server that can't be reached is not an error: it is among the
  ///   `unreadableSources` of the status, and asked again later.
  public init(
    sources: [String], cacheLimit: Int = ImagePipeline.defaultCacheLimit, reader: String? = nil,
    codecs: String? = nil
  ) throws(AssetError) {
    var (folders, remotes): ([FilePath], [ServerAddress]) = ([], [])
    for source in sources {
      let path = FilePath(source)
      if source.contains(":"), (try? path.stat()) == nil,
        let address = LibraryBackend.servers.address(source)
      {
        remotes.append(address)
      } else {
        _ = try path.isFolder()
        folders.append(path)
      }
    }
    try HelperProgram.requireReader(at: reader)
    let store = LibraryBackend.open(
      folders, isKept: true, watches: true, reader: reader, codecs: codecs, remotes: remotes)
    self.init(store, cacheLimit: cacheLimit, reader: reader, codecs: codecs)
  }

  /// Creates a library whose client needs the user's permission, with a store of your own, and starts the store.
  ///
  /// Until the user has granted access, `manager` shows nothing; under limited access, only the selected assets.
  /// - Parameters:
  ///   - store: provides the assets.
  ///   - decision: the user's previous decision, as `record` received it.
  ///   - consentRequest: the client and its purpose.
  ///   - consent: asks the user while no picker is shown; a picker asks on its own screen.
  ///   - record: stores each new decision; called on any thread.
  ///   - cacheLimit: the maximum size of the cache of decoded images in bytes.
  ///   - reader: the path of the helper, as for folders.
  ///   - codecs: the path of the helper, as for folders.
  public init(
    _ store: any AssetStore, decision: AccessDecision, consentRequest: ConsentRequest,
    consent: any ConsentPresenter, record: (@Sendable (AccessDecision) -> Void)? = nil,
    cacheLimit: Int = ImagePipeline.defaultCacheLimit, reader: String? = nil, codecs: String? = nil
  ) {
    store.start()
    self.init(
      store, cacheLimit: cacheLimit, keepsThumbnails: true, decision: decision,
      consentRequest: consentRequest,
      consent: consent, record: record, reader: reader, codecs: codecs)
  }

  /// Creates a library with a store of your own, and starts the store.
  /// - Parameters:
  ///   - store: provides the assets.
  ///   - cacheLimit: the maximum size of the cache of decoded images in bytes.
  ///   - reader: the path of the helper, as for folders. If it is not found, `PhotoPicker.present()` throws.
  ///   - codecs: the path of the helper, as for folders.
  public init(
    _ store: any AssetStore, cacheLimit: Int = ImagePipeline.defaultCacheLimit, reader: String? = nil,
    codecs: String? = nil
  ) {
    store.start()
    self.init(
      store, cacheLimit: cacheLimit, keepsThumbnails: true, consentRequest: ConsentRequest(client: "picker"),
      consent: NoConsentPresenter(),
      // The program that opens the folders acts for its user; there is no other client.
      asksBefore: [], reader: reader, codecs: codecs)
  }

  /// Creates a library from its parts.
  /// - Parameters:
  ///   - store: provides the assets.
  ///   - cacheLimit: the maximum size of the cache of decoded images in bytes.
  ///   - keepsThumbnails: whether new thumbnails are stored on disk.
  ///   - decision: the user's previous decision about the client's access.
  ///   - consentRequest: the client and its purpose.
  ///   - consent: presents the consent prompt.
  ///   - kinds: the kinds of changes by the client about which the user is asked.
  ///   - record: stores each new decision.
  ///   - reader: the path of the helper; nil = the usual path.
  ///   - codecs: the path of the helper; nil = the usual path.
  package init(
    _ store: any AssetStore, cacheLimit: Int = ImagePipeline.defaultCacheLimit, keepsThumbnails: Bool,
    decision: AccessDecision = AccessDecision(readWrite: .authorized),
    consentRequest: ConsentRequest, consent: any ConsentPresenter,
    asksBefore kinds: Set<ChangeKind> = Set(ChangeKind.allCases),
    record: (@Sendable (AccessDecision) -> Void)? = nil, reader: String? = nil, codecs: String? = nil
  ) {
    self.store = store
    readerPath = reader
    self.reader = reader.map { ReaderClient(program: $0) } ?? .standard
    metadata = reader.map { MetadataClient(program: $0) } ?? .standard
    helper = CodecClient(program: codecs)
    images = ImagePipeline(
      store: store, cacheLimit: cacheLimit, reader: self.reader, foreign: HelperDecoder(helper),
      thumbnails: ThumbnailCache(
        UserDirectories.thumbnailDirectory(readBy: self.reader), keepsThumbnails: keepsThumbnails))
    consentScreen = (consent as? PickerConsent)?.screen ?? ConsentScreen(otherwise: consent)
    access = LibraryAccessController(
      store: store, images: images, decision: decision, consentRequest: consentRequest,
      consent: consentScreen, asksBefore: kinds, record: record)
  }

  /// The library as visible to a client: fetches, change notifications, images.
  ///
  /// With its first use the library goes on to compare its index with the disk and to follow changes; with a
  /// picker, that happens once its first screen is drawn.
  public var manager: any AssetManager {
    access.manager.allowBackgroundWork()
    return access.manager
  }

  /// The maximum size of the cache of decoded images in bytes.
  ///
  /// What `CachingImageManager` prepared stays in memory while it fits. A smaller limit frees memory at once.
  public var cacheLimit: Int {
    get { images.cacheLimit }
    nonmutating set { images.cacheLimit = newValue }
  }

  /// The changes that the client may see, from now on; see `AssetManager.changes`.
  public var changes: AsyncStream<LibraryChange> { manager.changes }

  /// Throws if no picture can be read.
  func requireReader() throws(AssetError) { try HelperProgram.requireReader(at: readerPath) }

  /// Returns the current versions of assets, which may have been renamed since they were picked.
  package func current(_ assets: [Asset]) -> [Asset] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    let found = access.manager.fetchAssets(withLocalIdentifiers: assets.map(\.id), options: options)
    let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return assets.map { asset in known[asset.id].map { $0.withChoices(of: asset) } ?? asset }
  }
}

extension HelperProgram {
  /// Throws the error for a missing reader, which names the program and a remedy.
  fileprivate static func requireReader(at path: String?) throws(AssetError) {
    if reader.exists(at: path) { return }
    throw AssetError("photos", reader.missingMessage(at: path), code: .helperMissing)
  }
}

// The content of assets that were fetched.
extension PhotoLibrary {
  /// Returns a provider of an asset's content, as a picker's result has one.
  /// - Parameters:
  ///   - asset: an asset of this library.
  ///   - options: the preferred type, and how images are converted.
  /// - Throws: `AssetError` if the client may not see the asset, or it is no longer in the library.
  public func itemProvider(
    for asset: Asset, options: RepresentationOptions = RepresentationOptions()
  ) throws(AssetError) -> ItemProvider { provider(of: try visible(asset), options) }

  /// Reads a file of an asset chunk by chunk, without blocking the caller's thread: PhotoKit's
  /// `PHAssetResourceManager.requestData(for:options:dataReceivedHandler:completionHandler:)`.
  ///
  /// A chunk has up to 1 MiB; the next one is read when `receive` has returned. Cancelling the task stops
  /// reading.
  /// - Parameters:
  ///   - resource: one of the asset's `resources`.
  ///   - asset: an asset of this library.
  ///   - isNetworkAccessAllowed: whether a remote original may be downloaded.
  ///   - progressHandler: receives the completed fraction, from 0 to 1, on any thread.
  ///   - receive: receives the chunks in order.
  /// - Throws: `AssetError` if the client may not see the asset, or the file can't be read, or with the codes
  ///   `networkRequired` and `cancelled`; errors of `receive`.
  public func requestData(
    for resource: AssetResource, of asset: Asset, isNetworkAccessAllowed: Bool = false,
    progressHandler: (@Sendable (Double) -> Void)? = nil,
    receive: @Sendable ([UInt8]) async throws -> Void
  ) async throws {
    guard try visible(asset).resources.contains(resource) else {
      throw AssetError(resource.originalFilename, "no longer a file of this photo", code: .notFound)
    }
    try await AssetResourceManager(store).requestData(
      for: resource, isNetworkAccessAllowed: isNetworkAccessAllowed, progressHandler: progressHandler,
      receive: receive)
  }

  /// Reads and copies the files of the assets that the client may see: PhotoKit's `PHAssetResourceManager`.
  ///
  /// A resource is looked up in the library first; `requestData(for:of:)` is quicker because it knows the asset.
  public var resourceManager: AssetResourceManager {
    AssetResourceManager(store) { [store, manager = access.manager] resource throws(AssetError) in
      var options = FetchOptions()
      options.includeHiddenAssets = true
      options.includeAllBurstAssets = true
      // What the client may not see and what does not exist have the same answer.
      let known = (try? store.identifiers(at: resource.path)) ?? []
      let visible = manager.fetchAssets(withLocalIdentifiers: Array(known), options: options)
      guard visible.contains(where: { $0.resources.contains(resource) }) else {
        throw manager.authorizationStatus(for: .readWrite) == .authorized
          ? AssetError(resource.originalFilename, "not a file of the library", code: .notFound)
          : AssetError(resource.originalFilename, "no access to it", code: .accessDenied)
      }
    }
  }

  /// Returns the assets of each path, in the order of the paths: the asset that a file belongs to, or all
  /// assets below a folder.
  ///
  /// Waits until the library is complete. No thread of the caller waits.
  /// Under limited access, a path without visible assets has the same answer whether it exists or not.
  /// - Parameter paths: paths of files and folders.
  /// - Returns: for each path its assets as far as the client may see them, or why there are none.
  public func identifiers(at paths: [FilePath]) async -> [Result<Set<LocalIdentifier>, AssetError>] {
    await manager.waitUntilComplete()
    let found = await WorkerThread.value { store.identifiers(at: paths) }
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    let seesAll = manager.authorizationStatus(for: .readWrite) == .authorized
    return zip(paths, found).map { path, answer in
      let visible = answer.map {
        Set(manager.fetchAssets(withLocalIdentifiers: Array($0), options: options).identifiers)
      }
      if seesAll { return visible }
      // Neither an error nor an empty set may tell which paths exist.
      if case .success(let assets) = visible, !assets.isEmpty { return visible }
      return .failure(AssetError(path.string, "no photos that this program may see", code: .accessDenied))
    }
  }

  /// Returns the asset as it is in the library now, with the part or the key photo that the caller chose.
  private func visible(_ asset: Asset) throws(AssetError) -> Asset {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    let found = manager.fetchAssets(withLocalIdentifiers: [asset.localIdentifier], options: options)
    if let known = found.first { return known.withChoices(of: asset) }
    throw manager.authorizationStatus(for: .readWrite) == .authorized
      ? AssetError(
        asset.primaryResource?.originalFilename ?? "photo", "no longer in the library", code: .notFound)
      : AssetError("photos", "no access to this one", code: .accessDenied)
  }

  /// Returns a session that writes an asset into a folder, with progress and cancellation.
  ///
  ///     let session = try library.exportSession(for: asset, as: .livePhoto)
  ///     let output = try await session.export(to: "/tmp/out")
  ///
  /// - Parameters:
  ///   - asset: an asset of this library.
  ///   - format: the form in which it is written.
  ///   - version: which version of an edited asset to write.
  ///   - options: how pictures are converted.
  ///   - isNetworkAccessAllowed: whether a remote original may be downloaded.
  ///   - fallsBackToResource: whether the unchanged files are written if the conversion fails.
  /// - Throws: `AssetError` if the client may not see the asset, it is no longer in the library, or with the code
  ///   `unsupported` if it has no such form.
  public func exportSession(
    for asset: Asset, as format: ExportSession.Format, version: AssetVersion = .current,
    options: RepresentationOptions = RepresentationOptions(), isNetworkAccessAllowed: Bool = false,
    fallsBackToResource: Bool = true
  ) throws(AssetError) -> ExportSession {
    let asset = try visible(asset).presenting(version)
    return try ExportSession(
      asset, as: format, options, isNetworkAccessAllowed: isNetworkAccessAllowed,
      fallsBackToResource: fallsBackToResource,
      identifier: { [store] in Self.contentIdentifier(of: asset, in: store) }, store: store, maker: maker)
  }

  private var maker: FileRepresentationMaker {
    FileRepresentationMaker(
      store, reader: reader, foreign: HelperDecoder(helper), blocks: metadata, helper: helper)
  }

  /// Returns the content identifier that the still image and the clip of a Live Photo share; nil if they don't, or
  /// if it can't be read.
  private static func contentIdentifier(of asset: Asset, in store: any AssetStore) -> String? {
    guard let still = asset.primaryResource, let clip = asset.clip() else { return nil }
    let identifiers = [still, clip].map { resource -> String? in
      guard resource.byteRange == nil, store.isLocal(resource) else { return nil }
      var one = asset
      one.resources = [resource]
      return (try? store.details(of: one))?.contentIdentifier
    }
    return identifiers[0] == identifiers[1] ? identifiers[0] : nil
  }

  /// Returns a provider without checking the client's access.
  /// - Parameter maximumPartByteCount: the maximum size of a part of a video; nil = no maximum.
  func provider(
    of asset: Asset, _ options: RepresentationOptions, maximumPartByteCount: Int64? = nil
  ) -> ItemProvider {
    ItemProvider(
      asset, in: store, maker: maker, options: options, temporaryFolder: UserDirectories.temporary,
      maximumPartByteCount: maximumPartByteCount
    ) { [store] in Self.contentIdentifier(of: asset, in: store) }
  }
}
