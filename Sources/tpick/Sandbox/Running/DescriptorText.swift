import CPlatform
import System

/// Reads and writes bytes through descriptors.
enum DescriptorText {
  /// All bytes until the end.
  static func read(_ descriptor: Int32) -> [UInt8] {
    var all: [UInt8] = []
    while let more = next(descriptor), !more.isEmpty { all += more }
    return all
  }

  /// The next bytes; empty at the end, nil if none are available.
  static func next(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count >= 0 { return Array(buffer[..<count]) }
      if errno == EINTR { continue }
      return errno == EAGAIN ? nil : []
    }
  }

  /// A file in memory, positioned at its start and closed by exec; nil if there is not enough memory.
  static func memory(_ bytes: [UInt8]) -> Int32? {
    let file = memory_file_create()
    guard file >= 0 else { return nil }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else {
        close(file)
        return nil
      }
      rest = rest.dropFirst(count)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }
}
