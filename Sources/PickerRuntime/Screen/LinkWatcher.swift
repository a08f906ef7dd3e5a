import TerminalGraphics

/// Asks the terminal behind a frame when it has drawn it, and judges the link by the answers.
///
/// Used by the thread of the run loop.
final class LinkWatcher {
  private var speed: LinkSpeed
  /// Whether the terminal answers; else it is never asked.
  var isAnswered: Bool
  private let clock: any RuntimeClock
  private let mailbox: Mailbox<LoopEvent>

  /// - Parameters:
  ///   - isAnswered: whether the terminal answers; else it is never asked.
  ///   - speed: what is known of the link.
  ///   - mailbox: learns when an answer is overdue.
  init(
    isAnswered: Bool, speed: LinkSpeed = LinkSpeed(), clock: any RuntimeClock, mailbox: Mailbox<LoopEvent>
  ) {
    self.isAnswered = isAnswered
    self.speed = speed
    self.clock = clock
    self.mailbox = mailbox
  }

  /// How many bytes of pictures may be sent now; none while they would only queue behind older ones.
  var room: Int { isAnswered ? speed.room(at: clock.now) : .max }

  /// Whether an answer has yet to come.
  var isAwaitingAnswer: Bool { speed.isAwaitingAnswer }

  /// What the link can carry.
  var quality: PictureQuality { speed.quality }

  /// Whether a coarse picture goes before the one that is meant.
  var isSlow: Bool { speed.isSlow }

  /// What is known of the link by now, in bytes a second.
  var bytesPerSecond: Double? { speed.bytesPerSecond }

  /// Whether to ask behind so many bytes.
  /// - Parameter isMore: whether more is to be sent as soon as there is room.
  func shouldAsk(after bytes: Int, isMore: Bool = false) -> Bool {
    isAnswered && speed.shouldAsk(after: bytes, isMore: isMore)
  }

  /// Bytes were sent.
  /// - Parameter began: when the first of them was.
  func sent(_ bytes: Int, began: Duration) { speed.sent(bytes, began: began) }

  /// The question was sent behind them.
  func asked() {
    speed.asked()
    clock.call(after: LinkSpeed.answerTimeout + Self.grace) { [mailbox] in mailbox.post(.answerOverdue) }
  }

  /// An answer has to be overdue for sure when it is told so.
  private static let grace: Duration = .milliseconds(50)

  /// All that was sent before a question has been drawn.
  func answered() { speed.answered(at: clock.now) }

  /// Takes an answer for lost that has taken too long.
  func expire() { speed.expire(at: clock.now) }

  /// Waits a moment for an answer that is still to come: it must not be typed into the user's shell.
  func awaitAnswer(within patience: Duration) {
    guard isAwaitingAnswer else { return }
    mailbox.wait(within: patience) { if case .terminal(.allDrawn) = $0 { true } else { false } }
  }
}
