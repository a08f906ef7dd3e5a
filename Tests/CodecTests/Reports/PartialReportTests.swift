import CPlatform
import CodecProtocol
import Fixtures
import HelperMetadata
import Metadata
import TestScheduling
import Testing
import Glibc

/// Files of which only the first bytes are available, read by the shipped helpers.
@Suite(.onOwnThreads) struct PartialReportTests {
  /// The report without optional parts: an embedded video that was not found, and texts and subtypes from remote XMP.
  private func main(_ report: MediaReport?) -> MediaReport? {
    guard case .medium(.media(let format, var facts?)) = report else { return report }
    (facts.motionVideo, facts.hints, facts.rating) = (nil, [], nil)
    return .medium(.media(format, facts))
  }

  /// Reads files step by step, starting with a large block and with one so small that everything is missing.
  /// - Parameters:
  ///   - rounds: The maximum number of further requests to the helper, with either block.
  ///   - bytes: The maximum download for each file with blocks of 64 KiB, and of 4 KiB.
  ///   - shortened: The files whose optional parts are left out.
  private func check(
    _ files: [PartialFixtures.File], rounds: Int, bytes: (Int, Int), shortened: Set<String> = []
  ) throws {
    for (name, content) in files {
      let whole = try #require(try PartialReading.whole(content), "\(name)")
      for (block, most) in [(64 << 10, bytes.0), (4 << 10, bytes.1)] {
        let reading = try PartialReading(content, block: block)
        let found = shortened.contains(name) ? main(reading.report) : reading.report
        #expect(found == (shortened.contains(name) ? main(whole) : whole), "\(name) by \(block)")
        #expect(reading.faults == [], "\(name) by \(block)")
        #expect(reading.rounds <= rounds, "\(name) by \(block)")
        #expect(reading.byteCount <= most, "\(name) by \(block)")
      }
    }
  }

  @Test func `A JPEG is read up to its frame header, and an embedded video at its beginning`()
    throws
  {
    try check(
      PartialFixtures.jpeg(), rounds: 8, bytes: (420_000, 42_000), shortened: ["samsung.jpg", "extended.jpg"])
  }

  @Test func `For a PNG the chunks after the picture are downloaded, not the picture`() throws {
    try check(PartialFixtures.png, rounds: 9, bytes: (300_000, 120_000))
  }

  @Test func `For a WebP the chunks that its header announces are downloaded`() throws {
    try check(PartialFixtures.webp, rounds: 6, bytes: (302_000, 28_000))
  }

  @Test func `The first block of a GIF or a BMP is enough`() throws {
    try check(PartialFixtures.gifAndBMP, rounds: 0, bytes: (65_536, 4096))
  }

  @Test func `For a JPEG XL file the boxes after its picture are downloaded if EXIF may follow`() throws {
    try check(PartialFixtures.jpegXL, rounds: 1, bytes: (131_072, 8192), shortened: ["around.jxl"])
  }

  @Test func `For a TIFF file the directories are downloaded, wherever they are`() throws {
    try check(PartialFixtures.tiff, rounds: 1, bytes: (131_072, 8192))
  }

  @Test func `For a HEIC file the tables and the metadata are downloaded, not the pictures`() throws {
    try check(PartialFixtures.heif, rounds: 2, bytes: (131_072, 16_384))
  }

  @Test func `For a movie its tables are downloaded`() throws {
    try check(PartialFixtures.movie, rounds: 2, bytes: (131_072, 16_384))
  }

  @Test func `For a raw file the parts that LibRaw reads are downloaded`() throws {
    try check(PartialFixtures.raw(), rounds: 4, bytes: (262_144, 32_768))
  }

  @Test func `Files of real encoders are read the same way`() throws {
    try check(PartialFixtures.encodedPictures(), rounds: 4, bytes: (196_608, 32_768))
    try check(PartialFixtures.encodedMovies(), rounds: 4, bytes: (196_608, 65_536))
  }

  @Test func `Files without a stored duration cost more`() throws {
    try check([("a.ts", PartialFixtures.broadcast())], rounds: 12, bytes: (2 << 20, 2 << 20))
  }

  @Test func `A video whose sample times are in too many pieces is given up`() throws {
    let reading = try PartialReading(PartialFixtures.fragments(), block: 4096)
    #expect(reading.faults == [])
    #expect(reading.rounds <= RangeLoader.mostRounds && reading.byteCount <= RangeLoader.mostBytes)
    guard case .incomplete = reading.report else {
      Issue.record("\(String(describing: reading.report))")
      return
    }
  }

  @Test func `A sidecar is read completely`() throws {
    let packet = PartialFixtures.packet + [UInt8](repeating: 0x20, count: 100_000)
    let reading = try PartialReading(packet, .sidecar, block: 4096)
    #expect(reading.report == (try PartialReading.whole(packet, .sidecar)))
    #expect(reading.faults == [] && reading.rounds == 1)
  }

