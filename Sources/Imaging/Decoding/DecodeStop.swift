import AssetLibrary
import Pixels

/// Why a decode ended without a picture.
enum DecodeStop: Error, Hashable {
  case cancelled
  /// Something about the content, as words that follow the file's name.
  case failed(String)
  /// The file can't be read.
  case unreadable(AssetError)

  static let noMemory = failed("not enough memory")
  static let noEnd = failed(cutShort)
  static let damaged = failed("the picture is damaged")

  /// What is said of a file that has only a part of its picture.
  static let cutShort = "the file ends in the middle of the picture"

  static func tooLarge(_ size: PixelSize) -> DecodeStop {
    failed("the picture is \(size.width.grouped) x \(size.height.grouped) pixels, too large to be shown")
  }
}

extension Int {
  /// The number with commas between its thousands, for people.
  fileprivate var grouped: String {
    let digits = Array(String(self))
    let parts = stride(from: digits.count, to: 0, by: -3).map { end in
      String(digits[Swift.max(0, end - 3)..<end])
    }
    return parts.reversed().joined(separator: ",")
  }
}
