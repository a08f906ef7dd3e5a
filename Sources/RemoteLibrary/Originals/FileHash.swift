import CMD5
import System

/// A hash by which a server may know its files, the surest first; named as rclone names them.
enum FileHash: String, CaseIterable {
  case sha256, sha1, md5

  private static let chunk = 1 << 20

  /// The hash of an open file, in small hexadecimal digits; nil where it can't be read.
  func digest(of descriptor: Int32) -> String? {
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    var hash = RunningHash(self)
    var offset = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, offset) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { break }
      hash.update(buffer[..<count])
      offset += count
    }
    return hash.finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

/// A hash of bytes that come one after the other.
private struct RunningHash {
  private enum State {
    case sha256(SHA2_CTX)
    case sha1(SHA1_CTX)
    case md5(MD5_CTX)
  }

  private var state: State

  init(_ kind: FileHash) {
    switch kind {
    case .sha256:
      var context = SHA2_CTX()
      SHA256Init(&context)
      state = .sha256(context)
    case .sha1:
      var context = SHA1_CTX()
      SHA1Init(&context)
      state = .sha1(context)
    case .md5:
      var context = MD5_CTX()
      MD5Init(&context)
      state = .md5(context)
    }
  }

  mutating func update(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { bytes in
      switch state {
      case .sha256(var context):
        SHA256Update(&context, bytes.baseAddress, bytes.count)
        state = .sha256(context)
      case .sha1(var context):
        SHA1Update(&context, bytes.baseAddress, bytes.count)
        state = .sha1(context)
      case .md5(var context):
        MD5Update(&context, bytes.baseAddress, bytes.count)
        state = .md5(context)
      }
    }
  }

  mutating func finish() -> [UInt8] {
    switch state {
    case .sha256(var context):
      var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
      SHA256Final(&digest, &context)
      return digest
    case .sha1(var context):
      var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_LENGTH))
      SHA1Final(&digest, &context)
      return digest
    case .md5(var context):
      var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
      MD5Final(&digest, &context)
      return digest
    }
  }
}
