import Foundation

extension TemporaryFolder {
  /// Runs a program in the folder: FFmpeg, ExifTool and encoders make files that code here can't.
  ///
  /// Its output is discarded.
  /// - Throws: `FixtureError` if it is missing or fails.
  package func run(_ command: [String]) throws {
    let quiet = ["ffmpeg": ["-v", "error", "-y"], "exiftool": ["-q", "-overwrite_original"]]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command[0]] + (quiet[command[0]] ?? []) + command.dropFirst()
    process.currentDirectoryURL = URL(fileURLWithPath: path)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw FixtureError("failed: \(command.joined(separator: " "))")
    }
  }

  /// Runs a program in the folder.
  package func run(_ command: String...) throws { try run(command) }

  /// The content of a file.
  package func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
  }
}
