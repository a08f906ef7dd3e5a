import AssetLibrary
import PickerUI
import Pixels
import Synchronization
import TerminalGraphics

/// The pictures of the screen, still and moving, encoded for the terminal.
///
/// Decisions are made by values under a lock: how to make pictures (`PictureStyle`) and which ones
/// (`PictureTable`). This class requests pixels from the image manager, and encodes them on the manager's callback
/// threads. Everything else is called on the thread of the run loop.
final class PictureStore: Sendable {
  private struct State: Sendable {
    var style: PictureStyle
    var table: PictureTable
  }

  private let manager: any AssetManager
  private let clock: any RuntimeClock
  private let player: PicturePlayer
  private let stills: StillReader
  private let keyPhotos: KeyPhotoReader
  private let state: Mutex<State>
  private let onRetryDue: @Sendable () -> Void
  private let post: @Sendable (PickerMessage) -> Void

  /// - Parameters:
  ///   - onRetryDue: called on another thread when `retry` should be called, because a temporary failure may be over.
  ///   - post: receives messages about pictures that become ready, on other threads.
  init(
    _ options: PictureOptions, on traits: TerminalTraits, cell: PixelSize, manager: any AssetManager,
    clock: any RuntimeClock, onRetryDue: @escaping @Sendable () -> Void = {},
    post: @escaping @Sendable (PickerMessage) -> Void
  ) {
    self.manager = manager
    self.clock = clock
    self.onRetryDue = onRetryDue
    self.post = post
    stills = StillReader(manager: manager, clock: clock)
    keyPhotos = KeyPhotoReader(manager: manager)
    player = PicturePlayer(manager: manager, clock: clock) { post(.playback($0, generation: $1)) }
    state = Mutex(
      State(
        style: PictureStyle(options, on: traits, cell: cell),
        table: PictureTable(cacheLimit: options.cacheLimit)))
  }

  // MARK: Style

  /// How pictures are requested; nil if none are drawn.
  var geometry: PictureGeometry? { state.withLock(\.style.geometry) }

  /// How kitty pictures are transmitted and placed.
  var kitty: KittyCommands { state.withLock(\.style.kitty) }

  /// The most pictures that the terminal keeps; nil means any number.
  var mostPictures: Int? { state.withLock(\.style.mostPictures) }

  /// The limits of a terminal that keeps few pictures; nil means any number, also while all pictures are text.
  /// - Parameters:
  ///   - version: returns the version of a run of thumbnails.
  ///   - isEncoded: returns whether a run is encoded.
  func limit(
    version: @escaping (PictureRun) -> UInt64, isEncoded: @escaping (PictureRun) -> Bool
  ) -> PictureLimit? {
    let (style, pending) = state.withLock { ($0.style, $0.table.pendingThumbnails) }
    guard let count = style.mostPictures, !style.hasBlocksForLink, let geometry = style.geometry else {
      return nil
    }
    return PictureLimit(
      count: count, cell: geometry.cell, largest: style.largest, isPending: pending.contains,
      version: version, isEncoded: isEncoded)
  }

  /// Encodes thumbnails side by side as one picture; nil if no pictures are drawn.
  func encode(_ run: PictureRun) -> EncodedPicture? { state.withLock(\.style.encoders)?.encode(run) }

  /// Sequence that removes all pictures from a screen whose content is unknown.
  var removal: [UInt8] { state.withLock(\.style.removal) }

  /// What replaces pictures that the terminal cannot draw; nil if it can.
  var fallback: GraphicsFallback? { state.withLock(\.style.fallback) }

  /// Whether blocks replace pictures that the terminal could draw, because the link is too slow.
  var hasBlocksForLink: Bool { state.withLock(\.style.hasBlocksForLink) }

  /// Remakes all pictures for new knowledge of the terminal, or for another terminal.
  func setTraits(_ traits: TerminalTraits, cell: PixelSize) {
    remakeAll { $0.setTraits(traits, cell: cell) }
  }

  /// Remakes all pictures for another cell size.
  func setCellSize(_ cell: PixelSize) { remakeAll { $0.setCellSize(cell) } }

  private func remakeAll(after change: (inout PictureStyle) -> Void) {
    let time = clock.now
    let orders = state.withLock { state in
      let before = state.style.geometry
      change(&state.style)
      // If pictures have another size, the picker will request other ones.
      return state.style.geometry == before ? state.table.remakeAll(at: time) : state.table.removeAll()
    }
    perform(orders)
  }

  /// Adapts pictures to the bandwidth of the link.
  /// - Parameters:
  ///   - isLinkSlow: whether to send drafts before pictures.
  ///   - shown: versions of the pictures on the screen.
  /// - Returns: whether pictures have another size now.
  func setQuality(_ carried: PictureQuality, isLinkSlow: Bool = false, shown: Set<UInt64> = []) -> Bool {
    let time = clock.now
    let (isOther, orders) = state.withLock { state -> (Bool, [PictureTable.Order]) in
      switch state.style.setQuality(carried, isLinkSlow: isLinkSlow) {
      case .none, .bytes: (false, [])
      case .drafts: (false, state.table.remake(except: shown, at: time))
      case .pictures: (true, state.table.removeAll())
      }
    }
    perform(orders)
    return isOther
  }

  // MARK: Content

  /// Requests the wanted pictures, and cancels all other requests.
  /// - Returns: the known statuses of pictures that were not wanted before.
  func demand(_ wants: [PictureRequest]) -> [PictureKey: PictureStatus] {
    let time = clock.now
    let (news, orders, keys) = state.withLock { state in
      let wants = state.style.playsInGrid ? wants : wants.filter { $0.key.still == nil }
      let (news, orders) = state.style.encoders == nil ? ([:], []) : state.table.demand(wants, at: time)
      return (news, orders, Set(wants.map(\.key)))
    }
    stills.keep(keys.filter { $0.still != nil })
    keyPhotos.keep(keys)
    perform(orders)
    return news
  }

