import AssetLibrary
import Fixtures
import Imaging
import Pixels
import Synchronization

/// Photos in memory, with the metadata that a scan would have found.
struct TestLibrary {
  let store = MemoryAssetStore()

  /// Adds a photo with a name.
  func add(_ photo: TestPhoto, named name: String = "photo.jpg") throws -> Asset {
    let file = try photo.file()
    return add(
      file.bytes, named: name, orientation: photo.orientation, storedSize: photo.storedSize,
      thumbnail: file.thumbnail)
  }

  /// Adds a file with arbitrary bytes.
  func add(
    _ bytes: [UInt8], named name: String, orientation: Orientation = .topLeft,
    storedSize: PixelSize = PixelSize(width: 640, height: 480), thumbnail: Range<Int>? = nil,
    type: String = "public.jpeg"
  ) -> Asset {
    let resource = AssetResource(
      type: .photo, path: .init(bytes: Array(name.utf8)), uniformTypeIdentifier: type,
      byteCount: Int64(bytes.count), orientation: orientation, storedSize: storedSize, thumbnail: thumbnail)
    let asset = Asset(
      localIdentifier: LocalIdentifier(name), mediaType: .image, pixelSize: orientation.upright(storedSize),
      creationDate: AssetDate(wallSeconds: 0), resources: [resource])
    store.add(asset, bytes: bytes)
    return asset
  }
}

/// An answer to an image request, without the pixels.
enum Answer: Hashable, Sendable {
  case degraded(PixelSize)
  case final(PixelSize, note: String?)
  case failed(AssetError)
  case cancelled

  init(_ result: ImageResult) {
    switch result.content {
    case .image(let pixels, isDegraded: true, _): self = .degraded(pixels.size)
    case .image(let pixels, isDegraded: false, let note): self = .final(pixels.size, note: note)
    case .failed(let error): self = .failed(error)
    case .cancelled: self = .cancelled
    }
  }
}

/// The answers to one image request, in order.
final class AnswerLog: Sendable {
  private let results = Mutex<[ImageResult]>([])
  private let news: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() {
    (news, signal) = AsyncStream.makeStream()
  }

  func receive(_ result: ImageResult) {
    results.withLock { $0.append(result) }
    signal.yield()
  }

  var answers: [Answer] { results.withLock { $0 }.map(Answer.init) }

  var pictures: [PixelBuffer] {
    results.withLock { $0 }.compactMap {
      if case .image(let picture, _, _) = $0.content { picture } else { nil }
    }
  }

  /// Waits until there are `count` answers.
  func wait(for count: Int) async {
    while results.withLock({ $0.count }) < count {
      for await _ in news { break }
    }
  }
}

extension ImagePipeline {
  /// Requests a picture and waits for `count` answers.
  func answers(
    to asset: Asset, size: PixelSize, mode: ContentMode = .aspectFit,
    delivery: ImageRequestOptions.DeliveryMode = .opportunistic, count: Int = 1
  ) async -> AnswerLog {
    let log = AnswerLog()
    let request = ImageRequest(
      asset: asset, targetSize: size, contentMode: mode,
      options: ImageRequestOptions(deliveryMode: delivery, resizeMode: .exact))
    _ = requestImage(request, priority: .visible, resultHandler: log.receive)
    await log.wait(for: count)
    return log
  }
}
