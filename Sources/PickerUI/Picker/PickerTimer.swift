/// A timer started with `PickerEffect.startTimer`; a stale generation is ignored.
package enum PickerTimer: Hashable, Sendable {
  /// The outgoing preview has been shown long enough.
  case preview(generation: Int)
  /// A notice has been shown long enough.
  case notice(generation: Int)
  /// The double-click interval has passed.
  case click(generation: Int)
  /// The cursor has rested long enough for playback to start.
  case playback(generation: Int)
  /// The next step of autoscroll while the mouse is dragged beyond the grid.
  case scroll(generation: Int)
}
