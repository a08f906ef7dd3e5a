/// The library as a front end sees it: permission, fetches, change notices, pictures, bytes.
///
/// The picker knows only this protocol. Calls may come from any thread; none waits for a disk, a decoder
/// or the user, except where a function is `async` or says so.
public protocol AssetManager: ImageManager {
  /// What the client may see now.
  func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus

  /// Asks the user where nothing is decided yet; answers at once where something is.
  func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus

  /// The assets that are allowed under limited access.
  var limitedSelection: Set<LocalIdentifier> { get }

  /// Replaces the assets that are allowed under limited access, and notifies observers.
  /// - Returns: the identifiers that were not allowed before.
  @discardableResult
  func setLimitedSelection(_ selection: Set<LocalIdentifier>) -> Set<LocalIdentifier>

  /// The assets of a collection (nil = all) that the client may see.
  func fetchAssets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset>

  /// The collections that the client may see and that hold something.
  func fetchCollections(options: FetchOptions) -> FetchResult<AssetCollection>

  /// How far the library is known.
  var libraryStatus: LibraryStatus { get }

  /// Calls `handler` after each change of what fetches would give, on any thread.
  func observeChanges(_ handler: @escaping @Sendable () -> Void)

  /// What the photograph tells of its camera. Reads the file: not for the thread that draws.
  func details(of asset: Asset) throws(AssetError) -> AssetDetails
}
