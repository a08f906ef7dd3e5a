package import AssetLibrary
package import Pixels

/// The playback of animations, videos and Live Photos in the preview.
///
/// Once turned on, it stays on: an asset plays when the cursor has rested on it for a moment. It pauses while the
/// preview is covered or the terminal has lost the focus.
struct Playback: Hashable, Sendable {
  /// The progress with the current asset.
  enum Phase: Hashable, Sendable {
    /// The cursor may still be moving.
    case waiting
    case playing
    /// Finished or failed; plays again only on request or when the user comes back to the asset.
    case ended
  }

  /// How long the cursor has to rest before playback starts, in milliseconds.
  private static let startDelay = 1000
  /// The rates that the user can choose.
  private static let rates = [0.25, 0.5, 1, 1.5, 2, 4]

  /// Whether playback is on.
  private(set) var isWanted = false
  /// Whether the user has paused the current asset.
  private(set) var isPaused = false
  /// Whether the terminal has lost the focus.
  var isAway = false
  /// Whether something covers the preview.
  private var isCovered = false
  /// The preview that can be played; nil = none.
  private(set) var key: PictureKey?
  private(set) var phase = Phase.waiting
  /// Whether it plays in a tile of the grid, where only the cursor controls it.
  private(set) var isInGrid = false
  /// Whether a frame has replaced the still picture.
  private(set) var hasFrame = false
  /// Increases with every change of `key`: events of earlier generations are stale.
  private(set) var generation = 0

  /// The time of the visible frame, or the time that was sought, from the start.
  private(set) var time = Duration.zero
  /// How long the visible frame is shown; zero if it is unknown.
  private(set) var frameDuration = Duration.zero
  /// The length of the whole; nil if it is unknown.
  private(set) var length: Duration?
  /// How many seconds are played in a second.
  private(set) var rate = 1.0
  /// Whether it is played forever or once; nil = as often as the file specifies.
  private(set) var loops: Bool?
  /// The number of the last request for another time: the times of frames before it are stale.
  private var seekCount = 0
  /// The place of that request, for a player that ended before the request reached it.
  private var soughtPlace = PlaybackPlace.time(.zero)

  /// Whether a frame is shown in place of this picture.
  func shows(_ key: PictureKey) -> Bool { hasFrame && self.key == key }

  /// Whether the commands that control playback apply.
  var isControllable: Bool { hasFrame && key != nil && !isCovered && !isInGrid }

  /// Whether frames follow each other, or would if nothing covered them.
  var isRunning: Bool { phase == .playing && !isPaused }

  /// Whether a picture is to be played, or stays at a frame.
  func wants(_ key: PictureKey) -> Bool { isWanted || isPaused && isSameClip(key) }

  /// Whether a picture shows the same frames, perhaps in another size.
  private func isSameClip(_ other: PictureKey) -> Bool {
    key.map { $0.asset == other.asset && $0.version == other.version } ?? false
  }

  /// Returns a picture with the key photo that it had when its clip began to play: another one must not stop the clip.
  func keepingKeyPhoto(_ picture: PictureKey) -> PictureKey {
    guard hasFrame, !isInGrid, let key, isSameClip(picture) else { return picture }
    var picture = picture
    picture.keyPhotoTime = key.keyPhotoTime
    return picture
  }

  /// What the key for playback does.
  var hint: String { isRunning ? "pause" : phase == .waiting && isWanted ? "stop" : "play" }

  mutating func turnOff() { isWanted = false }

  /// Switches to another picture: stops the previous playback and waits before the next one.
  ///
  /// The same clip in another size continues where it was.
  /// - Parameters:
  ///   - key: the picture to play; nil = none.
  ///   - isInGrid: whether it is in a tile of the grid.
  mutating func follow(_ key: PictureKey?, isInGrid: Bool = false) -> [PickerEffect] {
    self.isInGrid = isInGrid
    guard key != self.key else { return [] }
    let effects: [PickerEffect] = phase == .waiting ? [] : [.stopPlaying]
    if !(key.map(isSameClip) ?? false) {
      (time, length, rate, loops) = (.zero, nil, 1, nil)
      isPaused = false
    } else if phase == .ended {
      time = .zero
    }
    self.key = key
    phase = .waiting
    hasFrame = false
    generation += 1
    return effects + startTimer()
  }

  private func startTimer() -> [PickerEffect] {
    guard key != nil, phase == .waiting, !isCovered else { return [] }
    return [.startTimer(.playback(generation: generation), milliseconds: Self.startDelay)]
  }

  /// Pauses while something covers the preview, and goes on afterwards.
  mutating func cover(_ isCovered: Bool) -> [PickerEffect] {
    guard isCovered != self.isCovered else { return [] }
    let wasRunning = isRunning && !self.isCovered
    self.isCovered = isCovered
    if phase == .waiting { return startTimer() }
    if isCovered { return wasRunning ? [.controlPlayback(.pause)] : [] }
    return isRunning ? [.controlPlayback(.resume)] : []
  }

