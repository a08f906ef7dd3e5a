import AssetLibrary
import CodecProtocol
import Pixels
import Rendering

extension RenderingRequest {
  /// A request for the picture in a file.
  /// - Parameter budget: what it may cost.
  init(_ shape: PictureShape, orientation: Orientation, _ budget: DecodeBudget) {
    self.init()
    (targetWidth, targetHeight) = (shape.targetSize.width, shape.targetSize.height)
    fills = shape.contentMode == .aspectFill
    resizing =
      switch shape.resizeMode {
      case .none: .none
      case .fast: .fast
      case .exact: .exact
      }
    crop = [shape.crop.x, shape.crop.y, shape.crop.width, shape.crop.height]
    self.orientation = orientation.rawValue
    maxDecodedPixels = budget.decodedPixels
    maxWorkingBytes = budget.workingBytes
  }
}
