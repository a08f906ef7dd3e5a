import PickerUI
package import Pixels
package import TerminalGraphics

/// How pictures are made for a screen, from its terminal, the user's options and the link.
struct PictureStyle: Sendable {
  /// What a change means for existing pictures.
  enum Change: Hashable, Sendable {
    case none
    /// They stay; new ones are encoded differently.
    case bytes
    /// Those not on the screen yet get drafts.
    case drafts
    /// All are remade, in other sizes or for another terminal.
    case pictures
  }

  private let options: PictureOptions
  private var choice: EncoderChoice
  private var backdrop: Backdrop
  private var pickColor: Color
  /// Color of the screen between pictures.
  private var ground: Color
  private var quality = PictureQuality.full
  private var isLinkSlow = false
  /// Encoders for still pictures; nil if none are drawn.
  private(set) var encoders: PictureEncoders?

  init(_ options: PictureOptions, on traits: TerminalTraits, cell: PixelSize) {
    self.options = options
    choice = EncoderChoice(options, on: traits, cell: cell)
    (backdrop, pickColor) = (Self.backdrop(options, on: traits), traits.pickColor)
    ground = traits.backdrop.ground
    encoders = makeEncoders()
  }

  /// Adopts new knowledge of the terminal, or another terminal.
  mutating func setTraits(_ traits: TerminalTraits, cell: PixelSize) {
    choice = EncoderChoice(options, on: traits, cell: cell)
    (backdrop, pickColor) = (Self.backdrop(options, on: traits), traits.pickColor)
    ground = traits.backdrop.ground
    encoders = makeEncoders()
  }

  /// Adopts another cell size.
  mutating func setCellSize(_ cell: PixelSize) {
    choice.cell = cell
    encoders = makeEncoders()
  }

  /// Adapts to the bandwidth of the link.
  /// - Parameter isLinkSlow: whether to send drafts before pictures.
  mutating func setQuality(_ carried: PictureQuality, isLinkSlow: Bool) -> Change {
    // Over a slow link blocks replace pictures, but not if the user chose the protocol: pictures become
    // smaller.
    let wanted = options.graphics == nil ? carried : max(.small, carried)
    guard wanted != quality || isLinkSlow != self.isLinkSlow else { return .none }
    (quality, self.isLinkSlow) = (wanted, isLinkSlow)
    let before = encoders
    encoders = makeEncoders()
    guard let encoders else { return .none }
    // Only pictures of another size have to be remade. On a terminal that has only blocks, no size changes.
    guard let before, before.geometry == encoders.geometry else { return .pictures }
    return before.draftEncoder == nil && encoders.draftEncoder != nil ? .drafts : .bytes
  }

  private func makeEncoders() -> PictureEncoders? {
    guard let encoder = choice.encoder(quality, usesSharedMemory: true, isInterruptible: isLinkSlow) else {
      return nil
    }
    return PictureEncoders(
      encoder: encoder, draftEncoder: isLinkSlow ? choice.draftEncoder(quality) : nil,
      blockEncoder: mostPictures == nil || hasBlocksForLink
        ? nil : choice.blocks(pixels: encoder.geometry.cell),
      backdrop: backdrop, pickColor: pickColor, gapColor: ground)
  }

  private static func backdrop(_ options: PictureOptions, on traits: TerminalTraits) -> Backdrop {
    options.isCheckered ? .checkerboard : traits.backdrop
  }

  /// Encoders for moving pictures, in fewer bytes than still ones; nil if none are drawn.
  var movingEncoders: PictureEncoders? {
    choice.encoder(min(quality, .speed), usesSharedMemory: true).map {
      PictureEncoders(encoder: $0, backdrop: backdrop, pickColor: pickColor)
    }
  }

  /// Whether tiles of the grid may play or show stills: these take no time from other pictures, nor their places.
  var playsInGrid: Bool { !isLinkSlow && mostPictures == nil }

  /// How pictures are requested; nil if none are drawn.
  var geometry: PictureGeometry? { encoders?.geometry }

  /// How kitty pictures are transmitted and placed.
  var kitty: KittyCommands { choice.kitty }

  /// The most pictures that the terminal keeps; nil means any number.
  var mostPictures: Int? { choice.mostPictures }

  /// Size of the largest picture that the terminal draws; nil if it is unknown.
  var largest: PixelSize? { choice.largestSixel }

