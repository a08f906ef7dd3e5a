import Glibc
import SystemPackage

@testable import FolderLibrary

/// A pipe into which a test writes paths.
final class InputPipe {
  let reading: FileDescriptor
  private let writing: FileDescriptor
  private var isOpen = true

  init() throws {
    var ends: [Int32] = [-1, -1]
    // A child process of another test would keep the write end of a pipe open.
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Errno(rawValue: errno) }
    (reading, writing) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
  }

  deinit {
    end()
    // The reading thread may still be using its end, which is therefore closed only at process exit.
  }

  func write(_ text: String) throws { _ = try writing.writeAll(text.utf8) }

  /// Ends the input.
  func end() {
    if isOpen {
      // A child process of another test holds this end as well until it calls exec.
      shutdown(writing.rawValue, Int32(SHUT_WR))
      try? writing.close()
    }
    isOpen = false
  }

  func stream(
    isNulSeparated: Bool = false, place: Int = 0, standsAlone: Bool = true,
    missing: IssueTally = IssueTally(namesKept: 3)
  ) -> CandidateStream {
    CandidateStream(
      reading: reading.rawValue, isNulSeparated: isNulSeparated, place: place, standsAlone: standsAlone,
      missing: missing, probes: .shared)
  }
}
