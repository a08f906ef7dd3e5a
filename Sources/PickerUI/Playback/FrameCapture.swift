package import AssetLibrary
import Pixels

/// A frame of a clip that is to be saved as a new photo.
package struct FrameCapture: Hashable, Sendable {
  /// The clip in its full size.
  package var frames: FrameRequest
  /// The time of the frame, from the start of the clip.
  package var time: Duration

  /// - Parameter time: from the start of the clip.
  package init(of asset: Asset, _ version: AssetVersion, at time: Duration) {
    // Frames are never enlarged.
    frames = FrameRequest(
      asset: asset, targetSize: PixelSize(width: 1 << 16, height: 1 << 16), version: version)
    self.time = time
  }

  /// When the frame was taken: the date of the clip and the time in it.
  package var date: AssetDate {
    let start = frames.asset.creationDate
    let (seconds, rest) = (time.components.seconds, time.components.attoseconds / 1_000_000_000)
    let nanoseconds = Int64(start.nanoseconds) + rest
    return AssetDate(
      wallSeconds: start.wallSeconds.addingSaturated(seconds + nanoseconds / 1_000_000_000),
      nanoseconds: Int32(nanoseconds % 1_000_000_000), utcOffset: start.utcOffset)
  }

  /// The longest part of the clip's name in bytes: a file name has at most 255.
  private static let longestStem = 160

  /// The name of the photo without extension, such as `IMG_0040-frame-00m12s340`.
  package var name: String {
    let bytes = frames.asset.nameBytes
    let stem = bytes[..<(bytes[...].fileExtension.map { $0.startIndex - 1 } ?? bytes.count)]
    var name = ""
    for scalar in String(decoding: stem, as: UTF8.self).unicodeScalars {
      // A photo that begins with a dot is hidden.
      let isOdd = scalar.value < 0x20 || scalar.value == 0x7F || name.isEmpty && scalar == "."
      if name.utf8.count + 4 > Self.longestStem { break }
      name.unicodeScalars.append(isOdd ? "_" : scalar)
    }
    let (seconds, rest) = (time.components.seconds, time.components.attoseconds / 1_000_000_000_000_000)
    let hours = seconds >= 3600 ? "\(seconds / 3600)h" : ""
    return
      "\(name)-frame-\(hours)\(Self.digits(seconds / 60 % 60, 2))m\(Self.digits(seconds % 60, 2))s\(Self.digits(rest, 3))"
  }

  private static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
