import SystemPackage
import System

extension FilePath {
  /// The bytes, which need be no text.
  var bytes: [UInt8] {
    withPlatformString { start in
      UnsafeBufferPointer(start: start, count: strlen(start)).map(UInt8.init(bitPattern:))
    }
  }

  /// - Parameter bytes: without a NUL.
  init(bytes: [UInt8]) {
    self = (bytes + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
    }
  }
}
