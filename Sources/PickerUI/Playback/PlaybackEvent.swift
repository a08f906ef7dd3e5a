/// An event of the playback.
package enum PlaybackEvent: Hashable, Sendable {
  /// The next frame is ready.
  case frame
  /// Playback has finished; the last frame stays.
  case ended
  case failed(reason: String)
}
