import Fixtures
import Pixels
import Testing

@testable import TerminalGraphics

@Suite struct EncoderChoiceTests {
  private static let cell = PixelSize(width: 8, height: 16)

  /// Properties that identify an encoder.
  private static func signs(of encoder: (any PictureEncoder)?) -> String {
    guard let encoder else { return "nothing" }
    var seed: UInt8 = 0
    // Incompressible noise.
    let bytes = (0..<40 * 32 * 4).map { index -> UInt8 in
      seed = seed &* 109 &+ UInt8(truncatingIfNeeded: index)
      return index % 4 == 3 ? 255 : seed
    }
    let picture = encoder.encode(PixelBuffer(size: PixelSize(width: 40, height: 32), bytes: bytes))
    let cap = encoder.geometry.largest.map { " at most \($0.width)x\($0.height)" } ?? ""
    if let image = picture.image {
      return switch image.payload {
      case .shared: "kitty, shared\(cap)"
      case .inline: "kitty, inline\(picture.livesInCells ? ", placeholders" : "")\(cap)"
      }
    }
    let text = String(decoding: picture.strips.first?.bytes ?? [], as: UTF8.self)
    if text.hasPrefix("\u{1B}P") { return text.hasPrefix("\u{1B}Ptmux;") ? "iterm, wrapped" : "sixel\(cap)" }
    if text.hasPrefix("\u{1B}]1337;") { return "iterm\(cap)" }
    return "blocks\(cap)"
  }

  private static func choice(
    _ requested: GraphicsProtocol?, _ environment: [String: String] = [:],
    sixelEncoder: SixelEncoderKind? = nil,
    _ change: (inout TerminalCapabilities) -> Void = { _ in }
  ) -> EncoderChoice {
    var capabilities = TerminalCapabilities()
    change(&capabilities)
    return EncoderChoice(
      capabilities, in: TerminalEnvironment(environment), requested: requested, sixelEncoder: sixelEncoder,
      cell: cell, colors: 256
    ) { _, quality in
      [UInt8(quality.rawValue)]
    }
  }

  static let ways: [(GraphicsProtocol, PictureQuality, String)] = [
    (.none, .full, "nothing"), (.none, .blocks, "nothing"), (.blocks, .full, "blocks"),
    (.blocks, .small, "blocks"),
    (.kitty, .full, "kitty, inline"), (.kitty, .small, "kitty, inline at most 400x300"),
    (.kitty, .blocks, "blocks"),
    (.iterm, .full, "iterm"), (.iterm, .small, "iterm at most 400x300"), (.iterm, .blocks, "blocks"),
    (.sixel, .full, "sixel"), (.sixel, .speed, "sixel"), (.sixel, .small, "sixel at most 400x300"),
    (.sixel, .blocks, "blocks"),
  ]

  @Test(arguments: ways)
  func `A requested protocol is used, within the link's capacity`(
    requested: GraphicsProtocol, quality: PictureQuality, signs: String
  ) {
    let choice = Self.choice(requested)
    #expect(Self.signs(of: choice.encoder(quality, usesSharedMemory: false)) == signs)
    #expect(choice.graphics == requested)
  }

  static let drafts: [(GraphicsProtocol, PictureQuality, String)] = [
    (.none, .full, "nothing"), (.blocks, .full, "nothing"), (.kitty, .full, "kitty, inline"),
    (.iterm, .full, "iterm"), (.sixel, .full, "sixel"), (.sixel, .blocks, "nothing"),
  ]

  @Test(arguments: drafts)
  func `On a slow link long pictures have drafts`(
    requested: GraphicsProtocol, quality: PictureQuality, signs: String
  ) {
    #expect(Self.signs(of: Self.choice(requested).draftEncoder(quality)) == signs)
  }

