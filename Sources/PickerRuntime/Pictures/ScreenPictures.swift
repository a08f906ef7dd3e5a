import AssetLibrary
import PickerUI
import Pixels
import TerminalGraphics

/// The pictures of a screen, still and moving, encoded as its terminal and the link to it want them.
///
/// Used by the thread of the run loop.
final class ScreenPictures {
  private let options: PictureOptions
  private var encoders: EncoderChoice
  private var quality = PictureQuality.full
  /// Whether drafts go before pictures.
  private var isLinkSlow = false
  /// Whether the way of drawing was asked for by name.
  private let isAskedFor: Bool
  private let makeStore: (PictureEncoders, Backdrop, Color) -> PictureStore
  private var backdrop: Backdrop
  private var pickColor: Color
  /// nil = no pictures are drawn.
  private var store: PictureStore?
  private let player: PicturePlayer
  /// How pictures are asked for; nil = none are.
  private(set) var geometry: PictureGeometry?

  /// - Parameter post: takes word of what becomes ready, on other threads.
  init(
    _ options: PictureOptions, on traits: TerminalTraits, cell: PixelSize, manager: any AssetManager,
    clock: any RuntimeClock, post: @escaping @Sendable (PickerMessage) -> Void
  ) {
    self.options = options
    encoders = EncoderChoice(options, on: traits, cell: cell)
    isAskedFor = options.graphics != nil
    let backdrop = options.isCheckered ? .checkerboard : traits.backdrop
    self.backdrop = backdrop
    pickColor = traits.pickColor
    makeStore = { encoders, backdrop, pickColor in
      PictureStore(
        manager: manager, encoders: encoders, backdrop: backdrop, pickColor: pickColor,
        cacheLimit: options.cacheLimit,
        call: { clock.call(after: $0, $1) },
        reportDownload: { post(.downloadProgress($0, $1)) }, report: { post(.pictures($0)) })
    }
    player = PicturePlayer(manager: manager, backdrop: backdrop, clock: clock) {
      post(.playback($0, generation: $1))
    }
    renew()
  }

  private var current: PictureEncoders? {
    guard let encoder = encoders.encoder(quality, usesSharedMemory: true, isInterruptible: isLinkSlow) else {
      return nil
    }
    return PictureEncoders(
      encoder: encoder, draftEncoder: isLinkSlow ? encoders.draftEncoder(quality) : nil)
  }

  private func renew() {
    let current = current
    store = current.map { makeStore($0, backdrop, pickColor) }
    geometry = current?.encoder.geometry
  }

  /// How kitty's pictures are handed over and placed.
  var kitty: KittyCommands { encoders.kitty }

  /// What removes all pictures from a screen that nothing is known of.
  var removal: [UInt8] { encoders.graphics == .kitty ? kitty.freeAll : [] }

  /// What stands in for pictures that the terminal can't draw; nil where it can.
  var fallback: GraphicsFallback? { encoders.fallback }

  // MARK: How they are made

  /// The terminal is known better, or is another one: every picture is made anew.
  func adopt(_ traits: TerminalTraits, cell: PixelSize) {
    encoders = EncoderChoice(options, on: traits, cell: cell)
    backdrop = options.isCheckered ? .checkerboard : traits.backdrop
    pickColor = traits.pickColor
    replaceStore()
  }

  /// Cells of another size: every picture is another one.
  func adopt(_ cell: PixelSize) {
    encoders.cell = cell
    replaceStore()
  }

  /// The link carries more or less from now on.
  /// - Parameters:
  ///   - isLinkSlow: whether drafts go before pictures.
  ///   - shown: which pictures are on the screen.
  /// - Returns: whether pictures have another size.
  func adopt(_ carried: PictureQuality, isLinkSlow: Bool = false, shown: Set<UInt64> = []) -> Bool {
    // What was asked for by name is drawn in that way, if smaller.
    let wanted = isAskedFor ? max(.small, carried) : carried
    guard wanted != quality || isLinkSlow != self.isLinkSlow else { return false }
    quality = wanted
    self.isLinkSlow = isLinkSlow
    guard let current else { return false }
    // Pictures of the same size stay as they are, also where the terminal only ever had blocks.
    guard current.encoder.geometry != geometry else {
      store?.use(current, shown: shown)
      return false
    }
    replaceStore()
    return true
  }

  private func replaceStore() {
    _ = store?.demand([])  // whatever is under way is of no use any more
    renew()
  }

  // MARK: What there is

  /// Sees to it that the wanted pictures come, and that nothing else does.
  /// - Returns: what is known of them already.
  func demand(_ wants: [PictureRequest]) -> [PictureKey: PictureStatus] { store?.demand(wants) ?? [:] }

  /// Whether pictures are on their way that the user looks at.
  var awaitsMoreInSight: Bool { store?.awaitsMoreInSight ?? false }

  /// What to draw for a key: the moving picture where one plays, else the best there is so far.
  func picture(for key: PictureKey) -> ScreenPicture? { player.picture(for: key) ?? store?.picture(for: key) }

  // MARK: What moves

  /// Plays something in the place of a picture, in fewer bytes than a still one.
  func play(_ request: PlaybackRequest) {
    if let encoder = encoders.encoder(min(quality, .speed), usesSharedMemory: true) {
      player.play(request, with: encoder)
    }
  }

  func stopPlaying() { player.stop() }

  /// A moving picture was sent to the terminal.
  func markSent(_ version: UInt64) { player.sent(version) }
}

extension EncoderChoice {
  fileprivate init(_ options: PictureOptions, on traits: TerminalTraits, cell: PixelSize) {
    self.init(
      traits.capabilities, in: traits.environment, requested: options.graphics,
      sixelEncoder: options.sixelEncoder, cell: cell, colors: traits.colorCount,
      symbols: options.isASCII ? .ascii : options.symbols, isUTF8: traits.isUTF8, compress: options.compress)
  }
}
