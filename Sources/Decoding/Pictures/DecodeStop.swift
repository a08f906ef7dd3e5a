package import AssetLibrary
import CodecProtocol
import Pixels

/// Why a decode ended without a picture.
package enum DecodeStop: Error, Hashable {
  case cancelled
  /// Something about the content, as words that follow the file's name.
  case failed(String)
  /// The file can't be read.
  case unreadable(AssetError)
  case noMemory
  /// It took too long, perhaps because the disk or the machine was slow.
  case late

  static let noEnd = failed(cutShort)
  static let damaged = failed("the picture is damaged")

  /// What is said of a file that has only a part of its picture.
  static let cutShort = "the file ends in the middle of the picture"

  static func tooLarge(_ size: PixelSize) -> DecodeStop {
    failed(CodecError.tooLarge(width: size.width, height: size.height).reason)
  }
}
