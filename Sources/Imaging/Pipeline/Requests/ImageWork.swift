import AssetLibrary
import Pixels
import Rendering

/// The key of a result: requests with equal work share a decode, a download and a cache entry.
struct ImageWork: Hashable, Sendable {
  /// What is made from the file.
  enum Product: Hashable, Sendable {
    case picture(PictureShape)
    /// The unchanged bytes.
    case data
  }

  /// The file.
  var source: ImageSource
  var product: Product

  init(_ request: ImageRequest) {
    source = ImageSource(request.asset, request.options.version)
    product = .picture(PictureShape(request))
  }

  init(_ request: ImageDataRequest) {
    source = ImageSource(request.asset, request.version)
    product = .data
  }

  /// Whether the result is a whole image or a whole file, not a crop.
  var isWhole: Bool {
    if case .picture(let shape) = product { shape.crop == .whole } else { true }
  }
}

/// One file of an asset in one version.
struct ImageSource: Hashable, Sendable {
  var asset: LocalIdentifier
  var modificationDate: AssetDate
  var fileVersion: FileVersion?
  /// The index of the resource; nil if the asset has none for the requested version.
  var resource: Int?

  init(_ asset: Asset, _ version: AssetVersion) {
    self.asset = asset.localIdentifier
    modificationDate = asset.modificationDate
    let chosen = asset.resource(for: version)
    fileVersion = chosen?.fileVersion
    resource = chosen.flatMap(asset.resources.firstIndex(of:))
  }
}

/// A job for a worker.
///
/// Every job has a new number, even for work that was done before.
struct ImageJob: Hashable, Sendable {
  var work: ImageWork
  var asset: Asset
  var phase: JobPhase
  var run: UInt64
  /// Whether the job is a prefetch.
  var isBackground: Bool
  /// The number of pixels in memory while the job runs.
  var cost: Int

  static func == (a: ImageJob, b: ImageJob) -> Bool { a.run == b.run }
  func hash(into hasher: inout Hasher) { hasher.combine(run) }
}

/// A request to the table.
struct WorkRequest: Sendable {
  var work: ImageWork
  var asset: Asset
  var delivery: ImageRequestOptions.DeliveryMode
  var allowsNetwork: Bool

  init(_ request: ImageRequest) {
    work = ImageWork(request)
    asset = request.asset
    // A synchronous request has a single result, the final one.
    delivery = request.options.isSynchronous ? .highQualityFormat : request.options.deliveryMode
    allowsNetwork = request.options.isNetworkAccessAllowed
  }

  init(_ request: ImageDataRequest) {
    work = ImageWork(request)
    asset = request.asset
    delivery = .highQualityFormat
    allowsNetwork = request.isNetworkAccessAllowed
  }
}

/// The outcome of a job or a download.
enum ImageOutcome: Sendable {
  case picture(PixelBuffer, isDegraded: Bool, note: String?)
  case data([UInt8], AssetResource)
  /// No image: no degraded one is available, or the request was cancelled.
  case nothing
  case failure(AssetError)

  /// The phase that the outcome belongs to; nil for `nothing` and `failure`.
  var phase: JobPhase? {
    switch self {
    case .picture(_, let isDegraded, _): isDegraded ? .degraded : .final
    case .data: .final
    case .nothing, .failure: nil
    }
  }
}

/// A result that is delivered to a waiting request.
struct RequestAnswer: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    /// The outcome of the job or download that finished.
    case outcome
    /// The original is remote, and network access is not allowed.
    case unreachable
  }

  var id: ImageRequestID
  var content: Content
  var isLast: Bool
  /// Whether it is a degraded image of a remote original.
  var isInCloud: Bool

  init(id: ImageRequestID, content: Content, isLast: Bool, isInCloud: Bool = false) {
    self.id = id
    self.content = content
    self.isLast = isLast
    self.isInCloud = isInCloud
  }
}
