package import AssetLibrary
import MediaFormats
package import Pixels
import Rendering

// Pictures that become files again.
extension PictureRenderer {
  /// The upright picture in sRGB, decoded from the file itself.
  /// - Parameter box: what it is to fit in; nil = its native size. It is never enlarged.
  /// - Returns: the pixels, and what is missing from them; nil when it was cancelled.
  package func converted(
    _ resource: AssetResource, from reader: any ResourceReader, toFit box: PixelSize?,
    cancellation: Cancellation
  ) throws(AssetError) -> (pixels: PixelBuffer, note: String?)? {
    let shape = PictureShape(fitting: box)
    var rendering = try picture(shape, of: resource, from: reader, cancellation: cancellation)
    // The preview of a raw file may be no more than a thumbnail.
    let isRaw = FileFormat(uniformTypeIdentifier: resource.uniformTypeIdentifier)?.isRaw ?? false
    let source = resource.orientation.upright(resource.storedSize)
    if isRaw, let found = rendering, !source.isEmpty {
      let wanted = shape.needed(of: source)
      if found.pixels.size.area < wanted.area / 5 * 4 {
        do throws(AssetError) {
          rendering = try developed(shape, of: resource, from: reader, cancellation: cancellation)
        } catch {
          rendering?.note = "its preview, because \(error.reason)"
        }
      }
    }
    return rendering.map { ($0.pixels, $0.note) }
  }
}

extension PictureShape {
  /// The whole picture, fitted exactly into a box; nil = in its native size.
  fileprivate init(fitting box: PixelSize?) {
    self = .native
    guard let box else { return }
    (targetSize, contentMode, resizeMode) = (box, .aspectFit, .exact)
  }
}
