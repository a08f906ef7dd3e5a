import AssetLibrary
import Pixels
import Testing

@testable import Imaging

extension ImageRequestID: ExpressibleByIntegerLiteral {
  init(integerLiteral value: UInt64) {
    self.init(rawValue: value)
  }
}

extension RequestAnswer {
  static func first(_ id: ImageRequestID) -> Self { Self(id: id, content: .outcome, isLast: false) }
  static func last(_ id: ImageRequestID) -> Self { Self(id: id, content: .outcome, isLast: true) }
}

extension RequestTable {
  /// The next job, which must exist.
  mutating func job() throws -> ImageJob {
    let job = nextJob()
    return try #require(job)
  }

  /// Ends a job and returns the requests to notify.
  mutating func finish(_ job: ImageJob, succeeded: Bool = true) -> [RequestAnswer] {
    finished(job, given: succeeded ? job.phase : nil)
  }

  /// Adds a request for a local picture, with or without a thumbnail.
  mutating func submit(_ id: ImageRequestID, _ request: ImageRequest, priority: ImagePriority) {
    let source = SourceState(hasThumbnail: request.resource?.thumbnail != nil)
    _ = submit(id, WorkRequest(request), priority: priority, source: source)
  }
}

extension ImageRequest {
  /// A request for a picture of an asset that has only a name.
  static func of(
    _ name: String, side: Int = 50, mode: ContentMode = .aspectFit,
    delivery: ImageRequestOptions.DeliveryMode = .opportunistic,
    modified: Int64 = 0, hasThumbnail: Bool = false
  ) -> ImageRequest {
    let resource = AssetResource(
      type: .photo, path: .init(bytes: Array(name.utf8)), uniformTypeIdentifier: "public.jpeg",
      byteCount: 1000, storedSize: PixelSize(width: 640, height: 480),
      thumbnail: hasThumbnail ? 10..<100 : nil)
    let asset = Asset(
      localIdentifier: LocalIdentifier(name), mediaType: .image, pixelSize: resource.storedSize,
      creationDate: AssetDate(wallSeconds: 0), modificationDate: AssetDate(wallSeconds: modified),
      resources: [resource])
    return ImageRequest(
      asset: asset, targetSize: PixelSize(width: side, height: side), contentMode: mode,
      options: ImageRequestOptions(deliveryMode: delivery, resizeMode: .exact))
  }
}
