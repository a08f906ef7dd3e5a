/// A moment that was asked for with `PickerEffect.startTimer`.
package enum PickerTimer: Hashable, Sendable {
  /// The old preview has stood long enough.
  case preview(generation: Int)
  /// A notice has been read.
  case notice(generation: Int)
  /// A second click comes too late to belong to the first.
  case click(generation: Int)
  /// The user has held still: what moves may play.
  case playback(generation: Int)
  /// The mouse is still held beside the grid: time to scroll on.
  case scroll(generation: Int)
}