  /// Makes the next `demand` return the statuses of all pictures, because the picker has forgotten them.
  func forgetReportedStatuses() { state.withLock { $0.table.forgetReportedStatuses() } }

  /// Repeats requests that failed temporarily, if they are still wanted.
  func retry() {
    let time = clock.now
    perform(state.withLock { $0.table.retry(at: time) })
  }

  /// Whether visible pictures are pending.
  var hasPendingVisiblePictures: Bool { state.withLock(\.table.hasPendingVisiblePictures) }

  /// Returns the picture to draw for a key: the frame that plays there, otherwise the best still so far.
  func picture(for key: PictureKey) -> ScreenPicture? {
    player.picture(for: key) ?? state.withLock { $0.table.picture(for: key) }
  }

  // MARK: Playback

  /// Starts playback in the place of a picture.
  func play(_ request: PlaybackRequest) {
    let style = state.withLock(\.style)
    if request.isInGrid, !style.playsInGrid { return }
    if let encoders = style.movingEncoders { player.play(request, with: encoders) }
  }

  /// Whether tiles of the grid may play or show stills.
  var playsInGrid: Bool { state.withLock(\.style.playsInGrid) }

  /// Changes the current playback.
  func control(_ order: PlaybackOrder) { player.control(order) }

  func stopPlaying() { player.stop() }

  /// Stops reading frames of videos and clips, except for playback.
  func stopStills() {
    stills.keep([])
    keyPhotos.keep([])
  }

  /// Notes that a frame of the playback was sent to the terminal.
  func markSent(_ version: UInt64) { player.sent(version) }

  // MARK: The image manager

  /// Forwards the table's orders to the manager, without holding the lock, because it may answer within the call.
  private func perform(_ orders: [PictureTable.Order]) {
    for order in orders {
      switch order {
      case .request(let want, let number):
        if let place = want.key.place {
          // It has no identifier: `keep` cancels it.
          stills.read(want, at: place) { [weak self] in self?.receive($0, for: want.key, number) }
          continue
        }
        if let time = want.key.keyPhotoTime {
          keyPhotos.read(want, at: time) { [weak self] in self?.receive($0, for: want.key, number) }
          continue
        }
        let request = want.request
        let id = manager.requestImage(
          request, priority: want.priority,
          progressHandler: request.options.isNetworkAccessAllowed ? progressHandler(want.asset.id) : nil
        ) { [weak self] in self?.receive($0, for: want, number) }
        if !state.withLock({ $0.table.began(number, for: want.key, as: id) }) {
          // Answered within the call, or cancelled: then it must not continue.
          manager.cancelImageRequest(id)
        }
      case .setPriority(let priority, let id): manager.setPriority(priority, of: id)
      case .cancel(let id): manager.cancelImageRequest(id)
      }
    }
  }

  /// Returns a handler that posts download progress, often enough to look steady.
  private func progressHandler(_ asset: LocalIdentifier) -> @Sendable (Double) -> DownloadDecision {
    let lastPosted = Mutex<Duration?>(nil)
    return { [weak self] fraction in
      guard let self else { return .stop }
      let now = clock.now
      let isNews = lastPosted.withLock { lastPosted in
        if let last = lastPosted, now - last < .milliseconds(100) { return false }
        lastPosted = now
        return true
      }
      if isNews { post(.downloadProgress(asset, fraction)) }
      return .proceed
    }
  }

  /// Handles a result on the manager's thread, so that encoding delays no key.
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
    case .failed(let error): fail(error, for: key, number)
    case .cancelled: break
    }
  }

  /// Handles a frame on the thread that has read it.
  private func receive(_ still: Result<PixelBuffer, AssetError>, for key: PictureKey, _ number: UInt64) {
    switch still {
    case .success(let pixels): add(pixels, isDegraded: false, note: nil, for: key, number)
    case .failure(let error): fail(error, for: key, number)
    }
  }

  private func fail(_ error: AssetError, for key: PictureKey, _ number: UInt64) {
    let time = clock.now
    let (isNews, pause) = state.withLock { $0.table.add(error, for: key, of: number, at: time) }
    if let pause { clock.call(after: pause, onRetryDue) }
    if isNews { post(.pictures([key: .failed(reason: error.reason)])) }
  }

  private func add(
    _ pixels: PixelBuffer, isDegraded: Bool, note: String?, for key: PictureKey, _ number: UInt64
  ) {
    let (found, known) = state.withLock { state in
      (state.table.isCurrent(number) ? state.style.encoders : nil, state.table.picture(for: key))
    }
    guard let encoders = found else { return }
    let pixels = encoders.pixels(pixels, for: key, isDegraded: isDegraded)
    let isThumbnail = key.mode == .aspectFill
    var picture = encoders.encode(pixels, isThumbnail: isThumbnail, isDegraded: isDegraded, known: known)
    // The link may have turned out to be slow meanwhile.
    if encoders.draftEncoder == nil, let newer = state.withLock(\.style.encoders), newer.draftEncoder != nil {
      picture = newer.encode(pixels, isThumbnail: isThumbnail, isDegraded: isDegraded, known: known)
    }
    let isPreview = key.mode == .aspectFit && key.part == nil
    let status = PictureStatus.ready(note: note, histogram: isPreview ? LevelHistogram(of: pixels) : nil)
    let isNews = state.withLock { [picture] state in
      state.table.add(picture, for: key, isFinal: !isDegraded, status: status, of: number)
    }
    if isNews { post(.pictures([key: status])) }
  }
}
