import AssetLibrary
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// `file://` URIs by RFC 8089, percent-encoded by RFC 3986: any bytes survive.
enum FileURI {
  static func text(for asset: Asset) -> String {
    guard let path = asset.primaryResource?.path else { return "" }
    return text(for: absolute(path).bytes)
  }

  /// The URI of an absolute path.
  static func text(for path: [UInt8]) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var text = Array("file://".utf8)
    for byte in path {
      if isPlain(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// RFC 3986's unreserved characters and the slash.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: Array("-._~/".utf8).contains(byte)
    }
  }

  /// The path from the root, without single dots; double dots stay, because a symbolic link before them
  /// would lead elsewhere.
  private static func absolute(_ path: FilePath) -> FilePath {
    var plain = FilePath(root: path.root)
    plain.append(path.components.filter { $0.kind != .currentDirectory })
    guard !path.isAbsolute, let folder = getcwd(nil, 0) else { return plain }
    defer { free(folder) }
    return FilePath(platformString: folder).pushing(plain)
  }
}
