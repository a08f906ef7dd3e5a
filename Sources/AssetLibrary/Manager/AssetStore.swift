/// What a backend implements: assets and collections as they are, and the bytes of resources.
///
/// A store knows nothing of permissions and pictures. All calls may come from any thread and answer from
/// memory without waiting for a disk, except `reader(for:)`, `details(of:)` and `perform(_:)`.
public protocol AssetStore: Sendable {
  /// The assets of a collection (nil = all), filtered and sorted.
  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset>

  /// The assets with these identifiers that the options admit, in the order of the identifiers.
  ///
  /// The pictures of a burst are given whether they represent it or not.
  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset>

  /// All pictures of a burst that the options admit, whether they represent it or not.
  func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset>

  /// The collections that hold something under the options: smart albums in their order, then albums by path,
  /// then moments with the newest first. The limit and the order of the options are about assets and don't
  /// count here.
  func collections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection>

  /// The lists that hold albums with something in them under the options, by path.
  func collectionLists(options: FetchOptions) -> FetchResult<CollectionList>

  /// The assets that stand for a collection, at most three; the first is its poster.
  func keyAssets(in collection: LocalIdentifier, options: FetchOptions) -> FetchResult<Asset>

  /// Makes changes, all or none of them, and tells the observers; the files stay as they are.
  /// - Throws: `AssetError` when an asset is not there or the change can't be kept.
  func perform(_ changes: [AssetChange]) throws(AssetError)

  /// How far the store knows its library.
  var status: LibraryStatus { get }

  /// Gives up the first look at the library; what was found stays, and the status says so.
  func stopReading()

  /// Takes up again what was stopped.
  func resumeReading()

  /// Calls `handler` after each change, on any thread, until the store goes.
  func observeChanges(_ handler: @escaping @Sendable () -> Void)

  /// Opens the bytes of a resource.
  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader

  /// Whether the bytes of a resource can be read without a network.
  func isLocal(_ resource: AssetResource) -> Bool

  /// Brings the bytes of a resource that is only remote, so that it is local afterwards. Waits for them.
  /// - Parameter progress: hears the fraction that has arrived, from 0 to 1; its answer `stop` ends the download.
  /// - Throws: `AssetError` when they can't be had, or when the download was stopped.
  func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError)

  /// What the photograph tells of its camera.
  func details(of asset: Asset) throws(AssetError) -> AssetDetails
}

extension AssetStore {
  /// What is known from the start is never read.
  public func stopReading() {}

  public func resumeReading() {}

  /// Folders hold what they show.
  public func isLocal(_ resource: AssetResource) -> Bool { true }

  /// Nothing has to be brought.
  public func download(
    _ resource: AssetResource, progress: (Double) -> DownloadDecision
  ) throws(AssetError) {}

  /// The collections that a list of albums shows.
  public func collections(options: FetchOptions) -> FetchResult<AssetCollection> {
    collections(of: .default, options: options)
  }

  public func assets(ofBurst identifier: String, options: FetchOptions) -> FetchResult<Asset> {
    var options = options
    options.includeAllBurstAssets = true
    options.require(.burstIdentifier(identifier))
    return assets(in: nil, options: options)
  }

  /// The newest three that can be shown.
  public func keyAssets(in collection: LocalIdentifier, options: FetchOptions) -> FetchResult<Asset> {
    var options = options
    options.sortDescriptors = AssetSort.newest.descriptors
    options.fetchLimit = 3
    // Any condition leaves broken assets out.
    options.require(.and([]))
    return assets(in: collection, options: options)
  }
}

/// Random access to the bytes of one resource; closed when the last reference goes.
public protocol ResourceReader: Sendable {
  /// The number of bytes.
  var count: Int { get }

  /// The open file whose whole content the resource is; nil where there is no such file.
  ///
  /// It stays the reader's: valid for as long as the reader is, and its position may not be moved.
  var descriptor: Int32? { get }

  /// Fills `buffer` from `offset` and answers how many bytes there were; fewer only at the end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int
}

extension ResourceReader {
  public var descriptor: Int32? { nil }

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
  /// Whether everything has been seen, or nothing more will be.
  public var isComplete: Bool
  /// Whether the user stopped the first look: not everything was seen.
  public var isStopped = false
  /// How many assets are known so far.
  public var assetCount: Int
  /// What could not be read.
  public var issues: [AssetError]
  /// Words to the user about the library as a whole, as that its changes can't be watched.
  public var notes: [String]
  /// How far the first look at it has come; nil where that is over, or nobody can tell.
  public var progress: LibraryProgress?

  public init(isComplete: Bool, assetCount: Int, issues: [AssetError] = [], notes: [String] = []) {
    self.isComplete = isComplete
    self.assetCount = assetCount
    self.issues = issues
    self.notes = notes
  }
}

/// How far the first look at a library has come.
public struct LibraryProgress: Hashable, Sendable {
  /// What is being done.
  public enum Phase: Hashable, Sendable {
    /// Folders are walked, and the heads of their files read.
    case reading
    /// What their heads don't tell is looked for in the files.
    case describing
  }

  public var phase: Phase
  /// How much of the phase is done, from 0 to 1, as far as can be told.
  public var fraction: Double
  /// Seconds since the phase began.
  public var elapsed: Double

  public init(phase: Phase, fraction: Double, elapsed: Double) {
    self.phase = phase
    self.fraction = fraction
    self.elapsed = elapsed
  }
}

/// Something about one file or folder that went wrong: the thing, and the reason in words.
public struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file or folder as it should be shown to the user.
  public var subject: String
  /// The cause, as words that follow a colon.
  public var reason: String
  /// Whether the same file may do another time: the cause lies outside of it.
  public var isTransient: Bool

  public init(_ subject: String, _ reason: String, isTransient: Bool = false) {
    self.subject = subject
    self.reason = reason
    self.isTransient = isTransient
  }

  public var description: String { "\(subject): \(reason)" }
}
