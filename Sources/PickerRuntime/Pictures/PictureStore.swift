import AssetLibrary
import PickerUI
package import Pixels
import Synchronization
package import TerminalGraphics

/// The pictures of the screen as bytes for the terminal: asked of the asset manager, encoded in the
/// background, kept under a budget.
final class PictureStore: Sendable {
  /// A picture and how far it has come.
  private struct Entry: Sendable {
    var picture: ScreenPicture
    var isFinal: Bool
    var status: PictureStatus
  }

  /// Why a picture can't be had, and how often it was asked for.
  private struct Failure {
    var reason: String
    var count: Int
    /// When it may be asked for again; nil = never, since the file itself is the cause.
    var retry: ContinuousClock.Instant?

    /// - Parameters:
    ///   - count: how often it failed before.
    ///   - retry: when it may be asked for again, where it failed for a passing reason.
    init(_ error: AssetError, after count: Int, retry: ContinuousClock.Instant) {
      reason = error.reason
      self.count = count + 1
      self.retry = error.isTransient ? retry : nil
    }

    /// How long to wait before it is asked for again.
    static func pause(after count: Int) -> Duration { .seconds(min(600, 5 << min(count, 8))) }

    func isFinal(at time: ContinuousClock.Instant) -> Bool { retry.map { time < $0 } ?? true }
  }

  /// A request under way.
  private struct Request {
    var id: ImageRequestID
    var priority: ImagePriority
    var image: ImageRequest

    var allowsNetwork: Bool { image.options.isNetworkAccessAllowed }
  }

  private struct State {
    var entries: CostBoundedCache<PictureKey, Entry>
    var encoders: PictureEncoders
    var failures: [PictureKey: Failure] = [:]
    /// The parts of pictures among the entries, the oldest first.
    var parts: [PictureKey] = []
    /// What was wanted last.
    var wants: [PictureRequest] = []
    var requests: [PictureKey: Request] = [:]
    /// What was answered without an original that is on a server: it is asked for again once something is known of it, or
    /// it may be brought.
    var withoutOriginal: [PictureKey: ImageRequest] = [:]
    var lastVersion: UInt64 = 0

    /// Counts a part of a picture in, and forgets the oldest: who moves over a picture leaves many behind, and
    /// what was made ready of its neighbours must not go for them.
    mutating func keep(part: PictureKey) {
      parts.removeAll { $0 == part }
      parts.append(part)
      while parts.count > PictureStore.keptParts { entries.removeValue(for: parts.removeFirst()) }
    }
  }

  /// What is seen, what is to be seen next, and where the user may go back to.
  fileprivate static let keptParts = 4

  private let manager: any AssetManager
  private let backdrop: Backdrop
  private let pickColor: Color
  private let report: @Sendable ([PictureKey: PictureStatus]) -> Void
  private let reportDownload: @Sendable (LocalIdentifier, Double?) -> Void
  private let state: Mutex<State>
  private let now: @Sendable () -> ContinuousClock.Instant
  private let call: Timer

  /// Calls something after a while, on another thread.
  typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - encoders: how pictures are encoded.
  ///   - backdrop: what shows through pictures.
  ///   - pickColor: the frame of pictures that are picked.
  ///   - cacheLimit: bytes of encoded pictures to keep.
  ///   - report: called on a worker's thread when a picture is ready, has become better or can't be had.
  ///   - now: the time; tests have one of their own.
  ///   - reportDownload: called on any thread with how much of an original has come.
  ///   - call: where pictures that failed for a passing reason are asked for again by themselves.
  init(
    manager: any AssetManager, encoders: PictureEncoders, backdrop: Backdrop, pickColor: Color = .white,
    cacheLimit: Int,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    call: @escaping Timer = { _, _ in },
    reportDownload: @escaping @Sendable (LocalIdentifier, Double?) -> Void = { _, _ in },
    report: @escaping @Sendable ([PictureKey: PictureStatus]) -> Void
  ) {
    self.manager = manager
    self.backdrop = backdrop
    self.pickColor = pickColor
    self.report = report
    self.reportDownload = reportDownload
    self.now = now
    self.call = call
    state = Mutex(State(entries: CostBoundedCache(limit: cacheLimit), encoders: encoders))
  }

