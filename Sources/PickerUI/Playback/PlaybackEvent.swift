/// Word of what plays.
package enum PlaybackEvent: Hashable, Sendable {
  /// The next picture is at hand.
  case frame
  /// All was shown; the last picture stays.
  case ended
  case failed(reason: String)
}
