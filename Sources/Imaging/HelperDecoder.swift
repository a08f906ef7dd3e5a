public import AssetLibrary
public import CodecProtocol
import Pixels

/// The codec helper as a decoder: HEIC, AVIF, TIFF, JPEG XL, raw files and stills of videos.
public final class HelperDecoder: ForeignDecoder {
  private let helper: CodecHelper

  public init(_ helper: CodecHelper) {
    self.helper = helper
  }

  public func picture(
    of reader: any ResourceReader, request: ForeignRequest, isCancelled: () -> Bool
  ) throws(AssetError) -> ForeignPicture? {
    guard let descriptor = reader.descriptor else {
      throw AssetError(request.name, "can be drawn only from a file of its own")
    }
    let decode = DecodeRequest(
      targetWidth: request.targetSize.width, targetHeight: request.targetSize.height,
      fills: request.contentMode == .aspectFill)
    let decoded: DecodedPicture
    do {
      guard let answer = try helper.decode(descriptor, decode, isCancelled: isCancelled) else { return nil }
      decoded = answer
    } catch {
      throw AssetError(request.name, error.reason, isTransient: error == .missing)
    }
    let size = PixelSize(width: decoded.width, height: decoded.height)
    guard size.area <= request.pixelLimit else {
      throw AssetError(request.name, "too large to be shown: \(size.width)×\(size.height) pixels")
    }
    let pixels = PixelBuffer(size: size) { (buffer: UnsafeMutableBufferPointer<UInt8>) in
      decoded.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(buffer).copyMemory(from: .init(rebasing: $0[..<buffer.count]))
      }
    }
    return ForeignPicture(
      pixels: pixels, sourceSize: PixelSize(width: decoded.sourceWidth, height: decoded.sourceHeight),
      note: decoded.note)
  }
}
