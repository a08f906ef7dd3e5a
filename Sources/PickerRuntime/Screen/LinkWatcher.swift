import TerminalGraphics

/// Asks the terminal after a frame to confirm that it is drawn, and measures the link by the answers.
///
/// Used by the thread of the run loop.
final class LinkWatcher {
  private var speed: LinkSpeed
  /// Whether the terminal answers; otherwise it is not asked.
  var isAnswered: Bool
  private let clock: any RuntimeClock
  private let mailbox: Mailbox<LoopEvent>

  /// - Parameters:
  ///   - isAnswered: whether the terminal answers; otherwise it is not asked.
  ///   - speed: what is known of the link.
  ///   - mailbox: receives an event when an answer is overdue.
  init(
    isAnswered: Bool, speed: LinkSpeed = LinkSpeed(), clock: any RuntimeClock, mailbox: Mailbox<LoopEvent>
  ) {
    self.isAnswered = isAnswered
    self.speed = speed
    self.clock = clock
    self.mailbox = mailbox
  }

  /// Number of bytes of pictures that may be sent now; 0 while earlier bytes are still on their way.
  var room: Int { isAnswered ? speed.room(at: clock.now) : .max }

  /// Whether an answer is pending.
  var isAwaitingAnswer: Bool { speed.isAwaitingAnswer }

  /// The picture quality that the link can carry.
  var quality: PictureQuality { speed.quality }

  /// Whether to send drafts before pictures.
  var isSlow: Bool { speed.isSlow }

  /// Measured bandwidth in bytes per second; nil if unknown.
  var bytesPerSecond: Double? { speed.bytesPerSecond }

  /// Returns whether to ask for a confirmation after sending `bytes`.
  /// - Parameter isMore: whether more pictures are to be sent as soon as there is room.
  func shouldAsk(after bytes: Int, isMore: Bool = false) -> Bool {
    isAnswered && speed.shouldAsk(after: bytes, isMore: isMore)
  }

  /// Notes that bytes were sent.
  /// - Parameter began: when the first of them was sent.
  func sent(_ bytes: Int, began: Duration) { speed.sent(bytes, began: began) }

  /// Notes that the question was sent after them.
  func asked() {
    speed.asked()
    clock.call(after: LinkSpeed.answerTimeout + Self.grace) { [mailbox] in mailbox.post(.answerOverdue) }
  }

  /// Added to the timeout, so that the answer is overdue when the event is handled.
  private static let grace: Duration = .milliseconds(50)

  /// Notes that everything sent before the question is drawn.
  func answered() { speed.answered(at: clock.now) }

  /// Drops an answer that has taken too long.
  func expire() { speed.expire(at: clock.now) }

  /// Waits briefly for a pending answer, which must not end up as input of the user's shell.
  func awaitAnswer(within patience: Duration) {
    guard isAwaitingAnswer else { return }
    mailbox.wait(within: patience) { if case .terminal(.allDrawn) = $0 { true } else { false } }
  }
}
