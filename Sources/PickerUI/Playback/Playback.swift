import AssetLibrary

/// What plays in the preview, and what would play if the user held still.
///
/// A wish that stays until it is taken back: what moves plays when the cursor has come to rest on it.
struct Playback: Hashable, Sendable {
  /// How far it has come with the picture that is looked at.
  enum Phase: Hashable, Sendable {
    /// The user may still be on the way elsewhere.
    case waiting
    case playing
    /// All was shown, or nothing can be: not again before the user leaves and comes back, or asks for it.
    case ended
  }

  /// How long the user holds still before it goes on, in milliseconds.
  static let patience = 1000

  /// Whether the user wants to see what moves.
  var isWanted = false
  /// What is looked at and moves; nil = nothing.
  var key: PictureKey?
  var phase = Phase.waiting
  /// Whether a picture of it has come and stands in the place of the still one.
  var hasFrame = false
  /// Counts what was looked at: word of earlier playing is stale.
  var generation = 0

  /// Follows what is looked at: whatever played before stops at once, what is looked at now has to wait.
  /// - Parameter key: the picture that moves; nil = nothing does.
  mutating func follow(_ key: PictureKey?) -> [PickerEffect] {
    guard key != self.key else { return [] }
    let effects: [PickerEffect] = phase == .waiting ? [] : [.stopPlaying]
    self.key = key
    phase = .waiting
    hasFrame = false
    generation += 1
    guard key != nil else { return effects }
    return effects + [.startTimer(.playback(generation: generation), milliseconds: Self.patience)]
  }

  /// Plays a picture, where it is the one that is followed and waits.
  mutating func start(_ asset: Asset, _ key: PictureKey) -> [PickerEffect] {
    guard phase == .waiting, key == self.key else { return [] }
    phase = .playing
    return [.play(PlaybackRequest(generation: generation, asset: asset, key: key))]
  }

  /// Whether a moving picture stands where this one does.
  func shows(_ key: PictureKey) -> Bool { hasFrame && self.key == key }
}