  /// Sequence that removes all pictures from a screen whose content is unknown.
  var removal: [UInt8] { choice.graphics == .kitty ? kitty.freeAll : [] }

  /// What replaces pictures that the terminal cannot draw; nil if it can.
  var fallback: GraphicsFallback? { choice.fallback }

  /// Whether blocks replace pictures that the terminal could draw, because the link is too slow.
  var hasBlocksForLink: Bool { quality == .blocks && ![.blocks, .none].contains(choice.graphics) }
}

extension EncoderChoice {
  fileprivate init(_ options: PictureOptions, on traits: TerminalTraits, cell: PixelSize) {
    self.init(
      traits.capabilities, in: traits.environment, requested: options.graphics,
      sixelEncoder: options.sixelEncoder, cell: cell, colors: traits.colorCount,
      symbols: options.isASCII ? .ascii : options.symbols, isUTF8: traits.isUTF8, compress: options.compress)
  }
}

/// Encodes pictures from pixels, with drafts for slow links.
struct PictureEncoders: Sendable {
  var encoder: any PictureEncoder
  /// Encodes drafts, which are shown until the picture is sent; nil if the link is fast enough.
  var draftEncoder: (any PictureEncoder)?
  /// Encodes each picture a second time as text, for screens with more pictures than the terminal keeps; nil if it
  /// keeps any number.
  var blockEncoder: BlockEncoder?
  /// What shows through transparent pixels.
  var backdrop: Backdrop
  /// Color of the frame around picked pictures.
  var pickColor: Color
  /// Color of the gaps between thumbnails that are sent as one picture.
  var gapColor: Color

  init(
    encoder: any PictureEncoder, draftEncoder: (any PictureEncoder)? = nil,
    blockEncoder: BlockEncoder? = nil, backdrop: Backdrop = .color(.black),
    pickColor: Color = .white, gapColor: Color = .black
  ) {
    self.encoder = encoder
    self.draftEncoder = draftEncoder
    self.blockEncoder = blockEncoder
    self.backdrop = backdrop
    self.pickColor = pickColor
    self.gapColor = gapColor
  }

  var geometry: PictureGeometry { encoder.geometry }

  /// Returns the pixels to draw for a key: cut to the visible part, with the frame of a pick, dimmed.
  ///
  /// A degraded picture is enlarged to the size that the final one will have. A zoomed part has no frame.
  func pixels(_ pixels: PixelBuffer, for key: PictureKey, isDegraded: Bool) -> PixelBuffer {
    let isSmall = isDegraded && key.mode == .aspectFit
    let marked =
      key.isPicked
      ? pixels.framed(pickColor, thickness: frameThickness) : isSmall ? pixels.enlarged(to: key.size) : pixels
    let shown = key.part.map { pixels.enlarged(to: $0.size) } ?? key.cut.map(marked.showing) ?? marked
    return key.isDimmed ? shown.faded(toward: backdrop.ground) : shown
  }

  /// Thickness of the frame of a pick, about three eighths of a character: thin, and the same on all sides.
  private var frameThickness: Int {
    // A block is one cell wide and half a row high: a thinner frame would blend with the picture, differently
    // on each side.
    geometry.isFine ? max(1, (geometry.cell.width * 3 + 4) / 8) : geometry.cell.width
  }

  /// Encodes thumbnails side by side as one picture.
  func encode(_ run: PictureRun) -> EncodedPicture {
    encoder.encode(run.pixels(over: gapColor, pickColor: pickColor))
  }

  /// Encodes a picture, without a version number yet.
  /// - Parameters:
  ///   - isThumbnail: whether it may be sent together with others, where the terminal keeps few pictures.
  ///   - isDegraded: whether a better one follows; over a slow link it becomes a draft, and the draft of the better
  ///     one.
  ///   - known: the existing picture, if any.
  func encode(
    _ pixels: PixelBuffer, isThumbnail: Bool = false, isDegraded: Bool, known: ScreenPicture?
  ) -> ScreenPicture {
    var picture = drafted(pixels, isDegraded: isDegraded, known: known)
    picture.blocks = blockEncoder.map {
      ScreenPicture.Version(version: 0, encoded: $0.encode(pixels, over: backdrop))
    }
    if isThumbnail, blockEncoder != nil {
      picture.pixels = pixels.composited(over: backdrop, cell: geometry.cell)
    }
    return picture
  }

