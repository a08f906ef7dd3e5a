import AssetLibrary
import CPlatform
import Fixtures
import Metadata
import Testing

@testable import Conversion
import Glibc

/// Damaged files whose metadata is removed.
@Suite struct StrippingDamageTests {
  enum Kind: CaseIterable, Sendable { case jpeg, png, webp, gif, bmp }

  private static func sample(_ kind: Kind) throws -> [UInt8] {
    switch kind {
    case .jpeg: try TestPhoto(width: 64, height: 48).bytes()
    case .png:
      PictureFiles.png(width: 64, height: 48, before: PictureFiles.pngChunk("tEXt", Array("a\0b".utf8)))
    case .webp:
      Array("RIFF".utf8) + MediaBytes.little(40, 4) + Array("WEBPVP8X".utf8) + MediaBytes.little(10, 4)
        + [0x0C, 0, 0, 0, 63, 0, 0, 47, 0, 0] + Array("EXIF".utf8) + MediaBytes.little(3, 4) + [1, 2, 3, 0]
    case .gif: PictureFiles.gif(width: 64, height: 48, frames: 3)
    case .bmp:
      Array("BM".utf8) + MediaBytes.little(70 + 192, 4) + [0, 0, 0, 0] + MediaBytes.little(54, 4)
        + MediaBytes.little(40, 4) + MediaBytes.little(8, 4) + MediaBytes.little(8, 4) + [1, 0, 24, 0]
        + [UInt8](repeating: 0, count: 24) + [UInt8](repeating: 7, count: 192) + Array("behind it".utf8)
    }
  }

  /// The output for a file; nil if it is rejected.
  static func stripped(
    _ bytes: [UInt8], _ kind: Kind, _ metadata: MetadataOutput = MetadataOutput()
  ) -> [UInt8]? {
    let descriptor = memory_file_create()
    defer { close(descriptor) }
    let output = OutputFile(descriptor, for: "a")
    let reader = MemoryReader(bytes)
    let input = ByteStream(reader, cancellation: Cancellation())
    do throws(AssetError) {
      switch kind {
      case .jpeg: try StrippedJPEG.write(input, metadata, into: output, name: "a")
      case .png: try StrippedPNG.write(input, metadata, into: output, name: "a")
      case .webp: try StrippedWebP.write(input, count: reader.count, metadata, into: output, name: "a")
      case .gif: try StrippedGIF.write(input, into: output, name: "a")
      case .bmp: try StrippedBMP.write(input, into: output, name: "a")
      }
    } catch { return nil }
    let count = Int(lseek(descriptor, 0, SEEK_END))
    var written = [UInt8](repeating: 0, count: count)
    _ = pread(descriptor, &written, count, 0)
    return written
  }

  @Test(arguments: Kind.allCases) func `A complete file is written, and again with the same result`(
    kind: Kind
  ) throws {
    var metadata = MetadataOutput()
    metadata.exif = [0x49, 0x49, 42, 0]
    metadata.xmp = Array("<x/>".utf8)
    let once = try #require(Self.stripped(try Self.sample(kind), kind, metadata))
    #expect(Self.stripped(once, kind, metadata) == once)
    let bare = try #require(Self.stripped(once, kind, MetadataOutput()))
    #expect(kind == .gif || kind == .bmp || bare.count < once.count)
  }

  @Test func `Data in segments outside the picture is not written`() throws {
    let secret = Array("Atlantis".utf8)
    let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
    let photo = try Self.sample(.jpeg)
    var bytes = Array(photo[..<2])
    for marker in [0x02, 0x10, 0xBF, 0xE5, 0xF0, 0xFD, 0xFE] as [UInt8] {
      bytes += JPEGSegments.segment(marker, secret)
    }
    bytes += JPEGSegments.segment(0xEE, adobe + secret) + photo[2...]
    let written = try #require(Self.stripped(bytes, .jpeg, MetadataOutput()))
    #expect(!Self.holds(written, secret))
    #expect(Self.holds(written, JPEGSegments.segment(0xEE, adobe)))
  }

  @Test func `Data after a WebP is not written`() throws {
    let sample = try Self.sample(.webp)
    let whole = Array("RIFF".utf8) + MediaBytes.little(sample.count - 8, 4) + sample[8...]
    let written = try #require(Self.stripped(whole, .webp, MetadataOutput()))
    #expect(
      Self.stripped(whole + Array("ICCP, a trailer that is none".utf8), .webp, MetadataOutput()) == written)
  }

  private static func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  @Test(arguments: Kind.allCases) func `Damage leads to an error or a file, never to a crash`(
    kind: Kind
  ) throws {
    let sample = try Self.sample(kind)
    var mutator = ByteMutator(seed: 17)
    for round in 0..<3000 {
      var bytes = sample
      for _ in 0...(round % 4) { bytes = mutator.damage(bytes, other: sample) }
      if let written = Self.stripped(bytes, kind, MetadataOutput()) {
        #expect(written.count <= bytes.count + 64)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `For any form of lengths and counts, no more is written than was read`(
    kind: Kind
  ) {
    let suffix = kind == .jpeg ? "jpg" : "\(kind)"
    let files = HostileFiles.all(suffix)
    #expect(!files.isEmpty)
    for bytes in files {
      guard let written = Self.stripped(bytes, kind, MetadataOutput()) else { continue }
      #expect(written.count <= bytes.count + 64)
      #expect(Self.stripped(written, kind, MetadataOutput()) == written)
    }
  }
}
