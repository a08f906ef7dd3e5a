package import AssetLibrary
package import Pixels

/// The playback of animations, videos and Live Photos in the preview.
///
/// Once turned on, it stays on: an asset plays when the cursor has rested on it for a moment.
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

  /// Whether playback is on.
  var isWanted = false
  /// The preview that can be played; nil = none.
  var key: PictureKey?
  var phase = Phase.waiting
  /// Whether a frame has replaced the still picture.
  var hasFrame = false
  /// Increases with every change of `key`: events of earlier generations are stale.
  var generation = 0

  /// Switches to another picture: stops the previous playback and waits before the next one.
  /// - Parameter key: the picture to play; nil = none.
  mutating func follow(_ key: PictureKey?) -> [PickerEffect] {
    guard key != self.key else { return [] }
    let effects: [PickerEffect] = phase == .waiting ? [] : [.stopPlaying]
    self.key = key
    phase = .waiting
    hasFrame = false
    generation += 1
    guard key != nil else { return effects }
    return effects + [.startTimer(.playback(generation: generation), milliseconds: Self.startDelay)]
  }

  /// Starts playing a picture, if it is the current one and waiting.
  mutating func start(_ asset: Asset, _ key: PictureKey) -> [PickerEffect] {
    guard phase == .waiting, key == self.key else { return [] }
    phase = .playing
    return [.play(PlaybackRequest(generation: generation, asset: asset, key: key))]
  }

  /// Whether a frame is shown in place of this picture.
  func shows(_ key: PictureKey) -> Bool { hasFrame && self.key == key }
}

/// A request to play an asset in place of a picture.
package struct PlaybackRequest: Hashable, Sendable {
  /// Returned with every event of this playback.
  package var generation: Int
  package var asset: Asset
  /// The still picture to replace; its size is the box of the frames.
  package var key: PictureKey

  /// The frames to show.
  package var frames: FrameRequest {
    FrameRequest(asset: asset, targetSize: key.size, version: key.version)
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

/// An event of the playback.
package enum PlaybackEvent: Hashable, Sendable {
  /// The next frame is ready.
  case frame
  /// Playback has finished; the last frame stays.
  case ended
  case failed(reason: String)
}

extension Playback {
  /// Handles an event, unless its generation is stale.
  /// - Returns: why playback failed; nil if it did not.
  mutating func handle(_ event: PlaybackEvent, generation: Int) -> String? {
    guard generation == self.generation, phase != .waiting else { return nil }
    switch event {
    case .frame: hasFrame = true
    case .ended: phase = .ended
    case .failed(let reason):
      phase = .ended
      return reason
    }
    return nil
  }
}
