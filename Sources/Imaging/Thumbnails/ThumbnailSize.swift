package import Pixels

/// The sizes in which thumbnails are kept: how large the longer side is at most, in pixels.
///
/// Source: Thumbnail Managing Standard 0.9, "Thumbnail Directory".
package enum ThumbnailSize: Int, CaseIterable, Hashable, Sendable {
  case normal = 128
  case large = 256
  case xLarge = 512
  case xxLarge = 1024

  /// The longest side of a thumbnail of this size, in pixels.
  package var side: Int { rawValue }

  /// The name of the folder for this size.
  var folderName: String {
    switch self {
    case .normal: "normal"
    case .large: "large"
    case .xLarge: "x-large"
    case .xxLarge: "xx-large"
    }
  }

  /// The smallest size whose thumbnails are as large as a whole picture of `size` pixels; nil where none is.
  package init?(covering size: PixelSize) {
    guard !size.isEmpty, let found = Self.allCases.first(where: { $0.side >= size.longerSide }) else {
      return nil
    }
    self = found
  }

  /// The square that holds every thumbnail of this size.
  var box: PixelSize { PixelSize(width: side, height: side) }
}

extension PixelSize {
  var longerSide: Int { max(width, height) }
}
