import CodecProtocol
import Fixtures

/// A folder in which FFmpeg, ExifTool and libheif's encoder make files.
struct ToolFolder {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func run(_ command: String...) throws { try folder.run(command) }

  func run(_ command: [String]) throws { try folder.run(command) }

  func bytes(of name: String) throws -> [UInt8] { try folder.bytes(of: name) }

  func facts(of name: String, _ helper: CodecHelper) throws -> CodecFacts {
    try helper.facts(ofBytes: bytes(of: name))
  }
}
