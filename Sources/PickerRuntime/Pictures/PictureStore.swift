import AssetLibrary
import PickerUI
import Pixels
import Synchronization
import TerminalGraphics

/// The pictures of the screen, still and moving, as bytes for the terminal.
///
/// What to do is decided in values, under a lock: how pictures are made (`PictureStyle`), and which (`PictureTable`). This
/// asks the image manager for pixels, and encodes them on the manager's threads, which bring them. All else is called on
/// the thread of the run loop.
final class PictureStore: Sendable {
  private struct State: Sendable {
    var style: PictureStyle
    var table: PictureTable
  }

  private let manager: any AssetManager
  private let clock: any RuntimeClock
  private let player: PicturePlayer
  private let state: Mutex<State>
  private let askRetry: @Sendable () -> Void
  private let post: @Sendable (PickerMessage) -> Void

  /// - Parameters:
  ///   - askRetry: called on another thread when `retry` is to be called, because something that failed may be had now.
  ///   - post: takes word of what becomes ready, on other threads.
  init(
    _ options: PictureOptions, on traits: TerminalTraits, cell: PixelSize, manager: any AssetManager,
    clock: any RuntimeClock, askRetry: @escaping @Sendable () -> Void = {},
    post: @escaping @Sendable (PickerMessage) -> Void
  ) {
    self.manager = manager
    self.clock = clock
    self.askRetry = askRetry
    self.post = post
    player = PicturePlayer(manager: manager, clock: clock) { post(.playback($0, generation: $1)) }
    state = Mutex(
      State(
        style: PictureStyle(options, on: traits, cell: cell),
        table: PictureTable(cacheLimit: options.cacheLimit)))
  }

  // MARK: How they are made

  /// How pictures are requested; nil = none are.
  var geometry: PictureGeometry? { state.withLock(\.style.geometry) }

  /// How kitty's pictures are handed over and placed.
  var kitty: KittyCommands { state.withLock(\.style.kitty) }

  /// What removes all pictures from a screen that nothing is known of.
  var removal: [UInt8] { state.withLock(\.style.removal) }

  /// What stands in for pictures that the terminal can't draw; nil where it can.
  var fallback: GraphicsFallback? { state.withLock(\.style.fallback) }

  /// The terminal is known better, or is another one: every picture is made anew.
  func adopt(_ traits: TerminalTraits, cell: PixelSize) {
    remakeAll { $0.adopt(traits, cell: cell) }
  }

  /// Cells of another size: every picture is another one.
  func adopt(_ cell: PixelSize) { remakeAll { $0.adopt(cell) } }

  private func remakeAll(after change: (inout PictureStyle) -> Void) {
    let time = clock.now
    let orders = state.withLock { state in
      let before = state.style.geometry
      change(&state.style)
      // Where pictures have another size the picker wants others.
      return state.style.geometry == before ? state.table.remakeAll(at: time) : state.table.removeAll()
    }
    perform(orders)
  }

  /// The link carries more or less from now on.
  /// - Parameters:
  ///   - isLinkSlow: whether drafts go before pictures.
  ///   - shown: which pictures are on the screen.
  /// - Returns: whether pictures have another size.
  func adopt(_ carried: PictureQuality, isLinkSlow: Bool = false, shown: Set<UInt64> = []) -> Bool {
    let time = clock.now
    let (isOther, orders) = state.withLock { state -> (Bool, [PictureTable.Order]) in
      switch state.style.adopt(carried, isLinkSlow: isLinkSlow) {
      case .none, .bytes: (false, [])
      case .drafts: (false, state.table.remake(except: shown, at: time))
      case .pictures: (true, state.table.removeAll())
      }
    }
    perform(orders)
    return isOther
  }

  // MARK: What there is

  /// Sees to it that the wanted pictures come, and that nothing else does.
  /// - Returns: what is known already of those that were not wanted before.
  func demand(_ wants: [PictureRequest]) -> [PictureKey: PictureStatus] {
    let time = clock.now
    let (news, orders) = state.withLock { state in
      state.style.encoders == nil ? ([:], []) : state.table.demand(wants, at: time)
    }
    perform(orders)
    return news
  }

  /// The picker has forgotten what it was told: the next demand tells it of everything.
  func forgetTold() { state.withLock { $0.table.forgetTold() } }

