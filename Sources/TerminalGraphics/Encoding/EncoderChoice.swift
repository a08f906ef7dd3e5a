package import Pixels

/// The choice of protocol and encoders for a terminal, from the user's options and the terminal's answers.
///
/// A pure function, and the only place that decides it: for the picker and for `tpick show`, for stills and for
/// moving pictures.
package struct EncoderChoice: Sendable {
  /// Creates an image file from a picture, for terminals that read files; returns nil on failure.
  package typealias Compressor = @Sendable (PixelBuffer, PictureQuality) -> [UInt8]?

  /// The graphics protocol.
  package let graphics: GraphicsProtocol
  /// How kitty pictures are transmitted and placed.
  package let kitty: KittyCommands
  /// A sequence must have fewer bytes than this; nil means without limit.
  package let longestSequence: Int?
  /// The most pictures that the terminal keeps; nil if all are drawn as text, or if it keeps any number.
  package let mostPictures: Int?
  /// Size of the largest sixel picture that the terminal draws; nil if it is unknown.
  package let largestSixel: PixelSize?
  /// Size of a character cell in pixels.
  package var cell: PixelSize
  /// What replaces pictures; nil if the terminal draws them, or if the user asked for the replacement.
  package let fallback: GraphicsFallback?
  private let needsPassthrough: Bool
  private let isRemote: Bool
  private let capabilities: TerminalCapabilities
  private let depth: ColorDepth
  private let symbols: BlockSymbols
  private let sixelEncoder: SixelEncoderKind?
  private let compress: Compressor

  /// - Parameters:
  ///   - requested: the user's graphics protocol; nil selects the best one that the terminal confirms.
  ///   - colors: number of colors for text by the terminal's terminfo entry; nil if there is no terminal.
  ///   - sixelEncoder: sixel encoder; nil selects one by the terminal's color registers.
  ///   - symbols: the user's characters for blocks; nil selects those that the terminal is known to draw.
  ///   - isUTF8: whether the locale has characters beyond ASCII.
  package init(
    _ capabilities: TerminalCapabilities, in environment: TerminalEnvironment,
    requested: GraphicsProtocol? = nil,
    sixelEncoder: SixelEncoderKind? = nil, cell: PixelSize, colors: Int? = nil, symbols: BlockSymbols? = nil,
    isUTF8: Bool = true, compress: @escaping Compressor = { _, _ in nil }
  ) {
    let choice = GraphicsChoice(capabilities, in: environment, requested: requested)
    graphics = choice.graphics
    needsPassthrough = choice.needsPassthrough
    // Inside tmux, only placeholders stay at their position.
    kitty = KittyCommands(usesPlaceholders: needsPassthrough, needsPassthrough: needsPassthrough)
    longestSequence = capabilities.quirks.longestSequence
    mostPictures = graphics == .sixel ? capabilities.quirks.mostPictures : nil
    let client = capabilities.confirmedTmuxClient
    largestSixel =
      capabilities.largestSixel ?? client.flatMap { TerminalDatabase.largestSixel(in: $0) }
    isRemote = environment.isRemote
    let name = capabilities.name ?? client?.tmuxName
    depth = ColorDepth(described: colors, capabilities, in: environment)
    fallback =
      requested == nil && graphics == .blocks
      ? GraphicsFallback(
        choice, depth, believesClaims: capabilities.quirks.colors == .claimed, in: environment)
      : nil
    // Inside tmux, the terminal around it draws the characters.
    let drawer = client.flatMap { $0.name.isEmpty ? nil : $0.name } ?? name
    self.symbols = symbols ?? BlockSymbols(terminal: drawer, term: environment.term, isUTF8: isUTF8)
    self.capabilities = capabilities
    self.cell = cell
    self.sixelEncoder = sixelEncoder
    self.compress = compress
  }

  /// Returns the encoder for a quality; nil if nothing is drawn.
  /// - Parameters:
  ///   - usesSharedMemory: whether pixels may be passed through shared memory or files, which needs a process that
  ///     stays until the terminal has read them.
  ///   - isInterruptible: whether large pictures are sent in strips, between which something else can be sent.
  package func encoder(
    _ quality: PictureQuality, usesSharedMemory: Bool, isInterruptible: Bool = false
  ) -> (any PictureEncoder)? {
    let encoder: any PictureEncoder
    switch graphics {
    case .none: return nil
    case _ where quality == .blocks: return blocks
    case .blocks: return blocks
    case .kitty:
      let isShared = usesSharedMemory && capabilities.readsKittyHandovers && !needsPassthrough
      let isSlow = isRemote || quality < .full
      // The terminal enlarges pictures, so that they keep their size on the screen over the slowest link too.
      if isInterruptible, !isShared {
        return reduced(
          to: quality == .full ? 128 : 64, by: 2, most: quality == .small ? Self.largestOfSlowLink : nil)
      }
      encoder = KittyEncoder(
        cell: cell, link: isShared ? .memory : isSlow ? .remote : .local, usesPlaceholders: needsPassthrough)
    case .iterm: encoder = files(quality).bounded(to: longestSequence) { files(.small) }
    case .sixel:
      encoder = sixels(quality == .full ? .quality : .speed, inStrips: isInterruptible).bounded(
        to: longestSequence
      ) { sixels(.speed) }
    }
    // Smaller pictures if the link carries no large ones.
    return quality == .small ? CappedEncoder(encoder, largest: Self.largestOfSlowLink) : encoder
  }

  /// The most pixels of a picture that are sent over the slowest link that gets any.
  private static let largestOfSlowLink = PixelSize(width: 400, height: 300)

  /// Returns the encoder for drafts, which are shown until the picture has arrived over a slow link and take a
  /// fifth of its bytes; nil if pictures are small anyway.
  package func draftEncoder(_ quality: PictureQuality) -> (any PictureEncoder)? {
    if quality == .blocks { return nil }
    switch graphics {
    case .none, .blocks: return nil
    // Never finer than the picture itself.
    case .kitty:
      return reduced(to: 32, by: 3, most: quality == .small ? PixelSize(width: 200, height: 150) : nil)
    case .iterm: return files(.small, reduction: 3)
    case .sixel: return SmoothedEncoder(sixels(.draft)).bounded(to: longestSequence) { sixels(.draft) }
    }
  }

  private func reduced(to colors: Int, by reduction: Int, most: PixelSize?) -> any PictureEncoder {
    KittyEncoder(
      cell: cell, link: .slow(colors: colors, reduction: reduction, most: most),
      usesPlaceholders: needsPassthrough)
  }

  /// Encodes pictures as text, which any terminal shows.
  package var blocks: BlockEncoder { blocks(pixels: nil) }

  /// Encodes pictures that were made for another encoder as text.
  /// - Parameter pixels: the size of a cell in them.
  package func blocks(pixels: PixelSize?) -> BlockEncoder {
    BlockEncoder(
      cell: cell, depth: depth, symbols: symbols, isInkDark: capabilities.background?.isLight ?? false,
      pixels: pixels)
  }

  /// Returns the encoder that sends files, for terminals that read them.
  /// - Parameter reduction: factor by which the terminal enlarges them.
  package func files(_ quality: PictureQuality, reduction: Int = 1) -> InlineImageEncoder {
    InlineImageEncoder(cell: cell, reduction: reduction, needsPassthrough: needsPassthrough) { [compress] in
      compress($0, quality)
    }
  }

  private func sixels(_ preset: SixelPreset, inStrips: Bool = false) -> any PictureEncoder {
    let registers = capabilities.colorRegisters ?? 256
    return switch sixelEncoder ?? .best(registers: registers, preset: preset) {
    case .own:
      SixelEncoder(
        cell: cell, registers: registers, largest: largestSixel, preset: preset,
        // Each strip would count as a picture.
        isInStrips: inStrips && mostPictures == nil,
        ground: capabilities.quirks.fillsSixels ? capabilities.background ?? .black : nil)
    case .libsixel: LibsixelEncoder(cell: cell, registers: registers, largest: largestSixel, preset: preset)
    }
  }
}

extension Color {
  /// Brightness from 0 to 255 (ITU-R BT.601 weights).
  package var luminance: Int { (Int(red) * 299 + Int(green) * 587 + Int(blue) * 114) / 1000 }

  /// Whether text on it is dark.
  package var isLight: Bool { luminance > 128 }
}

extension Backdrop {
  /// Whether text on it is dark.
  package var isLight: Bool { if case .color(let color) = self { color.isLight } else { false } }
}
