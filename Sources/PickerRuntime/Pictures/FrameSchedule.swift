package import AssetLibrary

/// Goes through the pictures of something that moves, as often as its file says, and tells when each is due.
///
/// Used by one thread.
package struct FrameSchedule {
  /// What comes next.
  package enum Step {
    /// A picture; `due(_:)` tells its time once it is ready to be shown.
    case frame(MovingFrame)
    /// All was shown, and is shown again from a time on.
    case nextPass(at: Duration)
    /// All was shown often enough.
    case end
  }

  private let reader: any FrameReader
  private let now: () -> Duration
  private var pacer: FramePacer
  private var passCount = 0
  private var isAtEnd = false

  /// - Parameter now: the time since any fixed moment.
  package init(_ reader: any FrameReader, now: @escaping () -> Duration) {
    self.reader = reader
    self.now = now
    pacer = FramePacer(begin: now())
  }

  /// Goes on; waits for the disk and the decoder.
  package mutating func next() throws(AssetError) -> Step {
    if isAtEnd { try reader.rewind() }
    isAtEnd = false
    if let frame = try reader.next(pacer.skip(at: now())) { return .frame(frame) }
    // One picture alone stands still; none, where a file was cut meanwhile, leaves no time to wait.
    if pacer.shownCount <= 1 { return .end }
    passCount += 1
    let time = now()
    let rest = pacer.endPass(at: time)
    if let count = reader.playCount, passCount >= count { return .end }
    isAtEnd = true
    return .nextPass(at: time + rest)
  }

  /// When a picture is to be shown, which has just been made ready.
  package mutating func due(_ frame: MovingFrame) -> Duration {
    let time = now()
    return time + pacer.delay(of: frame, at: time)
  }

  /// Everything stood still for a while.
  package mutating func shift(by pause: Duration) { pacer.shift(by: pause) }
}
