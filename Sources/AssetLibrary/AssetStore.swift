/// What a backend implements: assets and collections as they are, and the bytes of resources.
///
/// A store knows nothing of permissions and pictures. All calls may come from any thread and answer from
/// memory without waiting for a disk, except `reader(for:)` and `details(of:)`.
public protocol AssetStore: Sendable {
  /// The assets of a collection (nil = all), filtered and sorted.
  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset>

  /// The collections that hold something under the options, Recents first, then albums by path.
  func collections(options: FetchOptions) -> FetchResult<AssetCollection>

  /// How far the store knows its library.
  var status: LibraryStatus { get }

  /// Calls `handler` after each change, on any thread, until the store goes.
  func observeChanges(_ handler: @escaping @Sendable () -> Void)

  /// Opens the bytes of a resource.
  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader

  /// What the photograph tells of its camera.
  func details(of asset: Asset) throws(AssetError) -> AssetDetails
}

/// Random access to the bytes of one resource; closed when the last reference goes.
public protocol ResourceReader: Sendable {
  /// The number of bytes.
  var count: Int { get }

  /// Fills `buffer` from `offset` and answers how many bytes there were; fewer only at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int
}

extension ResourceReader {
  /// The bytes of a range, cut off at the end of the resource.
  public func bytes(in range: Range<Int>) throws(AssetError) -> [UInt8] {
    var failure: AssetError?
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      do throws(AssetError) {
        let whole = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[..<range.count])
        count = try read(at: range.lowerBound, into: whole)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// How far a library has been read.
public struct LibraryStatus: Hashable, Sendable {
  /// Whether everything has been seen.
  public var isComplete: Bool
  /// How many assets are known so far.
  public var assetCount: Int
  /// What could not be read.
  public var issues: [AssetError]

  public init(isComplete: Bool, assetCount: Int, issues: [AssetError] = []) {
    self.isComplete = isComplete
    self.assetCount = assetCount
    self.issues = issues
  }
}

/// Something about one file or folder that went wrong: the thing, and the reason in words.
public struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder as it should be shown to the user.
  public var subject: String
  /// The cause, as words that follow a colon.
  public var reason: String

  public init(_ subject: String, _ reason: String) {
    self.subject = subject
    self.reason = reason
  }

  public var description: String { "\(subject): \(reason)" }
}
