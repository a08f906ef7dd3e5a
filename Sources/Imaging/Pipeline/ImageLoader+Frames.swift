import AssetLibrary
import MediaFormats
import Pixels
import Rendering

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
    let format = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)
    if resource.byteRange == nil, format?.decoder == .builtIn, format?.canMove ?? false {
      return try renderer.frames(
        of: resource, from: reader, toFit: request.targetSize, cancellation: cancellation)
    }
    guard let foreign else {
      throw AssetError(asset.displayName, "videos can't be played here", isTransient: true)
    }
    return try foreign.frames(
      of: reader, range: resource.byteRange ?? 0..<reader.count, name: resource.displayName,
      targetSize: request.targetSize, cancellation: cancellation)
  }

  /// About how many pixels are in memory while an animation plays; 0 for a video, of which there is one frame.
  func pixels(of request: FrameRequest) -> Int {
    guard let resource = request.asset.movingResource, resource.byteRange == nil,
      FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)?.decoder == .builtIn
    else { return 0 }
    return min(resource.storedSize.area, AnimationBudget.canvasPixels) * AnimationBudget.canvases
  }
}
