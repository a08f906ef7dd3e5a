import AssetLibrary
import Fixtures
import Pixels
import Synchronization
import Testing
import Rendering

@testable import Decoding
import Glibc

/// Files whose headers continue for gigabytes.
@Suite(.timeLimit(.minutes(120))) struct EndlessHeaderTests {
  /// A header followed by endlessly repeated bytes; reads are counted.
  private final class EndlessReader: ResourceReader {
    let count: Int
    private let head: [UInt8]
    private let rest: [UInt8]
    private let taken = Atomic(0)
    /// Called before each read, with the number of bytes read so far.
    private let watch: @Sendable (Int) -> Void

    init(
      _ head: [UInt8], _ rest: [UInt8], count: Int = 3 << 30,
      watch: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
      (self.head, self.rest, self.count, self.watch) = (head, rest, count, watch)
    }

    var bytesRead: Int { taken.load(ordering: .relaxed) }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(AssetError) -> Int {
      watch(bytesRead)
      let length = max(0, min(buffer.count, count - offset))
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<length])
      if offset >= head.count, rest.count == 1, let start = room.baseAddress {
        memset(start, Int32(rest[0]), length)
      } else {
        for index in 0..<length {
          let place = offset + index
          room[index] = place < head.count ? head[place] : rest[(place - head.count) % rest.count]
        }
      }
      _ = taken.add(length, ordering: .relaxed)
      return length
    }
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]

  /// What announces a picture, and what is repeated after it.
  private static let files: [(String, [UInt8], [UInt8])] = [
    ("JPEG", [0xFF, 0xD8], [UInt8](repeating: 0xFF, count: 4096)),
    (
      "PNG", Array(PictureFiles.png(width: 9, height: 9).prefix(33)),
      PictureFiles.pngChunk("abCd", [UInt8](repeating: 1, count: 4096))
    ),
    (
      "GIF", Array(PictureFiles.gif(width: 9, height: 9, frames: 0, loops: false).dropLast()),
      [0x21, 0xFE, 2, 1, 1, 0]
    ),
  ]

  @Test(arguments: files)
  func `Reading an endless header stops when the picture is canceled`(
    name: String, head: [UInt8], rest: [UInt8]
  ) throws {
    let cancellation = Cancellation()
    let reader = EndlessReader(head, rest) { if $0 > 1 << 20 { cancellation.cancel() } }
    guard var decoder = ImageDecoder() else { throw FixtureError("no decoder") }
    let picture = try decoder.decode(reader, name: "a", needed: { $0 }, cancellation: cancellation)
    #expect(picture == nil)
    #expect(reader.bytesRead < 2 << 20)
  }

  @Test(arguments: files)
  func `Reading an endless header stops after a time limit`(
    name: String, head: [UInt8], rest: [UInt8]
  ) throws {
    var budget = DecodeBudget()
    budget.time = .milliseconds(50)
    guard var decoder = ImageDecoder(budget: budget) else { throw FixtureError("no decoder") }
    #expect(throws: AssetError.self) {
      try decoder.decode(EndlessReader(head, rest), name: "a", needed: { $0 })
    }
  }

  @Test func `Of a JPEG with gigabytes of fill bytes 64 MiB are read`() throws {
    let reader = EndlessReader([0xFF, 0xD8], [0xFF], count: 4 << 30)
    guard var decoder = ImageDecoder() else { throw FixtureError("no decoder") }
    #expect(throws: AssetError("a", "its header does not end")) {
      try decoder.decode(reader, name: "a", needed: { $0 })
    }
    #expect(reader.bytesRead < 65 << 20)
    // The decoder still works.
    let photo = try TestPhoto(width: 32, height: 24).bytes()
    let picture = try decoder.decode(MemoryReader(photo), name: "b", needed: { $0 })
    #expect(picture?.pixels.size == PixelSize(width: 32, height: 24))
  }
}
