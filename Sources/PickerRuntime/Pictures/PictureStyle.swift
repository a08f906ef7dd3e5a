import PickerUI
package import Pixels
package import TerminalGraphics

/// How pictures are made for a screen, as a value: what its terminal, the user and the link to it want.
struct PictureStyle: Sendable {
  /// What a change means for the pictures there are.
  enum Change: Hashable, Sendable {
    case none
    /// They stay; what is made from now on has other bytes.
    case bytes
    /// Those that are not shown yet get drafts.
    case drafts
    /// All are made again, in other sizes or for another terminal.
    case pictures
  }

  private let options: PictureOptions
  private var choice: EncoderChoice
  private var backdrop: Backdrop
  private var pickColor: Color
  private var quality = PictureQuality.full
  private var isLinkSlow = false
  /// What makes still pictures; nil = none are drawn.
  private(set) var encoders: PictureEncoders?

  init(_ options: PictureOptions, on traits: TerminalTraits, cell: PixelSize) {
    self.options = options
    choice = EncoderChoice(options, on: traits, cell: cell)
    (backdrop, pickColor) = (Self.backdrop(options, on: traits), traits.pickColor)
    encoders = makeEncoders()
  }

  /// The terminal is known better, or is another one.
  mutating func adopt(_ traits: TerminalTraits, cell: PixelSize) {
    choice = EncoderChoice(options, on: traits, cell: cell)
    (backdrop, pickColor) = (Self.backdrop(options, on: traits), traits.pickColor)
    encoders = makeEncoders()
  }

  /// Cells have another size.
  mutating func adopt(_ cell: PixelSize) {
    choice.cell = cell
    encoders = makeEncoders()
  }

  /// The link carries more or less from now on.
  /// - Parameter isLinkSlow: whether drafts go before pictures.
  mutating func adopt(_ carried: PictureQuality, isLinkSlow: Bool) -> Change {
    // What was asked for by name is drawn in that way, if smaller.
    let wanted = options.graphics == nil ? carried : max(.small, carried)
    guard wanted != quality || isLinkSlow != self.isLinkSlow else { return .none }
    (quality, self.isLinkSlow) = (wanted, isLinkSlow)
    let before = encoders
    encoders = makeEncoders()
    guard let encoders else { return .none }
    // Pictures of the same size stay as they are, also where the terminal only ever had blocks.
    guard let before, before.geometry == encoders.geometry else { return .pictures }
    return before.draftEncoder == nil && encoders.draftEncoder != nil ? .drafts : .bytes
  }

  private func makeEncoders() -> PictureEncoders? {
    guard let encoder = choice.encoder(quality, usesSharedMemory: true, isInterruptible: isLinkSlow) else {
      return nil
    }
    return PictureEncoders(
      encoder: encoder, draftEncoder: isLinkSlow ? choice.draftEncoder(quality) : nil, backdrop: backdrop,
      pickColor: pickColor)
  }

  private static func backdrop(_ options: PictureOptions, on traits: TerminalTraits) -> Backdrop {
    options.isCheckered ? .checkerboard : traits.backdrop
  }

  /// What makes moving pictures, in fewer bytes than still ones; nil = none are drawn.
  var movingEncoders: PictureEncoders? {
    choice.encoder(min(quality, .speed), usesSharedMemory: true).map {
      PictureEncoders(encoder: $0, backdrop: backdrop, pickColor: pickColor)
    }
  }

  /// How pictures are requested; nil = none are.
  var geometry: PictureGeometry? { encoders?.geometry }

  /// How kitty's pictures are handed over and placed.
  var kitty: KittyCommands { choice.kitty }

  /// What removes all pictures from a screen that nothing is known of.
  var removal: [UInt8] { choice.graphics == .kitty ? kitty.freeAll : [] }

  /// What stands in for pictures that the terminal can't draw; nil where it can.
  var fallback: GraphicsFallback? { choice.fallback }
}

extension EncoderChoice {
  fileprivate init(_ options: PictureOptions, on traits: TerminalTraits, cell: PixelSize) {
    self.init(
      traits.capabilities, in: traits.environment, requested: options.graphics,
      sixelEncoder: options.sixelEncoder, cell: cell, colors: traits.colorCount,
      symbols: options.isASCII ? .ascii : options.symbols, isUTF8: traits.isUTF8, compress: options.compress)
  }
}

/// What makes the bytes of pictures out of their pixels, and what goes before them over a slow link.
struct PictureEncoders: Sendable {
  var encoder: any PictureEncoder
  /// Makes what stands there until the picture has come; nil = the link is fast enough.
  var draftEncoder: (any PictureEncoder)?
  /// What shows through pictures.
  var backdrop: Backdrop
  /// The frame of pictures that are picked.
  var pickColor: Color

  init(
    encoder: any PictureEncoder, draftEncoder: (any PictureEncoder)? = nil,
    backdrop: Backdrop = .color(.black),
    pickColor: Color = .white
  ) {
    self.encoder = encoder
    self.draftEncoder = draftEncoder
    self.backdrop = backdrop
    self.pickColor = pickColor
  }

  var geometry: PictureGeometry { encoder.geometry }