  @Test(
    arguments: [
      ("tmux 3.4", 9), ("tmux 3.5a", 9), ("tmux 3.6a", 9), ("tmux 3.6b", 19), ("tmux 3.7c", 19),
      ("tmux next-3.8", 19), ("tmux openbsd-7.7", 19), ("XTerm(379)", nil),
    ] as [(String, Int?)])
  func `tmux keeps few sixels`(name: String, mostPictures: Int?) {
    func choice(_ requested: GraphicsProtocol?) -> EncoderChoice {
      Self.choice(requested) { capabilities in
        capabilities.name = name
        capabilities.hasSixel = true
        capabilities.quirks = TerminalQuirks(of: TerminalName(name), in: TerminalEnvironment())
        capabilities.tmuxClient = TmuxClient(
          name: "foot(1.13.1)", allowsPassthrough: false, hasSixel: true, hasCellSize: true)
      }
    }
    #expect(choice(nil).graphics == .sixel && choice(nil).mostPictures == mostPictures)
    #expect(choice(.blocks).mostPictures == nil)
  }

  @Test(
    arguments: [
      ("tmux 3.4", "#0;2;100;100;100#1;"), ("tmux 3.5a", "#0;2;100;100;100#1;"), ("tmux 3.6", "#0;2;50;"),
      ("XTerm(379)", "#0;2;50;"),
    ])
  func `Old tmux fills the rest of a picture's cells with the screen's color`(name: String, colors: String) {
    let choice = Self.choice(.sixel) { capabilities in
      capabilities.quirks = TerminalQuirks(of: TerminalName(name), in: TerminalEnvironment())
      capabilities.background = .white
    }
    let gray = Color(red: 128, green: 128, blue: 128)
    let picture = PixelBuffer(size: PixelSize(width: 12, height: 6), filledWith: gray)
    let encoded = choice.encoder(.full, usesSharedMemory: false)?.encode(picture)
    let text = String(decoding: encoded?.strips.first?.bytes ?? [], as: UTF8.self)
    #expect(text.hasPrefix("\u{1B}P0;1;0q\"1;1;12;6" + colors))
  }

  @Test(arguments: [("XTerm(379)", PixelSize(width: 1000, height: 1000)), ("foot(1.13.1)", nil)])
  func `Inside tmux pictures are no larger than the terminal around it draws`(
    outer: String, largest: PixelSize?
  ) {
    let choice = Self.choice(.sixel) { capabilities in
      capabilities.quirks = TerminalQuirks(of: TerminalName("tmux 3.5a"), in: TerminalEnvironment())
      capabilities.tmuxClient = TmuxClient(name: outer, allowsPassthrough: false)
    }
    #expect(choice.largestSixel == largest)
    #expect(choice.encoder(.full, usesSharedMemory: false)?.geometry.largest == largest)
  }

  @Test(arguments: [("foot(1.13.1)", 1), (nil, 24), (nil, 85)] as [(String?, Int)])
  func `A terminal that was started in a pane of tmux is not taken for tmux`(name: String?, number: Int) {
    let variables = ["TERM": "xterm-256color", "TMUX": "x", "TMUX_PANE": "%0"]
    func choice(_ client: TmuxClient?) -> (choice: EncoderChoice, depth: ColorDepth) {
      var capabilities = TerminalCapabilities()
      capabilities.name = name
      capabilities.quirks = TerminalQuirks(
        of: name.map { TerminalName($0) }, in: TerminalEnvironment(variables))
      capabilities.secondaryAttributes = [number, 0, 0]
      capabilities.tmuxClient = client
      let environment = TerminalEnvironment(variables)
      return (
        EncoderChoice(capabilities, in: environment, requested: .sixel, cell: Self.cell, colors: 256),
        ColorDepth(described: 256, capabilities, in: environment)
      )
    }
    for outer in ["kitty(0.26.5)", "XTerm(379)"] {
      let (inherited, depth) = choice(TmuxClient(name: outer, allowsPassthrough: true, version: "3.5a"))
      #expect(depth == .palette256 && inherited.largestSixel == nil)
      let noise = PixelBuffer(
        size: PixelSize(width: 8, height: 16),
        bytes: (0..<512).map { $0 % 4 == 3 ? 255 : UInt8($0 * 37 % 251) })
      #expect(inherited.blocks.encode(noise).strips == choice(nil).choice.blocks.encode(noise).strips)
    }
  }

