import Foundation
import TestTerminal
import Testing

extension Commands {
  /// The format libraries' functions that tpick imports: for writing, never for reading.
  @Suite struct ImportedFunctionsTests {
    /// The functions that a program imports from shared libraries, without versions.
    private func imports(of program: String) throws -> Set<Substring> {
      let output = try Consumer.run(["nm", "-D", "--undefined-only", program])
      let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
      return Set(lines.compactMap { $0.split(separator: " ").last?.split(separator: "@").first })
    }

    /// Whether a function reads pictures or related data.
    private func decodes(_ name: Substring) -> Bool {
      if name.hasPrefix("jpeg_") { return name.contains("ecompress") || name.contains("_read_") }
      if name.hasPrefix("spng_") { return name.contains("decode") || name == "spng_set_png_buffer" }
      if name.hasPrefix("cms") { return name.contains("Open") || name.contains("Transform") }
      return [
        "WebP", "DGif", "GIF", "XML_", "heif_", "TIFF", "avformat_", "avcodec_", "sws_", "libraw_",
        "JxlDecoder",
      ]
      .contains { name.hasPrefix($0) }
    }

    /// The shared libraries that a program is linked with.
    private func libraries(of program: String) throws -> [Substring] {
      let output = try Consumer.run(["readelf", "-d", program])
      return String(decoding: output, as: UTF8.self).split(separator: "\n").filter { $0.contains("(NEEDED)") }
        .compactMap { $0.split(separator: "[").last?.prefix { $0 != "]" } }
    }

    @Test func `Only the helpers are linked with the libraries that read files`() throws {
      let readers = [
        "libexpat", "libwebp", "libgif", "libheif", "libtiff", "libavformat", "libraw", "libjxl",
      ]
      let own = try libraries(of: Program.path)
      #expect(own.contains { $0.hasPrefix("libc.so") })
      #expect(own.filter { library in readers.contains { library.hasPrefix($0) } } == [])
      #expect(try libraries(of: Program.sibling("tpick-reader")).contains { $0.hasPrefix("libexpat") })
    }

    @Test func `Files are decoded in the helpers, and tpick itself imports no function for it`() throws {
      let own = try imports(of: Program.path)
      #expect(own.contains("jpeg_start_compress") && own.contains("spng_encode_image"))
      #expect(own.filter(decodes).sorted() == [])
      let reader = try imports(of: Program.sibling("tpick-reader"))
      let expected: Set<Substring> = [
        "jpeg_read_header", "spng_decode_image", "WebPAnimDecoderGetNext", "DGifGetLine", "cmsDoTransform",
        "XML_Parse",
      ]
      #expect(reader.filter(decodes).isSuperset(of: expected))
      // The reader helper uses none of the heavy libraries.
      #expect(
        reader.filter { name in ["heif_", "TIFF", "avformat_", "JxlDecoder"].contains { name.hasPrefix($0) } }
          == [])
    }
  }
}
