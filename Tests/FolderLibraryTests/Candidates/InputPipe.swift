import Glibc
import SystemPackage

@testable import FolderLibrary

/// A stream into which a test writes paths.
final class InputPipe {
  let reading: FileDescriptor
  private let writing: FileDescriptor
  private var isOpen = true

  init() throws {
    var ends: [Int32] = [-1, -1]
    // A child of another test would keep the writing end of a pipe open.
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Errno(rawValue: errno) }
    (reading, writing) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
  }

  deinit {
    end()
    // The thread that reads may still do so: its end is left to the process.
  }

  func write(_ text: String) throws { _ = try writing.writeAll(text.utf8) }

  /// Nothing more will come.
  func end() {
    if isOpen {
      // A child of another test has this end too, until it begins its program.
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
