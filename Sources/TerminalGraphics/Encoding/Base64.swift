/// Base 64 (RFC 4648, section 4), with padding.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let length = (bytes.count + 2) / 3 * 4
    return [UInt8](unsafeUninitializedCapacity: length) { output, count in
      alphabet.withUnsafeBufferPointer { alphabet in
        var read = 0
        var write = 0
        while read < bytes.count {
          let left = bytes.count - read
          let group =
            UInt32(bytes[read]) << 16 | (left > 1 ? UInt32(bytes[read + 1]) << 8 : 0)
            | (left > 2 ? UInt32(bytes[read + 2]) : 0)
          output[write] = alphabet[Int(group >> 18)]
          output[write + 1] = alphabet[Int(group >> 12 & 63)]
          output[write + 2] = left > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "=")
          output[write + 3] = left > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "=")
          read += 3
          write += 4
        }
      }
      count = length
    }
  }
}
