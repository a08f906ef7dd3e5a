package import AssetLibrary
package import CodecProtocol
package import Pixels

/// The codec helper as a decoder: HEIC, AVIF, TIFF, JPEG XL, raw files and stills of videos.
package final class HelperDecoder: ForeignDecoder {
  private let helper: CodecHelper

  package init(_ helper: CodecHelper = CodecHelper()) {
    self.helper = helper
  }

  package func picture(
    of reader: any ResourceReader, request: ForeignRequest, isCancelled: () -> Bool
  ) throws(AssetError) -> ForeignPicture? {
    guard let descriptor = reader.descriptor else {
      throw AssetError(request.name, "can be drawn only from a file of its own")
    }
    let decode = DecodeRequest(
      targetWidth: request.targetSize.width, targetHeight: request.targetSize.height,
      fills: request.contentMode == .aspectFill, source: request.develops ? .developed : .picture,
      maxSide: request.sideLimit,
      maxDecodedPixels: request.pixelLimit)
    let decoded: DecodedPicture
    do {
      guard let answer = try helper.decode(descriptor, decode, isCancelled: isCancelled) else { return nil }
      decoded = answer
    } catch {
      throw AssetError(request.name, error.reason, isTransient: error.isTransient, isStall: error.isStall)
    }
    // The helper was told; one that was taken over may not care.
    let size = decoded.size
    guard size.area <= request.pixelLimit, max(size.width, size.height) <= request.sideLimit else {
      throw AssetError(request.name, CodecError.tooLarge(width: size.width, height: size.height).reason)
    }
    return ForeignPicture(
      pixels: decoded.pixels, sourceSize: PixelSize(width: decoded.sourceWidth, height: decoded.sourceHeight),
      note: decoded.note)
  }

  package func frames(
    of reader: any ResourceReader, range: Range<Int>, name: String, targetSize: PixelSize,
    cancellation: Cancellation
  ) throws(AssetError) -> any FrameReader {
    guard let descriptor = reader.descriptor else {
      throw AssetError(name, "can be played only from a file of its own")
    }
    let request = FramesRequest(
      targetWidth: min(targetSize.width, Self.largestSide),
      targetHeight: min(targetSize.height, Self.largestSide),
      range: range)
    return HelperFrameReader(
      helper.frames(of: descriptor, request), of: reader, name: name, target: targetSize,
      cancellation: cancellation)
  }

  /// No screen is larger.
  static let largestSide = 16_384
}

extension DecodedPicture {
  fileprivate var size: PixelSize { PixelSize(width: width, height: height) }

  /// The pixels where they are.
  var pixels: PixelBuffer { PixelBuffer(size: size, in: self) }
}

extension DecodedPicture: PixelMemory {}
