public import AssetLibrary
import FolderLibrary
package import CodecProtocol
package import Imaging

/// The photos that a picker shows: a store of assets, and what makes pictures of them.
///
/// Its index, its thumbnails and what the user marked in it are kept where tpick keeps them: a folder that one program has
/// read opens at once in the others. Calls may come from any thread.
public struct PhotoLibrary: Sendable {
  package let store: any AssetStore
  package let images: ImagePipeline
  /// Reads HEIC, raw files and videos for pictures and results; one for all, so that no more of them run than need be.
  package let helper: CodecClient
  /// The user's side: decides what the client sees.
  package let access: LibraryAccessController

  /// Opens folders, with all below them, and files; they are read while the picker shows what is known.
  /// - Parameters:
  ///   - folders: their paths; of files as well.
  ///   - codecs: the path of the helper `tpick-codecs`, which reads HEIC, raw files and videos; nil = where the
  ///     environment's TPICK_CODECS says, else beside this program.
  /// - Throws: `AssetError` for the first that is not there.
  public init(folders: [FilePath], codecs: String? = nil) throws(AssetError) {
    for folder in folders { _ = try folder.isFolder() }
    self.init(LibraryBackend.open(folders, isKept: true, watches: true, codecs: codecs), codecs: codecs)
  }

  /// A library over a store of your own; what it knows is up to the store.
  /// - Parameters:
  ///   - store: where the assets come from.
  ///   - codecs: the path of the helper, as for folders.
  public init(_ store: any AssetStore, codecs: String? = nil) {
    self.init(
      store, keepsThumbnails: true, consentRequest: ConsentRequest(client: "picker"), consent: NobodyToAsk(),
      codecs: codecs)
  }

  /// Puts a library together.
  /// - Parameters:
  ///   - cacheLimit: bytes of decoded pictures to keep.
  ///   - keepsThumbnails: whether thumbnails that are made are kept on disk.
  ///   - decision: what the user decided about the client's access before.
  ///   - consentRequest: who asks for access, and why.
  ///   - consent: who puts the question to the user.
  ///   - record: keeps what the user decides from here on.
  ///   - codecs: the path of the helper; nil = where it usually is.
  package init(
    _ store: any AssetStore, cacheLimit: Int = 24 << 20, keepsThumbnails: Bool,
    decision: AccessDecision = AccessDecision(readWrite: .authorized),
    consentRequest: ConsentRequest, consent: any ConsentPresenter,
    record: (@Sendable (AccessDecision) -> Void)? = nil, codecs: String? = nil
  ) {
    self.store = store
    helper = CodecClient(program: codecs)
    images = ImagePipeline(
      store: store, cacheLimit: cacheLimit, foreign: HelperDecoder(helper),
      thumbnails: ThumbnailCache(UserDirectories.thumbnailDirectory, keepsThumbnails: keepsThumbnails))
    access = LibraryAccessController(
      store: store, images: images, decision: decision, consentRequest: consentRequest, consent: consent,
      record: record)
  }

  /// The library as a client sees it: fetches, notices of changes, pictures.
  public var manager: any AssetManager { access.manager }

  /// The current versions of assets, which may have been renamed since they were picked.
  package func current(_ assets: [Asset]) -> [Asset] {
    var options = FetchOptions()
    options.includeHiddenAssets = true
    let found = manager.fetchAssets(withLocalIdentifiers: assets.map(\.id), options: options)
    let known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    return assets.map { known[$0.id] ?? $0 }
  }
}
