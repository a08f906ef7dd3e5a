import CVTerm
import Glibc

/// A file descriptor that is closed when it is released.
final class FileDescriptor {
  private(set) var number: Int32

  /// Takes ownership of a descriptor returned by a system call.
  init(_ number: Int32, _ call: String) throws(TerminalFailure) {
    guard number >= 0 else { throw TerminalFailure(call: call, error: errno) }
    self.number = number
  }

  deinit { close() }

  var isOpen: Bool { number >= 0 }

  func close() {
    if isOpen { _ = Glibc.close(number) }
    number = -1
  }

  func makeNonBlocking() {
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
  }

  static func pipe() throws(TerminalFailure) -> (reading: FileDescriptor, writing: FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    if pipe2(&ends, O_CLOEXEC) != 0 { throw TerminalFailure(call: "pipe2", error: errno) }
    return (try FileDescriptor(ends[0], "pipe2"), try FileDescriptor(ends[1], "pipe2"))
  }

  /// Reads without waiting, up to a megabyte; `closed` at the end.
  func readAvailable() -> (bytes: [UInt8], closed: Bool) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while isOpen, bytes.count < 1 << 20 {
      let count = read(number, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 || errno != EINTR {
        return (bytes, count == 0 || errno != EAGAIN)
      }
    }
    return (bytes, !isOpen)
  }

  /// Writes what fits without waiting and removes it from the front; `false` if the reader is gone.
  func writeAvailable(_ bytes: inout [UInt8]) -> Bool {
    while !bytes.isEmpty {
      let count = write(number, bytes, bytes.count)
      if count > 0 {
        bytes.removeFirst(count)
      } else if errno != EINTR {
        return errno == EAGAIN
      }
    }
    return true
  }
}

extension TerminalFailure {
  init(call: String, error: Int32) {
    self.init(description: "\(call): \(String(cString: strerror(error)))")
  }
}
