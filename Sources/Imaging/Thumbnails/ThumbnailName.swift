import AssetLibrary
import CMD5
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

  private static func digest(of text: String) -> String {
    let bytes = Array(text.utf8)
    // The digits and a NUL.
    return String(unsafeUninitializedCapacity: 33) { digest in
      digest.withMemoryRebound(to: CChar.self) { _ = MD5Data(bytes, bytes.count, $0.baseAddress) }
      return digest.count - 1
    }
  }
}
