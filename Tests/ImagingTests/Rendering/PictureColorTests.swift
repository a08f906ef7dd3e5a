import AssetLibrary
import Fixtures
import Imaging
import Pixels
import Testing

/// Colors to which the file's profile gives another meaning.
@Suite(.timeLimit(.minutes(120))) struct PictureColorTests {
  /// A PNG of one color with a chunk after its header.
  private func png(_ color: String, _ chunk: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.run(
      "convert", "-size", "8x8", "xc:\(color)", "-define", "png:exclude-chunks=all", "PNG24:a.png")
    var bytes = try folder.bytes(of: "a.png")
    bytes.insert(contentsOf: chunk, at: 33)
    return bytes
  }

  private func shown(_ bytes: [UInt8]) async throws -> Color {
    try await PictureTools().shown(bytes, at: .square(8))[3, 3]
  }

  @Test func `A PNG's gamma applies if nothing better is given`() async throws {
    let linear = PictureFiles.pngChunk("gAMA", MediaBytes.big(100_000, 4))
    // sRGB's curve (IEC 61966-2-1) maps light of 128/255 to 188.
    #expect(try await shown(png("#808080", linear)) == Color(red: 188, green: 188, blue: 188))
    let usual = PictureFiles.pngChunk("gAMA", MediaBytes.big(45_455, 4))
    #expect(try await shown(png("#808080", usual)) == Color(red: 128, green: 128, blue: 128))
    let both = PictureFiles.pngChunk("sRGB", [0]) + linear
    #expect(try await shown(png("#808080", both)) == Color(red: 128, green: 128, blue: 128))
  }

  /// Mid-gray and green by primaries and transfer code points, from the formulas of H.273 and ST 2084.
  @Test(
    arguments: [
      // Unchanged: BT.709's primaries with its own curve or sRGB's.
      (1, 13, "#808080", [128, 128, 128]), (1, 1, "#20C040", [32, 192, 64]),
      // Linear light.
      (1, 8, "#808080", [188, 188, 188]),
      // The green of Display P3 and of BT.2020 is outside sRGB; their grays are grays.
      (12, 13, "#00FF00", [0, 255, 0]), (9, 13, "#00FF00", [0, 255, 0]),
      (12, 13, "#808080", [128, 128, 128]),
      (12, 13, "#C08040", [205, 125, 47]),
      // PQ: 203 cd/m² is a bright white, 22 cd/m² a ninth of its light.
      (9, 16, "#949494", [238, 238, 238]), (9, 16, "#5D5D5D", [92, 92, 92]),
      // HLG: a half is the signal of a twelfth of the scene's light.
      (9, 18, "#808080", [137, 137, 137]), (9, 18, "#000000", [0, 0, 0]),
    ] as [(UInt8, UInt8, String, [Int])])
  func `A PNG's code points define its colors`(
    primaries: UInt8, transfer: UInt8, color: String, expected: [Int]
  ) async throws {
    let chunk = PictureFiles.pngChunk("cICP", [primaries, transfer, 0, 1])
    let shown = try await shown(png(color, chunk))
    let found = [shown.red, shown.green, shown.blue].map(Int.init)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 3 }, "\(found) for \(expected)")
  }

  @Test func `A PNG's code points override its profile and gamma`() async throws {
    let linear = PictureFiles.pngChunk("gAMA", MediaBytes.big(100_000, 4))
    let coded = PictureFiles.pngChunk("cICP", [1, 13, 0, 1])
    let unknown = PictureFiles.pngChunk("cICP", [2, 2, 0, 1])
    let yellow = PictureFiles.pngChunk("cICP", [1, 13, 1, 1])
    let grey = Color(red: 128, green: 128, blue: 128)
    #expect(try await shown(png("#808080", linear + coded)) == grey)
    // Unknown code points, and those that do not apply to a PNG, are ignored.
    for chunk in [unknown, yellow] {
      #expect(try await shown(png("#808080", linear + chunk)) == Color(red: 188, green: 188, blue: 188))
    }
    let folder = try TemporaryFolder()
    try folder.write(TestProfiles.displayP3(), to: "p3.icc")
    try folder.run("convert", "-size", "8x8", "xc:#C08040", "-profile", "p3.icc", "PNG24:a.png")
    var bytes = try folder.bytes(of: "a.png")
    let profiled = try await shown(bytes)
    bytes.insert(contentsOf: coded, at: 33)
    let both = try await shown(bytes)
    #expect(profiled != Color(red: 192, green: 128, blue: 64))
    #expect(both == Color(red: 192, green: 128, blue: 64))
  }

  @Test func `An invalid profile is ignored`() async throws {
    var photo = TestPhoto(width: 32, height: 32)
    photo.hasEXIF = false
    let plain = try photo.bytes()
    let expected = try await PictureTools().shown(plain, at: .square(32))
    let mark = Array("ICC_PROFILE\0".utf8)
    let nonsense = [UInt8](repeating: 77, count: 500)
    let cases = [
      MetadataSegments.segment(0xE2, mark + [1, 1] + nonsense),
      MetadataSegments.segment(0xE2, mark + [1, 1]),
      MetadataSegments.segment(0xE2, mark + [1, 2] + nonsense),
      MetadataSegments.segment(0xE2, mark + [0, 0] + nonsense),
      MetadataSegments.segment(0xE2, mark + [3, 1] + Array(try TestProfiles.displayP3())),
      MetadataSegments.segment(0xE2, mark + [1, 1] + Array(try TestProfiles.displayP3().prefix(300))),
      MetadataSegments.segment(0xE2, mark + [1, 1] + Array(try TestProfiles.inks())),
    ]
    for segment in cases {
      let bytes = Array(plain.prefix(2)) + segment + plain.dropFirst(2)
      #expect(try await PictureTools().shown(bytes, at: .square(32)) == expected)
    }
  }

  @Test func `A profile may be split into parts in any order`() async throws {
    var photo = TestPhoto(width: 32, height: 32)
    photo.hasEXIF = false
    let plain = try photo.bytes()
    let profile = try TestProfiles.displayP3()
    let mark = Array("ICC_PROFILE\0".utf8)
    let parts = [
      Array(profile.prefix(100)), Array(profile.dropFirst(100).prefix(70)), Array(profile.dropFirst(170)),
    ]
    let segments = [2, 0, 1].flatMap { index in
      MetadataSegments.segment(0xE2, mark + [UInt8(index + 1), 3] + parts[index])
    }
    let whole = MetadataSegments.segment(0xE2, mark + [1, 1] + profile)
    let tools = try PictureTools()
    let one = try await tools.shown(Array(plain.prefix(2)) + whole + plain.dropFirst(2), at: .square(32))
    let many = try await tools.shown(Array(plain.prefix(2)) + segments + plain.dropFirst(2), at: .square(32))
    #expect(one == many)
    #expect(try await tools.shown(plain, at: .square(32)) != one)
  }

  @Test func `An sRGB profile under another name changes nothing`() async throws {
    var photo = TestPhoto(width: 32, height: 32)
    photo.hasEXIF = false
    let plain = try photo.bytes()
    let segment = MetadataSegments.segment(
      0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + (try TestProfiles.sRGB()))
    let bytes = Array(plain.prefix(2)) + segment + plain.dropFirst(2)
    let tools = try PictureTools()
    #expect(try await tools.shown(bytes, at: .square(32)) == tools.shown(plain, at: .square(32)))
  }
}
