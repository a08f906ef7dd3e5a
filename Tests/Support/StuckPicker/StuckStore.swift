import AssetLibrary
import Glibc
import Pixels
import Synchronization
import SystemPackage

/// A store on a hanging disk: it answers a number of asset fetches, and no other request.
final class StuckStore: AssetStore {
  private let answersLeft: Mutex<Int>

  init(answers: Int) {
    answersLeft = Mutex(answers)
  }

  /// Blocks like a call to a dead disk.
  private func hang() -> Never {
    while true { pause() }
  }

  private static let assets: [Asset] = (1...100).map { number in
    let date = AssetDate(year: 2024, month: 1 + number % 12, day: 1 + number % 28)
    let resource = AssetResource(
      type: .photo, path: FilePath("/nowhere/\(number).jpg"), uniformTypeIdentifier: "public.jpeg",
      byteCount: 1_000_000)
    return Asset(
      localIdentifier: LocalIdentifier("photo \(number)"), mediaType: .image, pixelSize: .zero,
      creationDate: date, resources: [resource])
  }

  func assets(in collection: LocalIdentifier?, options: FetchOptions) -> FetchResult<Asset> {
    let isAnswered = answersLeft.withLock { left in
      defer { left -= 1 }
      return left > 0
    }
    if !isAnswered { hang() }
    return FetchResult(Self.assets)
  }

  func assets(
    withLocalIdentifiers identifiers: [LocalIdentifier], options: FetchOptions
  ) -> FetchResult<Asset> { hang() }

  func collections(of types: CollectionTypes, options: FetchOptions) -> FetchResult<AssetCollection> {
    hang()
  }

  func collectionLists(options: FetchOptions) -> FetchResult<CollectionList> { hang() }
  func perform(_ changes: [AssetChange]) throws(AssetError) -> [AssetChange] { hang() }
  var status: LibraryStatus { LibraryStatus(isComplete: true, assetCount: Self.assets.count) }
  func observeChanges(_ handler: @escaping @Sendable (LibraryChange) -> Void) -> ObserverID {
    ObserverID(rawValue: 0)
  }
  func stopObserving(_ observer: ObserverID) {}
  func reader(for resource: AssetResource) throws(AssetError) -> any ResourceReader { hang() }
  func isLocal(_ resource: AssetResource) -> Bool { true }
  func details(of asset: Asset) throws(AssetError) -> AssetDetails { hang() }
}

/// An image manager whose decoders hang: it accepts requests and answers none, not even with their end.
final class StuckImages: ImageManager {
  private let count = Mutex<UInt64>(0)

  private func next() -> ImageRequestID {
    count.withLock { count in
      count += 1
      return ImageRequestID(rawValue: count)
    }
  }

  func requestImage(
    _ request: ImageRequest, priority: ImagePriority,
    progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageResult) -> Void
  ) -> ImageRequestID { next() }

  func requestImageData(
    _ request: ImageDataRequest, progressHandler: (@Sendable (Double) -> DownloadDecision)?,
    resultHandler: @escaping @Sendable (ImageDataResult) -> Void
  ) -> ImageRequestID { next() }

  func frames(
    of request: FrameRequest, cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    throw AssetError(request.asset.localIdentifier.rawValue, "can't be played")
  }

  func setPriority(_ priority: ImagePriority, of request: ImageRequestID) {}
  func cancelImageRequest(_ request: ImageRequestID) {}
}
