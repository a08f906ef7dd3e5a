import TerminalGraphics

/// Asks the terminal behind a frame when it has drawn it, and judges the link by the answers.
///
/// Used by the thread of the run loop.
final class LinkWatcher {
  private var speed = LinkSpeed()
  private let isAnswered: Bool
  private let clock: any RuntimeClock
  private let mailbox: Mailbox<LoopEvent>

  /// - Parameters:
  ///   - isAnswered: whether the terminal answers; else it is never asked.
  ///   - mailbox: learns when an answer is overdue.
  init(isAnswered: Bool, clock: any RuntimeClock, mailbox: Mailbox<LoopEvent>) {
    self.isAnswered = isAnswered
    self.clock = clock
    self.mailbox = mailbox
  }

  /// Whether pictures are still on their way: newer ones would only queue behind them.
  var isBusy: Bool { speed.isBusy(at: clock.now) }

  /// Whether an answer has yet to come.
  var isAwaitingAnswer: Bool { speed.isAwaitingAnswer }

  /// What the link can carry.
  var quality: PictureQuality { speed.quality }

  /// Whether to ask behind a frame with so many bytes of pictures.
  func shouldAsk(after bytes: Int) -> Bool { isAnswered && speed.shouldAsk(after: bytes) }

  /// The question was sent behind a frame.
  /// - Parameters:
  ///   - bytes: what its pictures took.
  ///   - began: when it was begun.
  func asked(after bytes: Int, began: Duration) {
    speed.asked(after: bytes, began: began)
    clock.call(after: LinkSpeed.answerTimeout + Self.grace) { [mailbox] in mailbox.post(.answerOverdue) }
  }

  /// An answer has to be overdue for sure when it is told so.
  private static let grace: Duration = .milliseconds(50)

  /// All pictures that were sent have been drawn.
  func answered() { speed.answered(at: clock.now) }

  /// Takes an answer for lost that has taken too long.
  func expire() { speed.expire(at: clock.now) }

  /// Waits a moment for an answer that is still to come: it must not be typed into the user's shell.
  func awaitAnswer(within patience: Duration) {
    guard isAwaitingAnswer else { return }
    mailbox.wait(within: patience) { if case .terminal(.allDrawn) = $0 { true } else { false } }
  }
}
