import Glibc
import SystemPackage

@testable import FolderLibrary

/// A pipe into which a test writes paths.
final class InputPipe {
  let reading: FileDescriptor
  private let writing: FileDescriptor
  private var isOpen = true

  init() throws {
    (reading, writing) = try FileDescriptor.pipe()
  }

  deinit {
    end()
    // The thread that reads may still do so: its end is left to the process.
  }

  func write(_ text: String) throws { _ = try writing.writeAll(text.utf8) }

  /// Nothing more will come.
  func end() {
    if isOpen { try? writing.close() }
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
