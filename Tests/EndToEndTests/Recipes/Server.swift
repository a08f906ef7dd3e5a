import Fixtures
import Foundation
import Glibc

/// A program that serves a test until it is ended, and prints its address in the first line.
final class Server {
  private let process = Process()
  let line: String

  /// - Parameter environment: By default that of the tests.
  init(_ command: [String], environment: [String: String]? = nil) throws {
    let output = Pipe()
    process.environment = environment
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
      line.append(byte)
    }
    self.line = String(decoding: line, as: UTF8.self)
    guard !line.isEmpty else {
      end()
      throw FixtureError("\(command[0]) does not start")
    }
  }

  deinit { end() }

  func end() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }
}