  @Test func `Of an empty download the first bytes are requested`() throws {
    let file = try PartialFile(PartialFixtures.jpeg()[0].bytes)
    for (helper, kind) in [
      (MetadataClient.standard, .medium), (.standard, .sidecar), (PartialReading.foreign.metadata, .foreign),
    ] as [(MetadataClient, ReportRequest.Kind)] {
      for report in file.reports(helper, kind, PresentRanges()) {
        guard case .success(.incomplete(let range)) = report else {
          Issue.record("\(kind): \(report)")
          continue
        }
        #expect(range.lowerBound == 0)
      }
    }
  }

  @Test(arguments: 1...UInt64(TestSize.count(3, long: 60)))
  func `With any damage no hole is read and reading ends`(seed: UInt64) throws {
    var mutator = ByteMutator(seed: seed)
    let files =
      try PartialFixtures.heif + PartialFixtures.movie + PartialFixtures.raw() + PartialFixtures.tiff
      + PartialFixtures.png + PartialFixtures.jpegXL
    for (name, bytes) in files {
      // The header, where damage has an effect.
      let damaged = mutator.damage(Array(bytes.prefix(4000))) + bytes.dropFirst(4000)
      let reading = try PartialReading(damaged, block: 4096)
      #expect(reading.faults == [], "\(name)")
      #expect(reading.rounds <= RangeLoader.mostRounds && reading.byteCount <= RangeLoader.mostBytes)
    }
  }

  @Test(
    arguments: [
      ("lacks its end", 1), ("lacks what is there", 0), ("lacks more and more", 6),
      ("lacks what no file has", 0),
    ])
  func `A helper that keeps requesting more is stopped`(words: String, rounds: Int) throws {
    let helper = MetadataClient(program: Program.standIn, processes: 1)
    var loader = RangeLoader(present: PresentRanges([0..<64 << 10]), byteCount: 10 << 20)
    var asked = 0
    asking: while asked < 100 {
      let request = ReportRequest(.medium, byteCount: 10 << 20, present: loader.present.ranges)
      let reports = NamelessFile(words).withDescriptor { file in
        helper.reports(on: [ReportedFile(file, request)]) { _, wire throws(WireError) in
          try MediaReport(from: &wire, byteCount: request.byteCount)
        }
      }
      switch reports.first {
      case .success(.incomplete(let range)):
        guard loader.next(after: range) != nil else { break asking }
        asked += 1
      case .failure(.died): break asking
      default:
        Issue.record("\(reports)")
        break asking
      }
    }
    #expect(asked == rounds)
  }

  @Test func `Missing bytes are not read`() throws {
    let file = NamelessFile([UInt8](0..<100))
    try file.withDescriptor { (descriptor) throws in
      let source = DescriptorBytes(descriptor, present: PresentRanges([10..<20, 90..<100]))
      #expect(try source.read(at: 10, count: 4) == [10, 11, 12, 13])
      #expect(try source.read(at: 18, count: 50) == [18, 19])
      #expect(try source.read(at: 95, count: 50) == [95, 96, 97, 98, 99])
      #expect(throws: DescriptorBytes.Failure.self) { try source.read(at: 20, count: 1) }
      #expect(throws: DescriptorBytes.Failure.self) { try source.read(at: 0, count: 50) }
      #expect(source.available(at: 15, count: 50) == 5)
      #expect(source.available(at: 15, count: 2) == 2)
      #expect(source.available(at: 30, count: 2) == 0)
      #expect(try DescriptorBytes(descriptor).read(at: 20, count: 1) == [20])
    }
  }

  @Test(arguments: [Int64.max, 1 << 62, 1 << 56, (1 << 56) - 1, 1 << 40] as [Int64])
  func `A box that ends at the largest possible offset does not crash a helper`(length: Int64) throws {
    let file = memory_file_create()
    defer { close(file) }
    // The tables follow it.
    for claimed in [UInt64(length) - 16, UInt64(length) - 1024, .max] {
      let head =
        Boxes.box("ftyp", Array("isom".utf8) + [0, 0, 0, 0]) + [0, 0, 0, 1] + Array("mdat".utf8)
        + (0..<8).map { UInt8(truncatingIfNeeded: claimed >> (56 - 8 * UInt64($0))) }
      #expect(pwrite(file, head, head.count, 0) == head.count && ftruncate(file, off_t(length)) == 0)
      var loader = RangeLoader(present: PresentRanges([0..<65_536]), byteCount: Int(length))
      var rounds = 0
      asking: while true {
        let request = ReportRequest(.foreign, byteCount: Int(length), present: loader.present.ranges)
        let said = PartialReading.foreign.metadata.reports(on: [ReportedFile(file, request)]) {
          _, wire throws(WireError) in
          try MediaReport(from: &wire, byteCount: request.byteCount)
        }
        // An answer, not a crashed helper.
        switch try #require(said.first).get() {
        case .incomplete(let range):
          // The next part reads as zeros, like all of the file.
          guard loader.next(after: range) != nil else { break asking }
          rounds += 1
        default: break asking
        }
      }
      #expect(rounds <= RangeLoader.mostRounds && loader.present.byteCount <= RangeLoader.mostBytes)
      do throws(CodecError) {
        var request = DecodeRequest(targetWidth: 64, targetHeight: 64)
        request.present = loader.present
        _ = try PartialReading.foreign.decode(file, request)
      } catch {
        #expect(error != .died && error != .hung)
      }
    }
  }
}
