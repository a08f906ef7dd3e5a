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
    uri = Self.uri(of: path)
    digest = Self.digest(of: uri)
  }

  /// The name of the thumbnail's own file.
  var fileName: String { digest + ".png" }

  private static func uri(of path: FilePath) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var text = Array("file://".utf8)
    for byte in path.bytes {
      if isPlain(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// RFC 3986's characters of a path that need no percent sign, but for the semicolon, which GLib escapes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!$&'()*+,-./:=@_~".utf8.contains(byte)
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
