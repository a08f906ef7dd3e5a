public import AssetLibrary
import FolderLibrary
package import CodecProtocol
package import Imaging

/// The photos that a picker shows: a store of assets and an image manager.
///
/// Index, thumbnails, favorites and albums are stored in tpick's folders: a folder that one program has read
/// opens immediately in others. Methods may be called from any thread.
public struct PhotoLibrary: Sendable {
  package let store: any AssetStore
  package let images: ImagePipeline
  /// Reads HEIC, raw files and videos for images and results.
  ///
  /// It is shared, so that no more helper processes run than needed.
  package let helper: CodecClient
  /// Controls the client's access on behalf of the user.
  package let access: LibraryAccessController

  /// Opens folders, including everything below them, and single files.
  ///
  /// They are read in the background; the picker shows what is known.
  /// - Parameters:
  ///   - folders: the paths of folders or files.
  ///   - codecs: the path of the helper `tpick-codecs`, which reads HEIC, raw files and videos; nil = the
  ///     path in the environment variable TPICK_CODECS, otherwise beside this program.
  /// - Throws: `AssetError` for the first path that does not exist.
  public init(folders: [FilePath], codecs: String? = nil) throws(AssetError) {
    for folder in folders { _ = try folder.isFolder() }
    self.init(LibraryBackend.open(folders, isKept: true, watches: true, codecs: codecs), codecs: codecs)
  }

  /// Creates a library with a store of your own.
  /// - Parameters:
  ///   - store: provides the assets.
  ///   - codecs: the path of the helper, as for folders.
  public init(_ store: any AssetStore, codecs: String? = nil) {
    self.init(
      store, keepsThumbnails: true, consentRequest: ConsentRequest(client: "picker"),
      consent: NoConsentPresenter(),
      // The program that opens the folders acts for its user; there is no other client.
      asksBefore: [], codecs: codecs)
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
  ///   - codecs: the path of the helper; nil = the usual path.
  package init(
    _ store: any AssetStore, cacheLimit: Int = 24 << 20, keepsThumbnails: Bool,
    decision: AccessDecision = AccessDecision(readWrite: .authorized),
    consentRequest: ConsentRequest, consent: any ConsentPresenter,
    asksBefore kinds: Set<ChangeKind> = Set(ChangeKind.allCases),
    record: (@Sendable (AccessDecision) -> Void)? = nil, codecs: String? = nil
  ) {
    self.store = store
    helper = CodecClient(program: codecs)
    images = ImagePipeline(
      store: store, cacheLimit: cacheLimit, foreign: HelperDecoder(helper),
      thumbnails: ThumbnailCache(UserDirectories.thumbnailDirectory, keepsThumbnails: keepsThumbnails))
    access = LibraryAccessController(
      store: store, images: images, decision: decision, consentRequest: consentRequest, consent: consent,
      asksBefore: kinds, record: record)
  }

  /// The library as visible to a client: fetches, change notifications, images.
  public var manager: any AssetManager { access.manager }

  /// Returns the current versions of assets, which may have been renamed since they were picked.
  package func current(_ assets: [Asset]) -> [Asset] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let found = manager.fetchAssets(withLocalIdentifiers: assets.map(\.id), options: options)
    let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return assets.map { known[$0.id] ?? $0 }
  }
}
