import CodecProtocol
import Fixtures
import Pixels

/// A folder in which FFmpeg, ExifTool, ImageMagick and the encoders of libheif and libjxl make files.
struct ToolFolder {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func run(_ command: String...) throws { try folder.run(command) }

  func run(_ command: [String]) throws { try folder.run(command) }

  func write(_ bytes: [UInt8], to name: String) throws { try folder.write(bytes, to: name) }

  /// Writes a picture as a portable pixmap.
  func write(_ picture: PixelBuffer, to name: String) throws {
    var bytes = Array("P6\n\(picture.width) \(picture.height)\n255\n".utf8)
    let pixels = picture.bytes
    for pixel in stride(from: 0, to: pixels.count, by: 4) {
      bytes += pixels[pixel..<pixel + 3]
    }
    try write(bytes, to: name)
  }

  func bytes(of name: String) throws -> [UInt8] { try folder.bytes(of: name) }

  func facts(of name: String, _ helper: CodecHelper) throws -> CodecFacts {
    try helper.facts(ofBytes: bytes(of: name))
  }
}