  /// Has pictures that come from now on encoded otherwise, in the same sizes.
  ///
  /// Where drafts are wanted from now on, what is wanted and not shown yet is made again, with its draft.
  /// - Parameter shown: which pictures are on the screen: they are there, whatever they cost.
  func use(_ encoders: PictureEncoders, shown: Set<UInt64>) {
    let time = now()
    state.withLock { state in
      let needsDrafts = encoders.draftEncoder != nil && state.encoders.draftEncoder == nil
      state.encoders = encoders
      guard needsDrafts else { return }
      for key in state.wants.map(\.key) {
        guard let picture = state.entries.value(for: key)?.picture, !shown.contains(picture.version) else {
          continue
        }
        state.entries.removeValue(for: key)
      }
      _ = request(at: time, in: &state)
    }
  }

  /// Sees to it that the wanted pictures come, and that nothing else does.
  /// - Returns: what is known of them already.
  func demand(_ wants: [PictureRequest]) -> [PictureKey: PictureStatus] {
    let time = now()
    return state.withLock { state in
      state.wants = wants
      return request(at: time, in: &state)
    }
  }

  /// Asks once more for what failed for a passing reason, if it is still wanted.
  private func retry() {
    let time = now()
    state.withLock { state in _ = request(at: time, in: &state) }
  }

  /// Asks for what is wanted and neither there nor under way.
  /// - Returns: what is known of it already.
  private func request(
    at time: ContinuousClock.Instant, in state: inout State
  ) -> [PictureKey: PictureStatus] {
    let keys = Set(state.wants.map(\.key))
    for (key, request) in state.requests where !keys.contains(key) {
      manager.cancelImageRequest(request.id)
      state.requests[key] = nil
    }
    var known: [PictureKey: PictureStatus] = [:]
    // The newest request runs first: the most urgent is made last.
    for want in state.wants.reversed() {
      let entry = state.entries.value(for: want.key)
      if let entry { known[want.key] = entry.status }
      let failure = state.failures[want.key]
      if let failure { known[want.key] = .failed(reason: failure.reason) }
      if state.withoutOriginal[want.key] != nil, entry == nil { known[want.key] = .inCloud }
      if entry?.isFinal ?? false || failure?.isFinal(at: time) ?? false { continue }
      if state.withoutOriginal[want.key] == want.request { continue }
      let allowsNetwork = want.request.options.isNetworkAccessAllowed
      if let request = state.requests[want.key], request.allowsNetwork != allowsNetwork {
        // Nobody looks at what is being brought any more, or somebody does now.
        manager.cancelImageRequest(request.id)
        state.requests[want.key] = nil
      }
      let underWay = state.requests[want.key]
      // Where an original is brought, more may be known of the asset by now: its thumbnail may be here.
      let isOutdated = underWay.map { allowsNetwork && entry == nil && $0.image != want.request } ?? false
      if let underWay, !isOutdated {
        if underWay.priority != want.priority {
          manager.setPriority(want.priority, of: underWay.id)
          state.requests[want.key]?.priority = want.priority
        }
        continue
      }
      state.withoutOriginal[want.key] = nil
      let id = manager.requestImage(
        want.request, priority: want.priority,
        progressHandler: allowsNetwork ? progressHandler(want.asset.id) : nil
      ) { [weak self] result in self?.take(result, for: want) }
      state.requests[want.key] = Request(id: id, priority: want.priority, image: want.request)
      // Last, so that there is always somebody who waits for the original.
      if let underWay { manager.cancelImageRequest(underWay.id) }
    }
    return known
  }

  /// Whether pictures are on their way that the user looks at.
  var awaitsMoreInSight: Bool {
    state.withLock { $0.requests.values.contains { $0.priority >= .visible } }
  }

  /// The bytes of a picture, the best there are so far.
  func picture(for key: PictureKey) -> ScreenPicture? {
    state.withLock { $0.entries.value(for: key)?.picture }
  }

  /// Tells how much of an original has come, often enough to look steady.
  private func progressHandler(
    _ asset: LocalIdentifier
  ) -> @Sendable (Double) -> DownloadDecision {
    let told = Mutex<ContinuousClock.Instant?>(nil)
    return { [weak self] fraction in
      guard let self else { return .stop }
      let now = now()
      let isNews = told.withLock { told in
        if let last = told, now - last < .milliseconds(100) { return false }
        told = now
        return true
      }
      if isNews { reportDownload(asset, fraction) }
      return .proceed
    }
  }