  /// Starts playing a picture, if it is the current one and waiting.
  mutating func start(_ asset: Asset, _ key: PictureKey) -> [PickerEffect] {
    guard phase == .waiting, key == self.key, !isCovered else { return [] }
    return play(asset, key, from: .time(time))
  }

  private mutating func play(_ asset: Asset, _ key: PictureKey, from place: PlaybackPlace) -> [PickerEffect] {
    phase = .playing
    var request = PlaybackRequest(generation: generation, asset: asset, key: key)
    (request.start, request.seekNumber, request.isPaused) = (place, seekCount, isPaused)
    (request.rate, request.loops) = (rate, loops)
    request.isInGrid = isInGrid
    return [.play(request)]
  }

  // MARK: Control

  /// Turns playback on, pauses it, or goes on; repeats what has ended.
  /// - Parameter asset: the asset of `key`.
  mutating func toggle(_ asset: Asset) -> [PickerEffect] {
    if isInGrid {
      (isWanted, isPaused) = (true, false)
      return []
    }
    switch phase {
    case .waiting:
      isWanted.toggle()
      isPaused = false
      return []
    case .ended:
      (isWanted, isPaused) = (true, false)
      return seek(to: .time(.zero), asset)
    case .playing:
      isPaused.toggle()
      isWanted = !isPaused
      return [.controlPlayback(isPaused ? .pause : .resume)]
    }
  }

  /// Shows another time; what has ended plays on from there.
  mutating func seek(to place: PlaybackPlace, _ asset: Asset) -> [PickerEffect] {
    guard let key else { return [] }
    var place = place
    if case .fraction = place, let length { place = .time(place.time(in: length)) }
    if case .time(let sought) = place {
      time = max(.zero, length.map { min($0, sought) } ?? sought)
      place = .time(time)
    }
    seekCount += 1
    soughtPlace = place
    if phase == .ended { return play(asset, key, from: place) }
    return [.controlPlayback(.seek(place, number: seekCount))]
  }

  /// Shows the time that is some seconds later, or earlier if negative.
  mutating func seek(by seconds: Int, _ asset: Asset) -> [PickerEffect] {
    seek(to: .time(time + .seconds(seconds)), asset)
  }

  /// Pauses, and shows the next or the previous frame.
  mutating func step(by step: Int, _ asset: Asset) -> [PickerEffect] {
    if phase == .ended, step > 0 { return [] }
    let pauses: [PickerEffect] = isRunning ? [.controlPlayback(.pause)] : []
    (isPaused, isWanted) = (true, false)
    // The frame that is visible just before this one.
    if step < 0 { return pauses + seek(to: .time(time - .microseconds(1)), asset) }
    return pauses + [.controlPlayback(.step)]
  }

  /// Plays faster, or slower if negative.
  mutating func changeRate(by step: Int) -> [PickerEffect] {
    let index = (Self.rates.firstIndex(of: rate) ?? 0) + step
    guard Self.rates.indices.contains(index) else { return [] }
    rate = Self.rates[index]
    return phase == .playing ? [.controlPlayback(.rate(rate))] : []
  }

  /// Plays forever, or only once.
  mutating func toggleLoop(_ asset: Asset) -> [PickerEffect] {
    let isForever = !(loops ?? false)
    loops = isForever
    if phase == .ended { return isForever ? seek(to: .time(.zero), asset) : [] }
    return [.controlPlayback(.loops(isForever))]
  }

  /// Handles an event, unless its generation is stale.
  /// - Parameters:
  ///   - generation: of the request that is played.
  ///   - asset: the asset of `key`; nil if it is gone.
  /// - Returns: the effects, and why playback failed; nil if it did not.
  mutating func handle(
    _ event: PlaybackEvent, generation: Int, of asset: Asset?
  ) -> (effects: [PickerEffect], failure: String?) {
    guard generation == self.generation, phase != .waiting else { return ([], nil) }
    switch event {
    case .frame(let moment):
      hasFrame = true
      if let length = moment.length { self.length = length }
      if moment.seekNumber == seekCount { (time, frameDuration) = (moment.time, moment.duration) }
    case .ended(let seekNumber, let knownLoops):
      guard phase == .playing else { break }
      phase = .ended
      guard let asset, let key else { break }
      // The player had ended before it could read the request for another place, or to play forever. A player
      // that knew of it and ended all the same has nothing to repeat.
      if seekNumber != seekCount { return (play(asset, key, from: soughtPlace), nil) }
      if loops == true, knownLoops != true { return (seek(to: .time(.zero), asset), nil) }
    case .failed(let reason):
      phase = .ended
      return ([], reason)
    }
    return ([], nil)
  }
}