  /// The pixels of a picture as its key wants them: framed where it is picked, cut, as large as a coarse picture has to be
  /// for the final one to fit in its place, dimmed.
  func pixels(_ pixels: PixelBuffer, for key: PictureKey, isDegraded: Bool) -> PixelBuffer {
    let marked = key.isPicked ? pixels.framed(pickColor, thickness: frameThickness) : pixels
    let shown =
      key.part.map { pixels.enlarged(to: $0.size) } ?? key.cut.map(marked.showing)
      ?? (isDegraded && key.mode == .aspectFit ? pixels.enlarged(to: key.size) : marked)
    return key.isDimmed ? shown.faded(toward: ground) : shown
  }

  /// The frame of a pick, about three eighths of a character wide: thin, and the same on all sides.
  private var frameThickness: Int {
    // Blocks are as wide as half of a row is high: less would mix with the picture, on each side in another way.
    geometry.isFine ? max(1, (geometry.cell.width * 3 + 4) / 8) : geometry.cell.width
  }

  /// The color of the screen behind pictures.
  private var ground: Color { if case .color(let color) = backdrop { color } else { .black } }

  /// The bytes of a picture, not numbered yet.
  /// - Parameters:
  ///   - isDegraded: whether a better one follows: over a slow link it is a draft, and the draft of that one.
  ///   - known: what there is of the picture so far.
  func encode(_ pixels: PixelBuffer, isDegraded: Bool, known: ScreenPicture?) -> ScreenPicture {
    guard let draftEncoder else {
      return ScreenPicture(version: 0, encoded: encoder.encode(pixels, over: backdrop))
    }
    if isDegraded { return ScreenPicture(version: 0, encoded: draftEncoder.encode(pixels, over: backdrop)) }
    let picture = encoder.encode(pixels, over: backdrop)
    // Nothing is won by a draft where the picture itself is short.
    if picture.cost < Self.worthDraft { return ScreenPicture(version: 0, encoded: picture) }
    let draft =
      known.map { ScreenPicture.Draft(version: $0.version, encoded: $0.encoded) }
      ?? ScreenPicture.Draft(version: 0, encoded: draftEncoder.encode(pixels, over: backdrop))
    return ScreenPicture(version: 0, encoded: picture, draft: draft)
  }

  private static let worthDraft = 4096
}

extension PixelBuffer {
  /// The part of the picture that is not cut away; as much of it as there is.
  fileprivate func showing(_ cut: PictureCut) -> PixelBuffer {
    let (x, y) = (min(max(0, cut.x), width), min(max(0, cut.y), height))
    let part = PixelSize(width: min(cut.size.width, width - x), height: min(cut.size.height, height - y))
    return part == size || part.isEmpty ? self : cropped(x: x, y: y, to: part)
  }

  /// The picture as large as it fits into a box, where it is smaller.
  fileprivate func enlarged(to box: PixelSize) -> PixelBuffer {
    guard !size.isEmpty, !box.isEmpty else { return self }
    let scale = size.scale(toward: box, .aspectFit)
    guard scale > 1.001 else { return self }
    let target = PixelSize(
      width: max(1, Int((Double(width) * scale).rounded())),
      height: max(1, Int((Double(height) * scale).rounded())))
    return Resampler(from: size, to: target)(self)
  }
}

/// The bytes of a picture for the screen, and which ones they are.
struct ScreenPicture: Hashable, Sendable {
  /// A picture as coarse as it may be for a moment, in few bytes.
  struct Draft: Hashable, Sendable {
    var version: UInt64
    var encoded: EncodedPicture
  }

  /// Other bytes have another number.
  var version: UInt64
  var encoded: EncodedPicture
  /// What goes before it over a slow link; nil = nothing does.
  var draft: Draft?
  /// Whether it stands for a moment only.
  var isTransient = false

  /// What it costs in a cache, in bytes.
  var cost: Int { encoded.cost + (draft?.encoded.cost ?? 0) }

  /// The picture with numbers for what has none yet.
  /// - Parameter last: the last number that was given, and then the one that is given.
  func numbered(after last: inout UInt64) -> ScreenPicture {
    var picture = self
    if picture.draft?.version == 0 {
      last += 1
      picture.draft?.version = last
    }
    last += 1
    picture.version = last
    return picture
  }
}

/// How pictures are to be drawn, as the user asked for it.
package struct PictureOptions: Sendable {
  /// How pictures are drawn; nil = as the terminal can.
  package var graphics: GraphicsProtocol?
  /// What writes sixels; nil = what is better for the terminal's colour registers.
  package var sixelEncoder: SixelEncoderKind?
  /// Blocks are drawn without colours, as characters.
  package var isASCII = false
  /// The characters of blocks; nil = as the terminal is known to draw them.
  package var symbols: BlockSymbols?
  /// Pictures that let something through lie on a checkerboard.
  package var isCheckered = false
  /// The size of a character cell, over what the terminal says.
  package var cellSize: PixelSize?
  /// Makes a file of a picture for terminals that read files (iTerm2); nil when it can't.
  package var compress: EncoderChoice.Compressor = { _, _ in nil }
  /// What the link to the terminal was found to carry before; nil = nothing is known of it.
  package var bytesPerSecond: Double?
  /// Bytes of encoded pictures to keep.
  package var cacheLimit = 32 << 20

  package init() {}
}
