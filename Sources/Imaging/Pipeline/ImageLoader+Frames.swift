import AssetLibrary
import Pixels

extension ImageLoader {
  /// The frames of an asset that moves.
  func frames(of request: FrameRequest, _ cancellation: Cancellation) throws(AssetError) -> any FrameReader {
    let asset = request.asset
    if let defect = asset.defect { throw AssetError(asset.displayName, defect) }
    guard let resource = asset.movingResource else {
      throw AssetError(asset.displayName, "it does not move")
    }
    guard store.isLocal(resource) else {
      throw AssetError(asset.displayName, "it is only in a remote library", isTransient: true)
    }
    // A clip within a photo is read out of the whole file.
    var whole = resource
    whole.byteRange = nil
    let reader = try store.reader(for: whole)
    guard resource.byteRange == nil, AnimationReader.knows(reader) else {
      guard let foreign else {
        throw AssetError(asset.displayName, "videos can't be played here", isTransient: true)
      }
      return try foreign.frames(
        of: reader, range: resource.byteRange ?? 0..<reader.count, name: resource.displayName,
        targetSize: request.targetSize, cancellation: cancellation)
    }
    return try AnimationReader(
      reader, name: resource.displayName, orientation: resource.orientation, target: request.targetSize,
      colors: colors, cancellation: cancellation)
  }
}