  /// The frame of a pick, about three eighths of a character wide: thin, and the same on all sides.
  private func frameThickness(_ encoders: PictureEncoders) -> Int {
    let geometry = encoders.encoder.geometry
    // Blocks are as wide as half of a row is high: less would mix with the picture, on each side in another way.
    return geometry.isFine ? max(1, (geometry.cell.width * 3 + 4) / 8) : geometry.cell.width
  }

  /// The color of the screen behind pictures.
  private var ground: Color { if case .color(let color) = backdrop { color } else { .black } }

  private func take(_ result: ImageResult, for want: PictureRequest) {
    let key = want.key
    if result.isLast, want.request.options.isNetworkAccessAllowed { reportDownload(key.asset, nil) }
    switch result.content {
    case .image(let pixels, let isDegraded, let note):
      let (encoders, known) = state.withLock { ($0.encoders, $0.entries.value(for: key)?.picture) }
      let marked = key.isPicked ? pixels.framed(pickColor, thickness: frameThickness(encoders)) : pixels
      let shown =
        key.part.map { pixels.enlarged(to: $0.size) } ?? key.cut.map(marked.showing)
        ?? (isDegraded && key.mode == .aspectFit ? pixels.enlarged(to: key.size) : marked)
      let pixels = key.isDimmed ? shown.faded(toward: ground) : shown
      var picture = encoders.encode(pixels, isDegraded: isDegraded, over: backdrop, known: known)
      // The link may have turned out to be slow meanwhile.
      let newer = state.withLock(\.encoders)
      if newer.draftEncoder != nil, encoders.draftEncoder == nil {
        picture = newer.encode(pixels, isDegraded: isDegraded, over: backdrop, known: known)
      }
      let isPreview = key.mode == .aspectFit && key.part == nil
      let histogram = isPreview ? LevelHistogram(of: pixels) : nil
      let status = PictureStatus.ready(note: note, histogram: histogram)
      state.withLock { state in
        let picture = picture.numbered(after: &state.lastVersion)
        let entry = Entry(picture: picture, isFinal: !isDegraded, status: status)
        state.entries.insert(entry, for: key, cost: picture.cost)
        state.failures[key] = nil
        if key.part != nil { state.keep(part: key) }
        if !isDegraded { state.requests[key] = nil }
      }
      report([key: status])
    case .failed where result.isInCloud:
      let isShown = state.withLock { state in
        state.requests[key] = nil
        state.withoutOriginal[key] = want.request
        return state.entries.value(for: key) != nil
      }
      if !isShown { report([key: .inCloud]) }
    case .failed(let error):
      let pause = state.withLock { state in
        let (count, now) = (state.failures[key]?.count ?? 0, now())
        var pause = Failure.pause(after: count)
        // What failed together because there was not enough for all is not asked for together again.
        let others = state.failures.compactMap { $0.key == key ? nil : $0.value.retry }
        for _ in 0..<60
        where others.contains(where: { (.seconds(-1) ..< .seconds(1)).contains($0.duration(to: now + pause)) }
        ) {
          pause += .seconds(1)
        }
        state.failures[key] = Failure(error, after: count, retry: now + pause)
        state.requests[key] = nil
        return pause
      }
      if error.isTransient { call(pause) { [weak self] in self?.retry() } }
      report([key: .failed(reason: error.reason)])
    case .cancelled:
      break
    }
  }
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
}

/// How pictures are encoded for the screen, and what goes before them over a slow link.
struct PictureEncoders: Sendable {
  var encoder: any PictureEncoder
  /// Makes what stands there until the picture has come; nil = the link is fast enough.
  var draftEncoder: (any PictureEncoder)?

  /// The bytes of a picture, not numbered yet.
  /// - Parameters:
  ///   - isDegraded: whether a better one follows: over a slow link it is a draft, and the draft of that one.
  ///   - known: what there is of the picture so far.
  func encode(
    _ pixels: PixelBuffer, isDegraded: Bool, over backdrop: Backdrop, known: ScreenPicture?
  ) -> ScreenPicture {
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

extension ScreenPicture {
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
