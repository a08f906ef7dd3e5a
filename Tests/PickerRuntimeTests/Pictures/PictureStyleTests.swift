import AssetLibrary
import Pixels
import Testing

@testable import PickerRuntime
@testable import PickerUI
@testable import TerminalGraphics

/// How pictures are encoded: a value, without threads.
@Suite struct PictureStyleTests {
  private static let cell = PixelSize(width: 10, height: 20)

  private static func style(
    _ graphics: GraphicsProtocol?, _ change: (inout TerminalTraits) -> Void = { _ in }
  )
    -> PictureStyle
  {
    var options = PictureOptions()
    options.graphics = graphics
    options.compress = { pixels, _ in [UInt8](repeating: pixels.bytes[0], count: 100) }
    var traits = ScriptedTerminal().traits
    change(&traits)
    return PictureStyle(options, on: traits, cell: cell)
  }

  private static func key(_ change: (inout PictureKey) -> Void = { _ in }) -> PictureKey {
    var key = PictureRequest.thumbnail(.photo("a")).key
    change(&key)
    return key
  }

  @Test(arguments: [(8, 16), (8, 17), (10, 20), (9, 19), (20, 20), (7, 13)])
  func `Text in place of a picture covers the same cells`(width: Int, height: Int) throws {
    let cell = PixelSize(width: width, height: height)
    var traits = ScriptedTerminal().traits
    traits.capabilities.name = "tmux 3.5a"
    traits.capabilities.hasSixel = true
    traits.capabilities.tmuxClient = TmuxClient(
      name: "XTerm(379)", allowsPassthrough: false, hasSixel: true, hasCellSize: true)
    traits.capabilities.quirks = TerminalQuirks(of: TerminalName("tmux 3.5a"), in: TerminalEnvironment())
    let encoders = try #require(PictureStyle(PictureOptions(), on: traits, cell: cell).encoders)
    let pixels = PixelBuffer(
      size: PixelSize(width: 8 * width, height: 4 * height), filledWith: Color(red: 200, green: 10, blue: 10))
    let picture = encoders.encode(pixels, isDegraded: false, known: nil)
    let text = try #require(picture.blocks?.encoded)
    #expect(text.size == CellSize(columns: 8, rows: 4) && text.size == picture.encoded.size)
  }

  // MARK: The link

  @Test func `A slower link changes quality first, adds drafts once, and then reduces sizes`() {
    var style = Self.style(.iterm)
    #expect(style.setQuality(.full, isLinkSlow: false) == .none)
    #expect(style.setQuality(.speed, isLinkSlow: false) == .bytes)
    #expect(style.setQuality(.speed, isLinkSlow: true) == .drafts)
    #expect(style.encoders?.draftEncoder != nil)
    #expect(style.setQuality(.full, isLinkSlow: true) == .bytes)
    #expect(style.setQuality(.small, isLinkSlow: true) == .pictures)
    #expect(style.setQuality(.small, isLinkSlow: true) == .none)
  }

  @Test func `An explicitly requested protocol is used with smaller pictures, not replaced by blocks`() {
    var style = Self.style(.iterm)
    _ = style.setQuality(.blocks, isLinkSlow: true)
    #expect(style.geometry?.isFine == true)
    var found = Self.style(nil) { traits in
      traits.capabilities.name = "iTerm2 3.5"
      traits.capabilities.quirks = TerminalQuirks(
        of: TerminalName("iTerm2 3.5"), in: TerminalEnvironment())
    }
    #expect(found.geometry?.isFine == true)
    #expect(found.setQuality(.blocks, isLinkSlow: true) == .pictures)
    #expect(found.geometry?.isFine == false)
  }

  @Test func `Without graphics nothing is encoded`() {
    var style = Self.style(GraphicsProtocol.none)
    #expect(style.encoders == nil && style.geometry == nil && style.movingEncoders == nil)
    #expect(style.setQuality(.speed, isLinkSlow: true) == .none)
  }

  // MARK: The terminal

  @Test func `A late background answer applies to moving pictures as well`() {
    var style = Self.style(.iterm)
    var traits = ScriptedTerminal().traits
    (traits.backdrop, traits.pickColor) = (.color(.white), .black)
    style.setTraits(traits, cell: Self.cell)
    #expect(style.encoders?.backdrop == .color(.white) && style.movingEncoders?.backdrop == .color(.white))
    #expect(style.encoders?.pickColor == .black)
  }

  @Test func `Another cell size leads to other picture sizes`() {
    var style = Self.style(.iterm)
    let before = style.geometry
    style.setCellSize(PixelSize(width: 12, height: 24))
    #expect(style.geometry != before)
  }

