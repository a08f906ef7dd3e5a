import AssetLibrary
import SystemPackage

/// A path as an argument or a line of a list gives it: as it is, or as a `file://` URI.
enum PathArgument {
  /// The path of an argument.
  static func path(_ word: String) -> FilePath { path(ArgumentBytes.bytes(word)) }

  /// The path of a line.
  static func path(_ bytes: some Sequence<UInt8>) -> FilePath {
    let bytes = Array(bytes)
    // Lists of URIs (RFC 2483) end their lines with CR and LF.
    let uri =
      bytes.starts(with: "file:".utf8)
      ? FileURI.path(of: String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)) : nil
    return FilePath(bytes: uri ?? bytes)
  }

  /// The paths of a list, one a line, or separated by NUL where there are any.
  static func paths(inList bytes: [UInt8]) -> [FilePath] {
    bytes.split(separator: bytes.contains(0) ? 0 : 0x0A).map(path)
  }
}
