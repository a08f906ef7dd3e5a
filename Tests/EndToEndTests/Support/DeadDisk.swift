import Fixtures
import Foundation
import TestTerminal

/// A mount on which some files and folders never answer, or all of it; goes when it is ended.
///
/// Its names tell what does not answer (Tests/Support/DeadDisk/main.c).
final class DeadDisk {
  /// Whether this machine and this user can mount one.
  static let isAvailable = (try? DeadDisk().end()) != nil

  /// What the disk holds.
  let content: TemporaryFolder
  private let place: TemporaryFolder
  private let server = Process()
  private let input = Pipe()

  /// Where it is mounted.
  var path: String { "\(place.path)/disk" }

  /// - Parameter isDead: whether nothing on it answers.
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

  /// Unmounts it: whoever waits for an answer gets an error.
  func end() {
    try? input.fileHandleForWriting.close()
    server.waitUntilExit()
  }
}