/// A place in an animation or a video.
package enum PlaybackPlace: Hashable, Sendable {
  /// From the start.
  case time(Duration)
  /// Of the whole, from 0 to 1.
  case fraction(Double)

  /// The number of steps into which the whole is divided: more than a screen has columns.
  private static let parts = 10_000

  /// Returns the time, from the start.
  /// - Parameter length: the length of the whole.
  package func time(in length: Duration) -> Duration {
    switch self {
    case .time(let time): time
    // Exact for tenths.
    case .fraction(let fraction):
      length * Int((min(1, max(0, fraction)) * Double(Self.parts)).rounded()) / Self.parts
    }
  }
}

/// A change of the running playback.
package enum PlaybackOrder: Hashable, Sendable {
  /// The visible frame stays.
  case pause
  case resume
  /// Shows the frame at a place, also during a pause.
  /// - Parameter number: returned with this frame and all that follow.
  case seek(PlaybackPlace, number: Int)
  /// Shows the next frame during a pause.
  case step
  /// Sets how many seconds of the pass are played in a second.
  case rate(Double)
  /// Plays forever, or ends with the current pass.
  case loops(Bool)
}

/// A request to play an asset in place of a picture.
package struct PlaybackRequest: Hashable, Sendable {
  /// Returned with every event of this playback.
  package var generation: Int
  package var asset: Asset
  /// The still picture to replace; its size is the box of the frames.
  package var key: PictureKey
  /// The place of the first frame.
  package var start = PlaybackPlace.time(.zero)
  /// Returned with the frames, until another place is sought.
  package var seekNumber = 0
  /// Whether only the first frame is shown until the playback is resumed.
  package var isPaused = false
  /// How many seconds are played in a second.
  package var rate = 1.0
  /// Whether it is played forever or once; nil = as often as the file specifies.
  package var loops: Bool?
  /// Whether it plays in a tile of the grid: in few frames, and not where that would delay anything else.
  package var isInGrid = false

  /// The frames to show; they cover the picture if it is cropped.
  package var frames: FrameRequest {
    FrameRequest(asset: asset, targetSize: coveringSize ?? key.size, version: key.version)
  }

  /// The size in pixels of frames that cover a cropped picture; nil if frames fit into the picture.
  package var coveringSize: PixelSize? {
    let whole = asset.presenting(key.version).pixelSize
    guard key.mode == .aspectFill, !whole.isEmpty else { return nil }
    return whole.scaled(toward: key.size, .aspectFill)
  }

  /// The size in pixels of the still picture that the frames replace; nil if there is no other picture.
  ///
  /// The clip of a Live Photo may have fewer pixels, and another shape.
  package var stillSize: PixelSize? {
    let still = asset.presenting(key.version).pixelSize
    guard asset.playbackStyle == .livePhoto, !still.isEmpty else { return nil }
    return still.scaled(toward: key.size, key.mode)
  }

  package init(generation: Int, asset: Asset, key: PictureKey) {
    self.generation = generation
    self.asset = asset
    self.key = key
  }
}

/// The time of a frame.
package struct PlaybackMoment: Hashable, Sendable {
  /// From the start.
  package var time: Duration
  /// How long the frame is shown; zero if it is unknown.
  package var duration: Duration
  /// The length of the whole; nil if it is unknown.
  package var length: Duration?
  /// The number of the last request for another place that the player knew.
  package var seekNumber: Int

  package init(time: Duration, duration: Duration = .zero, length: Duration? = nil, seekNumber: Int = 0) {
    (self.time, self.duration, self.length, self.seekNumber) = (time, duration, length, seekNumber)
  }
}

/// An event of the playback.
package enum PlaybackEvent: Hashable, Sendable {
  /// The next frame is ready.
  case frame(PlaybackMoment)
  /// Playback has finished; the last frame stays.
  /// - Parameters:
  ///   - seekNumber: the number of the last request for another place that the player knew.
  ///   - loops: whether it was to be played forever or once, as far as the player knew; nil = as often as the
  ///     file specifies.
  case ended(seekNumber: Int, loops: Bool? = nil)
  case failed(reason: String)
}

/// What plays, or stays at a frame, and can be controlled.
struct PlayedClip {
  let asset: Asset
  /// The version that is shown.
  let version: AssetVersion
  let playback: Playback
}

extension PlayedClip {
  /// - Returns: nil if nothing plays, or only in a tile.
  init?(of picker: PickerState) {
    guard picker.preview.playback.isControllable, let asset = picker.current else { return nil }
    (self.asset, version, playback) = (asset, picker.preview.version(of: asset), picker.preview.playback)
  }

  /// Why a part or a frame of it can't be the result: another version of the asset is; nil if it can.
  func reasonNotDelivered(_ options: PickerOptions) -> String? {
    let delivered = asset.playableResource(for: options.configuration.version)
    if asset.playableResource(for: version) == delivered { return nil }
    return "This is not the version that is used of \(asset.shortName)"
  }
}
