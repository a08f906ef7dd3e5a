import AssetLibrary
import Pixels
import Rendering

/// What decides an answer: requests with equal work share one decode, one download and one place in the cache.
struct ImageWork: Hashable, Sendable {
  /// What is made of the file.
  enum Product: Hashable, Sendable {
    case picture(PictureShape)
    /// Its bytes as they are.
    case data
  }

  /// The file that it is made from.
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

  /// Whether it is a whole picture, or a whole file.
  var isWhole: Bool {
    if case .picture(let shape) = product { shape.crop == .whole } else { true }
  }
}

/// One file of an asset in one state.
struct ImageSource: Hashable, Sendable {
  var asset: LocalIdentifier
  var modificationDate: AssetDate
  var fileVersion: FileVersion?
  /// The index of the resource; nil where the asset has none for the version.
  var resource: Int?

  init(_ asset: Asset, _ version: AssetVersion) {
    self.asset = asset.localIdentifier
    modificationDate = asset.modificationDate
    let chosen = asset.resource(for: version)
    fileVersion = chosen?.fileVersion
    resource = chosen.flatMap(asset.resources.firstIndex(of:))
  }
}

/// Something for a worker to do; each job is a run of its own, also of work that was asked for before.
struct ImageJob: Hashable, Sendable {
  var work: ImageWork
  var asset: Asset
  var phase: JobPhase
  var run: UInt64
  /// Whether it is prefetching.
  var isBackground: Bool
  /// Pixels in memory while it runs.
  var cost: Int

  static func == (a: ImageJob, b: ImageJob) -> Bool { a.run == b.run }
  func hash(into hasher: inout Hasher) { hasher.combine(run) }
}

/// What somebody asks the table for.
struct WorkRequest: Sendable {
  var work: ImageWork
  var asset: Asset
  var delivery: ImageRequestOptions.DeliveryMode
  var allowsNetwork: Bool

  init(_ request: ImageRequest) {
    work = ImageWork(request)
    asset = request.asset
    // A synchronous request has one answer, the final one.
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

/// What a job or a download has led to.
enum ImageOutcome: Sendable {
  case picture(PixelBuffer, isDegraded: Bool, note: String?)
  case data([UInt8], AssetResource)
  /// No picture: none at hand, or nobody wants it any more.
  case nothing
  case failure(AssetError)

  /// Which half of the work this is; nil where it is neither.
  var phase: JobPhase? {
    switch self {
    case .picture(_, let isDegraded, _): isDegraded ? .degraded : .final
    case .data: .final
    case .nothing, .failure: nil
    }
  }
}

/// What a waiting request is told.
struct RequestAnswer: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    /// What the job or the download that ended has given.
    case outcome
    /// The original is only remote, and no network may be used.
    case unreachable
  }

  var id: ImageRequestID
  var content: Content
  var isLast: Bool
  /// Whether it is a picture at hand of an original that is only remote.
  var isInCloud: Bool

  init(id: ImageRequestID, content: Content, isLast: Bool, isInCloud: Bool = false) {
    self.id = id
    self.content = content
    self.isLast = isLast
    self.isInCloud = isInCloud
  }
}
