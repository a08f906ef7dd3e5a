package import AssetLibrary

/// What somebody asks the table for.
package struct WorkRequest: Sendable {
  package var work: ImageWork
  package var asset: Asset
  package var delivery: ImageRequestOptions.DeliveryMode
  package var allowsNetwork: Bool

  package init(_ request: ImageRequest) {
    work = ImageWork(request)
    asset = request.asset
    // A synchronous request has one answer, the final one.
    delivery = request.options.isSynchronous ? .highQualityFormat : request.options.deliveryMode
    allowsNetwork = request.options.isNetworkAccessAllowed
  }

  package init(_ request: ImageDataRequest) {
    work = ImageWork(request)
    asset = request.asset
    delivery = .highQualityFormat
    allowsNetwork = request.isNetworkAccessAllowed
  }
}