  /// Requests once more what failed for a passing reason, if it is still wanted.
  func retry() {
    let time = clock.now
    perform(state.withLock { $0.table.retry(at: time) })
  }

  /// Whether pictures are on their way that the user looks at.
  var awaitsMoreInSight: Bool { state.withLock(\.table.awaitsMoreInSight) }

  /// What to draw for a key: the moving picture where one plays, else the best there is so far.
  func picture(for key: PictureKey) -> ScreenPicture? {
    player.picture(for: key) ?? state.withLock { $0.table.picture(for: key) }
  }

  // MARK: What moves

  /// Plays something in the place of a picture.
  func play(_ request: PlaybackRequest) {
    if let encoders = state.withLock(\.style.movingEncoders) { player.play(request, with: encoders) }
  }

  func stopPlaying() { player.stop() }

  /// A moving picture was sent to the terminal.
  func markSent(_ version: UInt64) { player.sent(version) }

  // MARK: The image manager

  /// Tells the manager what the table says, without the lock: it may answer within the call.
  private func perform(_ orders: [PictureTable.Order]) {
    for order in orders {
      switch order {
      case .request(let want, let number):
        let request = want.request
        let id = manager.requestImage(
          request, priority: want.priority,
          progressHandler: request.options.isNetworkAccessAllowed ? progressHandler(want.asset.id) : nil
        ) { [weak self] in self?.receive($0, for: want, number) }
        if !state.withLock({ $0.table.began(number, for: want.key, as: id) }) {
          // Answered within the call, or given up: then it must not run on.
          manager.cancelImageRequest(id)
        }
      case .setPriority(let priority, let id): manager.setPriority(priority, of: id)
      case .cancel(let id): manager.cancelImageRequest(id)
      }
    }
  }

  /// Tells how much of an original has come, often enough to look steady.
  private func progressHandler(_ asset: LocalIdentifier) -> @Sendable (Double) -> DownloadDecision {
    let told = Mutex<Duration?>(nil)
    return { [weak self] fraction in
      guard let self else { return .stop }
      let now = clock.now
      let isNews = told.withLock { told in
        if let last = told, now - last < .milliseconds(100) { return false }
        told = now
        return true
      }
      if isNews { post(.downloadProgress(asset, fraction)) }
      return .proceed
    }
  }

  /// Takes an answer of the manager, on its thread: what is encoded here delays no key.
  private func receive(_ result: ImageResult, for want: PictureRequest, _ number: UInt64) {
    let key = want.key
    if result.isLast, want.request.options.isNetworkAccessAllowed { post(.downloadProgress(key.asset, nil)) }
    switch result.content {
    case .image(let pixels, let isDegraded, let note):
      add(pixels, isDegraded: isDegraded, note: note, for: key, number)
    case .failed where result.isInCloud:
      if state.withLock({ $0.table.addMissingOriginal(for: key, of: number) }) {
        post(.pictures([key: .inCloud]))
      }
    case .failed(let error):
      let time = clock.now
      let (isNews, pause) = state.withLock { $0.table.add(error, for: key, of: number, at: time) }
      if let pause { clock.call(after: pause, askRetry) }
      if isNews { post(.pictures([key: .failed(reason: error.reason)])) }
    case .cancelled: break
    }
  }

  private func add(
    _ pixels: PixelBuffer, isDegraded: Bool, note: String?, for key: PictureKey, _ number: UInt64
  ) {
    let (found, known) = state.withLock { state in
      (state.table.isCurrent(number) ? state.style.encoders : nil, state.table.picture(for: key))
    }
    guard let encoders = found else { return }
    let pixels = encoders.pixels(pixels, for: key, isDegraded: isDegraded)
    var picture = encoders.encode(pixels, isDegraded: isDegraded, known: known)
    // The link may have turned out to be slow meanwhile.
    if encoders.draftEncoder == nil, let newer = state.withLock(\.style.encoders), newer.draftEncoder != nil {
      picture = newer.encode(pixels, isDegraded: isDegraded, known: known)
    }
    let isPreview = key.mode == .aspectFit && key.part == nil
    let status = PictureStatus.ready(note: note, histogram: isPreview ? LevelHistogram(of: pixels) : nil)
    let isNews = state.withLock { [picture] state in
      state.table.add(picture, for: key, isFinal: !isDegraded, status: status, of: number)
    }
    if isNews { post(.pictures([key: status])) }
  }
}
