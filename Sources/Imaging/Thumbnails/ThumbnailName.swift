import AssetLibrary
import CMD5
package import Pixels
import SystemPackage

/// The name of a file in the thumbnail standard: its URI, and the MD5 digest of the URI, which names its
/// thumbnails.
///
/// Source: Thumbnail Managing Standard 0.9, "Thumbnail Directory". The URI is encoded as by GLib
/// (`g_filename_to_uri`), because other programs compute the digest of exactly that string.
struct ThumbnailName: Hashable, Sendable {
  let uri: String
  /// 32 hexadecimal digits in lowercase.
  let digest: String

  /// Creates the name of a file.
  /// - Parameter path: an absolute path without `.` and `..`.
  init(_ path: FilePath) {
    uri = FileURI.text(for: path.bytes, encoding: .glib)
    digest = Self.digest(of: uri)
  }

  /// The file name of the thumbnail.
  var fileName: String { digest + ".png" }

  /// Whether a file name is a thumbnail's.
  static func isFileName(_ name: String) -> Bool { name.hasSuffix(".png") && isDigest(name.dropLast(4)) }

  /// Whether a text is the digest of a thumbnail.
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

/// The sizes of stored thumbnails: the maximum length of the longer side in pixels.
///
/// Source: Thumbnail Managing Standard 0.9, "Thumbnail Directory".
package enum ThumbnailSize: Int, CaseIterable, Hashable, Sendable {
  case normal = 128
  case large = 256
  case xLarge = 512
  case xxLarge = 1024

  /// The maximum length of the longer side in pixels.
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

  /// Creates the smallest size whose thumbnails cover a whole image of `size` pixels; nil if none does.
  package init?(covering size: PixelSize) {
    guard !size.isEmpty, let found = Self.allCases.first(where: { $0.side >= size.longerSide }) else {
      return nil
    }
    self = found
  }

  /// The square that contains every thumbnail of this size.
  var box: PixelSize { PixelSize(width: side, height: side) }
}

extension PixelSize {
  var longerSide: Int { max(width, height) }
}
