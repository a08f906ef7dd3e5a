import CodecProtocol
import Fixtures
import Metadata
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
    let head = Array("P6\n\(picture.width) \(picture.height)\n255\n".utf8)
    // With pointers: without optimization a slice per pixel takes longer than the programs that read the file.
    let bytes = picture.bytes.withUnsafeBufferPointer { pixels in
      let count = pixels.count / 4
      return [UInt8](unsafeUninitializedCapacity: count * 3) { colors, filled in
        var (from, to) = (0, 0)
        while to < count * 3 {
          colors[to] = pixels[from]
          colors[to + 1] = pixels[from + 1]
          colors[to + 2] = pixels[from + 2]
          (from, to) = (from + 4, to + 3)
        }
        filled = to
      }
    }
    try write(head + bytes, to: name)
  }

  func bytes(of name: String) throws -> [UInt8] { try folder.bytes(of: name) }

  func facts(of name: String, _ helper: CodecClient) throws -> MediaFacts {
    try helper.facts(ofBytes: bytes(of: name))
  }
}