  // MARK: Drafts

  /// - Parameter bytes: The encoded size of a picture and of a draft.
  private static func encoders(_ bytes: Int, draft: Int?) -> PictureEncoders {
    func encoder(_ count: Int) -> InlineImageEncoder {
      InlineImageEncoder(cell: cell) { [UInt8](repeating: $0.bytes[0], count: count) }
    }
    return PictureEncoders(encoder: encoder(bytes), draftEncoder: draft.map(encoder))
  }

  @Test func `A long picture has a draft: the coarse one if present, else one of its own`()
    throws
  {
    let encoders = Self.encoders(9000, draft: 60)
    var last: UInt64 = 0
    let coarse = encoders.encode(Self.gray, isDegraded: true, known: nil).numbered(after: &last)
    #expect(coarse.encoded.cost < 1000 && coarse.draft == nil)
    let after = encoders.encode(Self.gray, isDegraded: false, known: coarse).numbered(after: &last)
    #expect(after.draft?.version == coarse.version && after.draft?.encoded == coarse.encoded)
    let alone = encoders.encode(Self.gray, isDegraded: false, known: nil).numbered(after: &last)
    #expect(alone.draft?.encoded == coarse.encoded)
    #expect([coarse.version, after.version, alone.draft?.version, alone.version] == [1, 2, 3, 4])
    #expect(alone.cost == alone.encoded.cost + coarse.encoded.cost)
  }

  @Test func `Short pictures, and pictures on a fast link, have no draft`() {
    #expect(Self.encoders(1000, draft: 60).encode(Self.gray, isDegraded: false, known: nil).draft == nil)
    let fast = Self.encoders(9000, draft: nil)
    #expect(fast.encode(Self.gray, isDegraded: false, known: nil).draft == nil)
    #expect(fast.encode(Self.gray, isDegraded: true, known: nil).encoded.cost > 9000)
  }

  // MARK: Pixels

  private static let gray = PixelBuffer(
    size: PixelSize(width: 40, height: 20), filledWith: Color(red: 90, green: 90, blue: 90))

  private func pixels(
    _ pixels: PixelBuffer, isDegraded: Bool = false, _ key: PictureKey
  ) throws -> PixelBuffer {
    try #require(Self.style(.iterm).encoders).pixels(pixels, for: key, isDegraded: isDegraded)
  }

  @Test func `A pick has its frame inside the picture, and a cropped pick its visible part`() throws {
    let picked = try pixels(Self.gray, Self.key { $0.isPicked = true })
    #expect(picked.size == Self.gray.size)
    #expect(picked.bytes.prefix(3) == [255, 255, 255] && picked.bytes[4 * (10 * 40 + 20)] == 90)
    let cut = PictureCut(x: 20, y: 5, size: PixelSize(width: 20, height: 10))
    let part = try pixels(
      Self.gray,
      Self.key {
        $0.isPicked = true
        $0.cut = cut
      })
    #expect(part.size == cut.size)
    // The left edge is in the middle of the picture, the right one is its frame.
    #expect(part.bytes[0] == 90 && part.bytes[4 * 19] == 255)
  }

  @Test func `Unavailable photos are dimmed, cropped or not`() throws {
    let whole = try pixels(Self.gray, Self.key { $0.isDimmed = true })
    let part = try pixels(
      Self.gray,
      Self.key {
        $0.isDimmed = true
        $0.cut = PictureCut(x: 0, y: 0, size: PixelSize(width: 10, height: 10))
      })
    #expect(whole.bytes[0] < 90 && part.bytes[0] == whole.bytes[0])
  }

  @Test func `A coarse preview is as large as the final one, a coarse thumbnail as delivered`() throws {
    let fit = PictureKey(.photo("a"), size: PixelSize(width: 80, height: 80), mode: .aspectFit)
    #expect(try pixels(Self.gray, isDegraded: true, fit).size == PixelSize(width: 80, height: 40))
    #expect(try pixels(Self.gray, fit).size == Self.gray.size)
    #expect(try pixels(Self.gray, isDegraded: true, Self.key()).size == Self.gray.size)
  }

  @Test func `A part of a picture fills its slot`() throws {
    var key = PictureKey(.photo("a"), size: PixelSize(width: 80, height: 80), mode: .aspectFit)
    key.part = PicturePart(region: .whole, size: PixelSize(width: 80, height: 80))
    #expect(try pixels(Self.gray, key).size == PixelSize(width: 80, height: 40))
  }
}
