import AssetLibrary
import Fixtures
import Pixels
import Testing
import Rendering

@testable import Decoding

/// How the decoder handles malformed files.
@Suite struct DamagedJPEGTests {
  private func error(of bytes: [UInt8], budget: DecodeBudget = .init()) -> AssetError? {
    do {
      _ = try decode(bytes, name: "IMG_7.JPG", budget: budget)
      return nil
    } catch {
      return error as? AssetError
    }
  }

  @Test func `A truncated file keeps the rows before its end`() throws {
    let bytes = try TestPhoto(width: 640, height: 480).bytes()
    let picture = try #require(try decode(Array(bytes.prefix(bytes.count / 2))))
    #expect((100..<400).contains(picture.visibleRows))
    #expect(picture.pixels.size == PixelSize(width: 640, height: 480))
    #expect(picture.complaint == "the file ends in the middle of the picture")
    #expect(TestPicture.Corner(of: picture.pixels[10, 10]) == .topLeft)
  }

  @Test func `A file that is replaced by a smaller picture before it is read again is not shown`() throws {
    // A truncated scan is read a second time, without leaving anything out.
    let bytes = try TestPhoto(width: 640, height: 480).bytes()
    let file = ReplacedReader(
      Array(bytes.prefix(bytes.count * 3 / 4)), then: try TestPhoto(width: 64, height: 48).bytes())
    guard var decoder = ImageDecoder() else { throw FixtureError("no decoder") }
    #expect(throws: AssetError("IMG_7.JPG", "the file changed while it was read")) {
      try decoder.decode(file, name: "IMG_7.JPG", needed: { _ in PixelSize(width: 8, height: 6) })
    }
  }

  @Test(arguments: [false, true])
  func `A file truncated anywhere is rejected, or its rows are counted`(isProgressive: Bool) throws {
    var photo = TestPhoto(width: 64, height: 48)
    photo.isProgressive = isProgressive
    let bytes = try photo.bytes()
    for count in 0..<bytes.count - 2 {
      do {
        let picture = try #require(try decode(Array(bytes.prefix(count))))
        #expect(picture.visibleRows <= 48)
        #expect(!picture.complaint.isEmpty || picture.visibleRows == 48, "\(count) of \(bytes.count)")
        // Of several scans the first shows the whole picture, coarsely.
        #expect(picture.complaint.isEmpty || isProgressive || picture.visibleRows < 48)
      } catch let error as AssetError {
        #expect(error.subject == "IMG_1.JPG")
        #expect(!error.reason.isEmpty)
      }
    }
  }

  @Test func `A progressive file shows as much as it has`() throws {
    var photo = TestPhoto(width: 320, height: 240)
    photo.isProgressive = true
    let bytes = try photo.bytes()
    // A cut inside a table is an error to libjpeg; the next one inside a scan is not.
    let cuts = (bytes.count * 4 / 5..<bytes.count - 2).lazy.map { Array(bytes.prefix($0)) }
    let picture = try #require(cuts.compactMap { (try? decode($0)).flatMap { $0 } }.first)
    #expect(picture.visibleRows == 240)
    #expect(picture.complaint == "the file ends in the middle of the picture")
    #expect(TestPicture.corners(of: picture.pixels) == TestPicture.Corner.allCases)
  }

  @Test(arguments: [1, 8])
  func `A progressive file truncated anywhere after its first scan is shown`(shrunk: Int) throws {
    var photo = TestPhoto(width: 64, height: 48)
    photo.isProgressive = true
    let bytes = try photo.bytes()
    let scans = bytes.indices.filter { bytes[$0...].starts(with: [0xFF, 0xDA]) }
    #expect(scans.count > 3)
    for count in scans[1]..<bytes.count - 2 {
      let picture = try #require(
        try decode(
          Array(bytes.prefix(count)),
          needed: { PixelSize(width: $0.width / shrunk, height: $0.height / shrunk) }))
      #expect(picture.visibleRows == 48 / shrunk)
      // At an eighth everything relevant may be present.
      #expect(picture.complaint == "the file ends in the middle of the picture" || shrunk == 8, "\(count)")
      #expect(TestPicture.corners(of: picture.pixels) == TestPicture.Corner.allCases, "\(count)")
    }
  }

  @Test func `An invalid table between scans ends the picture without discarding it`() throws {
    var photo = TestPhoto(width: 64, height: 48)
    photo.isProgressive = true
    var bytes = try photo.bytes()
    let scan = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xDA]) })
    let table = try #require(bytes.indices[scan...].first { bytes[$0...].starts(with: [0xFF, 0xC4]) })
    for index in table + 5..<table + 21 { bytes[index] = 255 }
    let picture = try #require(try decode(bytes))
    #expect(!picture.complaint.isEmpty && picture.visibleRows == 48)
    #expect(TestPicture.corners(of: picture.pixels) == TestPicture.Corner.allCases)
    // The next file is not affected.
    guard var decoder = ImageDecoder() else { throw FixtureError("no decoder") }
    _ = try decoder.decode(MemoryReader(bytes), name: "a", needed: { $0 })
    let good = try decoder.decode(MemoryReader(photo.bytes()), name: "b", needed: { $0 })
    #expect(good?.complaint == "")
  }

  @Test(
    arguments: [0, 1, 2, 3],
    [[0], [0x12, 0xFF, 0x00, 0x34], [0xFF, 0xFF, 0xFF], [UInt8](repeating: 7, count: 9000)])
  func `Stray bytes between segments are skipped`(place: Int, stray: [UInt8]) throws {
    let good = try TestPhoto(width: 64, height: 48).bytes()
    // After the start marker, and before further segments.
    var starts = [2]
    while good[starts[starts.count - 1] + 1] != 0xDA, let last = starts.last {
      starts.append(last + 2 + (Int(good[last + 2]) << 8 | Int(good[last + 3])))
    }
    var bytes = good
    bytes.insert(contentsOf: stray, at: starts[min(place, starts.count - 1)])
    let picture = try #require(try decode(bytes))
    #expect(picture.complaint.isEmpty)
    #expect(try decode(good)?.pixels == picture.pixels)
  }

  @Test(arguments: [false, true])
  func `Complaints about a file do not depend on the previous one`(isProgressive: Bool) throws {
    guard var used = ImageDecoder() else { throw FixtureError("no decoder") }
    var photo = TestPhoto(width: 320, height: 240)
    photo.isProgressive = isProgressive
    let bytes = try photo.bytes()
    for share in 1...9 {
      let cut = Array(bytes.prefix(bytes.count * share / 10))
      _ = try used.decode(MemoryReader(bytes), name: "good", needed: { $0 })
      let fresh = Result { try decode(cut).map(Verdict.init) }
      let second = Result {
        try used.decode(MemoryReader(cut), name: "IMG_1.JPG", needed: { $0 }).map(Verdict.init)
      }
      #expect((try? fresh.get()) == (try? second.get()), "\(share) tenths")
    }
  }

  private struct Verdict: Hashable {
    var rows: Int
    var complaint: String

    init(_ picture: DecodedImage) {
      rows = picture.visibleRows
      complaint = picture.complaint
    }
  }

  @Test(arguments: [[], [0xFF], Array("GIF89a, no JPEG".utf8), [UInt8](repeating: 0, count: 40)])
  func `Other contents are an error that names the file`(bytes: [UInt8]) {
    let error = error(of: bytes)
    #expect(error?.subject == "IMG_7.JPG")
    #expect(error?.reason.isEmpty == false)
  }

  @Test func `A header without a picture is an error`() throws {
    let bytes = try TestPhoto(width: 64, height: 48).bytes()
    let scan = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xDA]) })
    #expect(error(of: Array(bytes.prefix(scan)))?.subject == "IMG_7.JPG")
    #expect(error(of: Array(bytes.prefix(scan + 14)))?.reason == "the file ends in the middle of the picture")
  }

  @Test(arguments: [false, true])
  func `A header that announces too much is rejected`(isProgressive: Bool) throws {
    var photo = TestPhoto(width: 64, height: 48)
    photo.isProgressive = isProgressive
    var bytes = try photo.bytes()
    let frame = try #require(
      bytes.indices.first { bytes[$0...].starts(with: [0xFF, isProgressive ? 0xC2 : 0xC0]) })
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xEA, 0x60, 0xEA, 0x60])
    #expect(
      error(of: bytes)?.description
        == "IMG_7.JPG: the picture is 60,000 x 60,000 pixels, too large to be shown")
  }

  @Test func `The caller sets the budget`() throws {
    var budget = DecodeBudget()
    budget.decodedPixels = 63 * 48
    let bytes = try TestPhoto(width: 64, height: 48).bytes()
    #expect(
      error(of: bytes, budget: budget)?.reason == "the picture is 64 x 48 pixels, too large to be shown")
    let small = try #require(try decode(bytes, needed: { _ in .square(1) }, budget: budget))
    #expect(small.pixels.size == PixelSize(width: 8, height: 6))
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `Flipped bytes never crash the decoder`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var photo = TestPhoto(width: 48, height: 32)
    photo.isProgressive = seed.isMultiple(of: 2)
    let good = try photo.bytes()
    for _ in 0..<50 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: 2..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let picture = try? decode(bytes, budget: .small) {
        #expect((1...picture.pixels.height).contains(picture.visibleRows))
      }
    }
  }
}
