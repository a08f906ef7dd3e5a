import Fixtures
import Foundation
import TestTerminal

/// A mount on which some or all files and folders never answer; unmounted when it is ended.
///
/// Names determine what does not answer (Tests/Support/DeadDisk/main.c).
final class DeadDisk {
  /// Whether one can be mounted on this machine by this user.
  static let isAvailable = (try? DeadDisk().end()) != nil

  /// The contents of the disk.
  let content: TemporaryFolder
  private let place: TemporaryFolder
  private let server = Process()
  private let input = Pipe()

  /// Its mount point.
  var path: String { "\(place.path)/disk" }

  /// - Parameter isDead: Whether nothing on it answers.
  init(isDead: Bool = false) throws {
    content = try TemporaryFolder()
    place = try TemporaryFolder()
    try place.makeFolder("disk")
    let output = Pipe()
    server.executableURL = URL(fileURLWithPath: Program.sibling("dead-disk"))
    server.arguments = ["\(place.path)/disk", content.path] + (isDead ? ["--dead"] : [])
    server.standardInput = input
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.run()
    guard try output.fileHandleForReading.read(upToCount: 7) == Data("mounted".utf8) else {
      server.waitUntilExit()
      throw FixtureError("FUSE can't be used here")
    }
  }

  /// Unmounts it: pending accesses fail.
  func end() {
    try? input.fileHandleForWriting.close()
    server.waitUntilExit()
  }
}
