package import Pixels

/// What pictures are drawn with on a terminal, by what was asked for and what the terminal said that it can.
///
/// Pure, and the one place that decides it: for the picker, for `tpick show`, for what stands and for what moves.
package struct EncoderChoice: Sendable {
  /// Makes a file of a picture, for terminals that read files; nil when it can't.
  package typealias Compressor = @Sendable (PixelBuffer, PictureQuality) -> [UInt8]?

  /// The way of drawing.
  package let graphics: GraphicsProtocol
  /// How kitty's pictures are handed over and placed.
  package let kitty: KittyCommands
  /// A sequence has to have fewer bytes than this; nil = any number.
  package let longestSequence: Int?
  /// The size of a character cell in pixels.
  package var cell: PixelSize
  /// What stands in for pictures; nil where the terminal draws them, or where it was asked for.
  package let fallback: GraphicsFallback?
  private let needsPassthrough: Bool
  private let isRemote: Bool
  private let capabilities: TerminalCapabilities
  private let depth: ColorDepth
  private let symbols: BlockSymbols
  private let sixelEncoder: SixelEncoderKind?
  private let compress: Compressor

  /// - Parameters:
  ///   - requested: the way of drawing that was asked for; nil = the best that the terminal confirmed.
  ///   - colors: how many colours its description gives to text; nil where there is no terminal.
  ///   - sixelEncoder: what writes sixels; nil = what is better for the terminal's colour registers.
  ///   - symbols: the characters of blocks that were asked for; nil = as the terminal is known to draw them.
  ///   - isUTF8: whether the locale has more characters than ASCII.
  package init(
    _ capabilities: TerminalCapabilities, in environment: TerminalEnvironment,
    requested: GraphicsProtocol? = nil,
    sixelEncoder: SixelEncoderKind? = nil, cell: PixelSize, colors: Int? = nil, symbols: BlockSymbols? = nil,
    isUTF8: Bool = true, compress: @escaping Compressor = { _, _ in nil }
  ) {
    let choice = GraphicsChoice(capabilities, in: environment, requested: requested)
    graphics = choice.graphics
    needsPassthrough = choice.needsPassthrough
    // Inside tmux only placeholders stay where they are.
    kitty = KittyCommands(usesPlaceholders: needsPassthrough, needsPassthrough: needsPassthrough)
    longestSequence = capabilities.quirks.longestSequence
    isRemote = environment.isRemote
    let name = capabilities.name ?? capabilities.tmuxClient?.tmuxName
    depth = ColorDepth(described: colors, name: name, in: environment)
    fallback =
      requested == nil && graphics == .blocks ? GraphicsFallback(choice, depth, in: environment) : nil
    // Inside tmux the terminal around it draws the characters.
    let drawer = capabilities.tmuxClient.flatMap { $0.name.isEmpty ? nil : $0.name } ?? name
    self.symbols = symbols ?? BlockSymbols(terminal: drawer, term: environment.term, isUTF8: isUTF8)
    self.capabilities = capabilities
    self.cell = cell
    self.sixelEncoder = sixelEncoder
    self.compress = compress
  }

  /// The encoder for a quality; nil where nothing is to be drawn.
  /// - Parameters:
  ///   - usesSharedMemory: whether pixels may be put where the terminal finds them, by somebody who stays until it
  ///     has.
  ///   - isInterruptible: whether large pictures come in strips, between which something else can be sent.
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
      if isInterruptible, !isShared { return reduced(to: quality == .full ? 128 : 64, by: 2) }
      encoder = KittyEncoder(
        cell: cell, link: isShared ? .memory : isSlow ? .remote : .local, usesPlaceholders: needsPassthrough)
    case .iterm: encoder = files(quality).bounded(to: longestSequence) { files(.small) }
    case .sixel:
      encoder = sixels(quality == .full ? .quality : .speed, inStrips: isInterruptible).bounded(
        to: longestSequence
      ) { sixels(.speed) }
    }
    // Smaller pictures where the link carries no large ones.
    return quality == .small ? CappedEncoder(encoder, largest: PixelSize(width: 400, height: 300)) : encoder
  }

  /// Makes what stands in a picture's place until it has come over a slow link, in a fifth of its bytes; nil where
  /// pictures are short anyway.
  package func draftEncoder(_ quality: PictureQuality) -> (any PictureEncoder)? {
    if quality == .blocks { return nil }
    switch graphics {
    case .none, .blocks: return nil
    case .kitty: return reduced(to: 32, by: 3)
    case .iterm: return files(.small, reduction: 3)
    case .sixel: return SmoothedEncoder(sixels(.draft)).bounded(to: longestSequence) { sixels(.draft) }
    }
  }

  private func reduced(to colors: Int, by reduction: Int) -> any PictureEncoder {
    KittyEncoder(
      cell: cell, link: .slow(colors: colors, reduction: reduction), usesPlaceholders: needsPassthrough)
  }

  /// Draws text, which any terminal shows.
  package var blocks: BlockEncoder {
    BlockEncoder(
      cell: cell, depth: depth, symbols: symbols, isInkDark: capabilities.background?.isLight ?? false)
  }

  /// Sends files, for terminals that read them.
  /// - Parameter reduction: by how much the terminal is to enlarge them.
  package func files(_ quality: PictureQuality, reduction: Int = 1) -> InlineImageEncoder {
    InlineImageEncoder(cell: cell, reduction: reduction, needsPassthrough: needsPassthrough) { [compress] in
      compress($0, quality)
    }
  }

  private func sixels(_ preset: SixelPreset, inStrips: Bool = false) -> any PictureEncoder {
    let registers = capabilities.colorRegisters ?? 256
    let largest = capabilities.largestSixel
    return switch sixelEncoder ?? .best(registers: registers, preset: preset) {
    case .own:
      SixelEncoder(
        cell: cell, registers: registers, largest: largest, preset: preset, isInStrips: inStrips)
    case .libsixel: LibsixelEncoder(cell: cell, registers: registers, largest: largest, preset: preset)
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
