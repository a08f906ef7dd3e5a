import System

/// Words of bytes as the C library takes them.
enum ByteStrings {
  /// Calls a function with pointers to the words and a null pointer behind them, valid for the call.
  static func withPointers<Result>(
    _ words: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers: [UnsafeMutablePointer<CChar>?] = words.map { word in
      strdup((word + [0]).map { CChar(bitPattern: $0) })
    }
    defer { pointers.forEach { free($0) } }
    return body(pointers + [nil])
  }

  /// Calls a function with a word that ends with NUL.
  static func withPointer<Result>(_ word: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    (word + [0]).withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: CChar.self).baseAddress.map(body)
    }
  }
}