  @Test func `An automatic fallback to blocks is explained`() throws {
    #expect(Self.choice(.blocks).fallback == nil && Self.choice(.sixel).fallback == nil)
    #expect(Self.choice(nil) { $0.hasSixel = true }.fallback == nil)
    let few = try #require(Self.choice(nil).fallback)
    #expect(few.name == "blocks")
    #expect(
      few.words == """
        Pictures are drawn as blocks in 256 colors: the terminal confirmed nothing better; \
        COLORTERM=truecolor gives more colors
        """)
    let all = try #require(Self.choice(nil, ["COLORTERM": "truecolor"]).fallback)
    #expect(all.words == "Pictures are drawn as blocks: the terminal confirmed nothing better")
    #expect(Self.choice(nil, ["NO_COLOR": "1"]).fallback?.words.contains("COLORTERM") == false)
    // screen would ignore it before version 5.
    let screen = ["TERM": "screen-256color", "STY": "1.pts"]
    for (name, helps) in [("screen(4.9.0)", false), ("screen(5.0.0)", true)] {
      let choice = Self.choice(nil, screen) { capabilities in
        capabilities.name = name
        capabilities.quirks = TerminalQuirks(of: TerminalName(name), in: TerminalEnvironment(screen))
      }
      #expect(choice.fallback?.words.contains("COLORTERM") == helps)
    }
  }

  @Test func `Inside tmux blocks have any color, and the characters of the outer terminal`() throws {
    let tmux = ["TERM": "tmux-256color", "TMUX": "x", "TMUX_PANE": "%0"]
    let orange = PixelBuffer(
      size: PixelSize(width: 8, height: 16), bytes: (0..<128).flatMap { _ in [231, 117, 19, 255] as [UInt8] })
    for (name, version) in [("tmux 3.3a", ""), (nil, "3.3a")] {
      func choice(in outer: String) -> EncoderChoice {
        Self.choice(nil, tmux) { capabilities in
          capabilities.name = name
          capabilities.quirks = TerminalQuirks(
            of: name.map { TerminalName($0) }, in: TerminalEnvironment(tmux))
          capabilities.tmuxClient = TmuxClient(name: outer, allowsPassthrough: false, version: version)
        }
      }
      let plain = choice(in: "XTerm(379)")
      #expect(plain.graphics == .blocks)
      // COLORTERM could add nothing.
      #expect(try #require(plain.fallback).words.contains("color") == false)
      let bytes = plain.blocks.encode(orange).strips.flatMap(\.bytes)
      #expect(String(decoding: bytes, as: UTF8.self).contains("8;2;231;117;19"))
      let expected = EncoderChoice(
        TerminalCapabilities(), in: TerminalEnvironment(["COLORTERM": "truecolor"]), cell: Self.cell,
        colors: 256,
        symbols: .sextant)
      let noise = PixelBuffer(
        size: PixelSize(width: 8, height: 16),
        bytes: (0..<512).map { $0 % 4 == 3 ? 255 : UInt8($0 * 37 % 251) })
      #expect(
        choice(in: "kitty(0.26.5)").blocks.encode(noise).strips == expected.blocks.encode(noise).strips)
    }
  }

  @Test(arguments: [
    (true, true, "kitty, shared"), (true, false, "kitty, inline"), (false, true, "kitty, inline"),
  ])
  func `Pixels are passed by file or memory if the terminal can read them and the process stays`(
    isRead: Bool, usesSharedMemory: Bool, signs: String
  ) {
    let choice = Self.choice(.kitty) { $0.hasKittySharedMemory = isRead }
    #expect(Self.signs(of: choice.encoder(.full, usesSharedMemory: usesSharedMemory)) == signs)
    let files = Self.choice(.kitty) { $0.hasKittyTemporaryFiles = isRead }
    #expect(Self.signs(of: files.encoder(.full, usesSharedMemory: usesSharedMemory)) == signs)
  }

  @Test func `Over the slowest link kitty gets few pixels, and enlarges them to the same cells`() throws {
    let picture = PixelBuffer(size: PixelSize(width: 1000, height: 500), filledWith: .white)
    for (quality, size) in [(PictureQuality.speed, (500, 250)), (.small, (333, 166))] {
      let encoder = try #require(
        Self.choice(.kitty).encoder(quality, usesSharedMemory: true, isInterruptible: true))
      let encoded = encoder.encode(picture)
      #expect(encoded.image.map { ($0.size.width, $0.size.height) == size } == true)
      #expect(
        encoded.size == Self.choice(.kitty).encoder(.full, usesSharedMemory: false)?.encode(picture).size)
      let draft = try #require(Self.choice(.kitty).draftEncoder(quality)?.encode(picture).image)
      #expect(draft.size.width < size.0 && draft.size.height < size.1)
    }
  }

  @Test func `Inside tmux kitty's pictures are placeholders, and sent inline`() {
    let environment = ["TERM": "tmux-256color", "TMUX": "x"]
    let choice = Self.choice(.kitty, environment) { capabilities in
      capabilities.hasKittySharedMemory = true
      capabilities.quirks = TerminalQuirks(of: nil, in: TerminalEnvironment(environment))
    }
    // 256 columns and rows of 8x16 pixels: as many as placeholders can number.
    #expect(
      Self.signs(of: choice.encoder(.full, usesSharedMemory: true))
        == "kitty, inline, placeholders at most 2048x4096")
    #expect(choice.kitty == KittyCommands(usesPlaceholders: true, needsPassthrough: true))
    #expect(choice.longestSequence != nil)
  }

  @Test func `Another cell size leads to other picture sizes`() throws {
    var choice = Self.choice(.sixel)
    #expect(try #require(choice.encoder(.full, usesSharedMemory: false)).geometry.cell == Self.cell)
    choice.cell = PixelSize(width: 10, height: 20)
    #expect(try #require(choice.encoder(.full, usesSharedMemory: false)).geometry.cell == choice.cell)
  }

  @Test(
    arguments: [
      (nil, nil, .full, .own), (nil, 256, .full, .own), (nil, 17, .full, .own), (nil, 16, .full, .libsixel),
      (nil, 4, .full, .libsixel), (nil, 16, .speed, .own), (.own, 16, .full, .own),
      (.libsixel, 256, .full, .libsixel), (.libsixel, nil, .speed, .libsixel),
    ] as [(SixelEncoderKind?, Int?, PictureQuality, SixelEncoderKind)])
  func `Few registers are encoded by libsixel unless an encoder was requested`(
    requested: SixelEncoderKind?, registers: Int?, quality: PictureQuality, expected: SixelEncoderKind
  ) throws {
    let choice = Self.choice(.sixel, sixelEncoder: requested) { $0.colorRegisters = registers }
    let preset = quality == .full ? SixelPreset.quality : .speed
    let encoders: [SixelEncoderKind: any PictureEncoder] = [
      .own: SixelEncoder(cell: Self.cell, registers: registers ?? 256, preset: preset),
      .libsixel: LibsixelEncoder(cell: Self.cell, registers: registers ?? 256, preset: preset),
    ]
    let picture = TestPicture.make(width: 48, height: 30)
    let encoded = try #require(choice.encoder(quality, usesSharedMemory: false)).encode(picture)
    let kinds = encoders.filter { $0.value.encode(picture) == encoded }.map(\.key)
    #expect(kinds == [expected])
  }

  @Test(arguments: PictureQuality.allCases)
  func `Files are encoded for the given quality`(quality: PictureQuality) throws {
    let picture = PixelBuffer(size: PixelSize(width: 4, height: 4), filledWith: .black)
    let bytes = try #require(Self.choice(.iterm).files(quality).encode(picture).strips.first?.bytes)
    #expect(bytes.suffix(5) == Array(Base64.encode([UInt8(quality.rawValue)]) + [7])[...])
  }
}
