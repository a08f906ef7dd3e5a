/// Paths of URLs.
enum URLPath {
  /// The path under which `rclone rcd --rc-serve` has a file: "/[remote:]/folder/file".
  static func path(of file: String, in remote: String) -> String {
    "/[" + escaped(remote) + "]/" + escaped(file)
  }

  /// A path with everything escaped but letters, digits, "-", ".", "_", "~" and slashes (RFC 3986, 2.3).
  static func escaped(_ path: String) -> String {
    var bytes: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