  private func drafted(_ pixels: PixelBuffer, isDegraded: Bool, known: ScreenPicture?) -> ScreenPicture {
    guard let draftEncoder else {
      return ScreenPicture(version: 0, encoded: encoder.encode(pixels, over: backdrop))
    }
    if isDegraded { return ScreenPicture(version: 0, encoded: draftEncoder.encode(pixels, over: backdrop)) }
    let picture = encoder.encode(pixels, over: backdrop)
    // A draft gains nothing if the picture itself is small.
    if picture.cost < Self.minimumDraftSize { return ScreenPicture(version: 0, encoded: picture) }
    let draft =
      known.map { ScreenPicture.Version(version: $0.version, encoded: $0.encoded) }
      ?? ScreenPicture.Version(version: 0, encoded: draftEncoder.encode(pixels, over: backdrop))
    return ScreenPicture(version: 0, encoded: picture, draft: draft)
  }

  private static let minimumDraftSize = 4096
}

extension PixelBuffer {
  /// Returns the part of the picture inside a cut, as far as it exists.
  fileprivate func showing(_ cut: PictureCut) -> PixelBuffer {
    let (x, y) = (min(max(0, cut.x), width), min(max(0, cut.y), height))
    let part = PixelSize(width: min(cut.size.width, width - x), height: min(cut.size.height, height - y))
    return part == size || part.isEmpty ? self : cropped(x: x, y: y, to: part)
  }

  /// Returns the picture enlarged to fit a box; unchanged if it is not smaller.
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

/// An encoded picture for the screen, with its version.
struct ScreenPicture: Hashable, Sendable {
  /// Another version of the picture.
  struct Version: Hashable, Sendable {
    var version: UInt64
    var encoded: EncodedPicture
  }

  /// Differs for different bytes.
  var version: UInt64
  var encoded: EncodedPicture
  /// A coarse version in few bytes, sent first over a slow link; nil if there is none.
  var draft: Version?
  /// The picture as text; nil if the terminal keeps any number of pictures.
  var blocks: Version?
  /// The pixels of a thumbnail, if the terminal keeps few pictures: it may be sent together with others.
  var pixels: PixelBuffer?
  /// Whether it is shown for a moment only.
  var isTransient = false

  /// Cache cost in bytes.
  var cost: Int {
    encoded.cost + (draft?.encoded.cost ?? 0) + (blocks?.encoded.cost ?? 0) + (pixels?.cost ?? 0)
  }

  /// The picture as text, if there is such a version; otherwise the picture itself.
  var asText: ScreenPicture {
    blocks.map { ScreenPicture(version: $0.version, encoded: $0.encoded, isTransient: isTransient) } ?? self
  }

  /// Returns the picture with version numbers where they are missing.
  /// - Parameter last: the last assigned number; updated.
  func numbered(after last: inout UInt64) -> ScreenPicture {
    var picture = self
    if picture.draft?.version == 0 {
      last += 1
      picture.draft?.version = last
    }
    if picture.blocks != nil {
      last += 1
      picture.blocks?.version = last
    }
    last += 1
    picture.version = last
    return picture
  }
}

/// The user's options for drawing pictures.
package struct PictureOptions: Sendable {
  /// Graphics protocol; nil selects one by the terminal's capabilities.
  package var graphics: GraphicsProtocol?
  /// Sixel encoder; nil selects one by the terminal's color registers.
  package var sixelEncoder: SixelEncoderKind?
  /// Whether blocks are drawn as ASCII characters without colors.
  package var isASCII = false
  /// Characters for blocks; nil selects those that the terminal is known to draw.
  package var symbols: BlockSymbols?
  /// Whether transparent pictures are shown on a checkerboard.
  package var isCheckered = false
  /// Size of a character cell in pixels; overrides the terminal's.
  package var cellSize: PixelSize?
  /// Creates an image file for terminals that read files (iTerm2); returns nil on failure.
  package var compress: EncoderChoice.Compressor = { _, _ in nil }
  /// Bandwidth of the link measured by an earlier run; nil if unknown.
  package var bytesPerSecond: Double?
  /// Limit of the cache of encoded pictures, in bytes.
  package var cacheLimit = 32 << 20

  package init() {}
}
