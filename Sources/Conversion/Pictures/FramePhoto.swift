package import AssetLibrary
import Imaging
import Metadata
package import Pixels

/// The file of a photo that is a frame of a video.
package enum FramePhoto {
  /// The quality on libjpeg's scale: a frame was compressed once already.
  static let quality = 95

  /// Returns a JPEG with date and place.
  ///
  /// A pure function; safe to call from several threads.
  /// - Parameters:
  ///   - pixels: the frame, upright and in sRGB.
  ///   - date: when it was taken.
  ///   - location: where it was taken; nil = unknown.
  /// - Returns: nil if libjpeg fails (an empty image, insufficient memory).
  package static func jpeg(of pixels: PixelBuffer, _ date: AssetDate, _ location: Location?) -> [UInt8]? {
    var facts = MediaFacts()
    facts.captureTime = CivilTime(wallSeconds: date.wallSeconds)
    facts.captureTime?.nanosecond = Int(date.nanoseconds)
    facts.captureTime?.utcOffset = date.utcOffset.map(Int.init)
    facts.coordinate = location.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    let opaque = pixels.isOpaque ? pixels : pixels.onWhite
    return JPEGEncoder.encode(opaque, quality: quality, subsampling: .none, app1: EXIFWriter.app1(facts))
  }
}
