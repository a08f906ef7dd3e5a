import AssetLibrary

/// The stills that the mouse shows in the tile of a video, an animation or a Live Photo while it moves over the grid.
///
/// They begin once the mouse has been over the tile for a moment, so that a mouse on its way costs nothing. One still is
/// requested at a time; the next one is that of the place where the mouse is by then.
struct Scrubbing: Hashable, Sendable {
  /// The place of the mouse in a tile that has stills.
  struct Target: Hashable, Sendable {
    var asset: LocalIdentifier
    /// The still of that place, from 0.
    var still: Int
  }

  /// The number of stills from the left edge of a tile to its right edge.
  static let stillCount = 10
  /// How long the mouse has to be over a tile before its stills are shown, in milliseconds.
  private static let restTime = 150

  private(set) var target: Target?
  /// The movement that led there.
  private(set) var pointer: MouseEvent?
  /// Whether the mouse has been over the tile long enough.
  private var hasBegun = false
  /// Increases with every tile: timers of earlier ones are stale.
  private var generation = 0
  private var requested: Int?
  /// The last one that was ready.
  private var shown: Int?

  /// The stills to have ready, the most urgent first.
  var wanted: [Int] { [requested, shown == requested ? nil : shown].compactMap { $0 } }

  /// Follows the mouse to another place.
  /// - Parameter target: nil = it is over no tile with stills.
  mutating func follow(_ pointer: MouseEvent, to target: Target?) -> [PickerEffect] {
    guard let target else {
      end()
      return []
    }
    let isSameTile = target.asset == self.target?.asset
    (self.target, self.pointer) = (target, pointer)
    if isSameTile { return [] }
    (hasBegun, requested, shown) = (false, nil, nil)
    generation += 1
    return [.startTimer(.scrubbing(generation: generation), milliseconds: Self.restTime)]
  }

  /// Shows stills from now on, unless the mouse has left the tile.
  mutating func begin(_ generation: Int) {
    if generation == self.generation, target != nil { hasBegun = true }
  }

  /// Shows the thumbnail again.
  mutating func end() {
    (target, pointer, hasBegun, requested, shown) = (nil, nil, false, nil, nil)
  }

  /// Requests the still of the mouse's place, unless another one is still pending: cancelling that at every movement
  /// would show nothing until the mouse rests.
  /// - Parameter status: returns the outcome of a still; nil while it is pending.
  private mutating func goOn(_ status: (Int) -> PictureStatus?) {
    guard hasBegun, let target else { return }
    if let requested {
      guard let status = status(requested) else { return }
      if case .ready = status { shown = requested }
    }
    requested = target.still
  }
}

extension Scrubbing {
  /// Shows the thumbnail again if the tile has moved away from the mouse or is covered; otherwise goes on to the next
  /// still.
  mutating func goOn(in picker: PickerState) {
    guard let target else { return }
    guard let pointer, Self.target(under: pointer, in: picker)?.asset == target.asset else { return end() }
    let tiles = Tiles(of: picker)
    goOn { tiles.status(ofStill: $0) }
  }

  /// The tile and the still under the mouse; nil if there is none.
  static func target(under event: MouseEvent, in picker: PickerState) -> Target? {
    isAllowed(in: picker) && event.action == .motion ? Tiles(of: picker).scrubTarget(under: event) : nil
  }

  /// Whether tiles show stills now.
  fileprivate static func isAllowed(in picker: PickerState) -> Bool {
    picker.options.screen.scrubsInGrid && picker.layout.metrics.pictureGeometry != nil
      && picker.layout.grid != nil && !picker.preview.isFullScreen && !picker.layers.coverMovingPictures
      && !picker.preview.playback.isAway && !picker.layers.has(.modal)
  }
}

extension Picker {
  /// Whether the mouse is of interest without a button: a visible tile has stills to show.
  package static func wantsMotion(_ state: PickerState) -> Bool {
    Scrubbing.isAllowed(in: state) && Tiles(of: state).haveStills
  }

  /// Whether a movement of the mouse without a button changes nothing, as most of them.
  package static func ignores(_ event: MouseEvent, in state: PickerState) -> Bool {
    event.isMotion && Scrubbing.target(under: event, in: state) == state.grid.scrubbing.target
  }

  /// Whether the mouse shows stills in a tile, or is about to.
  package static func isScrubbing(_ state: PickerState) -> Bool { state.grid.scrubbing.target != nil }
}

extension PictureKey {
  /// The place of a still: the middle of its part of the whole; nil for other pictures.
  package var place: PlaybackPlace? {
    still.map { .fraction((Double($0) + 0.5) / Double(Scrubbing.stillCount)) }
  }
}
