import AssetLibrary

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
