import AssetLibrary
import CMD5
package import Pixels
import SystemPackage

/// What the standard calls a file: its URI, and the MD5 of that, which names its thumbnails.
///
/// Source: Thumbnail Managing Standard 0.9, "Thumbnail Directory". The URI is written as GLib does it
/// (`g_filename_to_uri`), because other programs look for the same letters.
struct ThumbnailName: Hashable, Sendable {
  let uri: String
  /// 32 hexadecimal digits, in small letters.
  let digest: String

  /// The name of a file.
  /// - Parameter path: absolute, without dots.
  init(_ path: FilePath) {
    uri = FileURI.text(for: path.bytes, encoding: .glib)
    digest = Self.digest(of: uri)
  }

  /// The name of the thumbnail's own file.
  var fileName: String { digest + ".png" }

  /// Whether a file has a name as thumbnails have them.
  static func isFileName(_ name: String) -> Bool { name.hasSuffix(".png") && isDigest(name.dropLast(4)) }

  /// Whether a text is one that names thumbnails.
  static func isDigest(_ text: Substring) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  private static func digest(of text: String) -> String {
    let bytes = Array(text.utf8)
    // The digits and a NUL.
    return String(unsafeUninitializedCapacity: 33) { digest in
      digest.withMemoryRebound(to: CChar.self) { _ = MD5Data(bytes, bytes.count, $0.baseAddress) }
      return digest.count - 1
    }
  }
}

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
