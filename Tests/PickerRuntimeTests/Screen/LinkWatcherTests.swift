import TerminalGraphics
import Testing

@testable import PickerRuntime

@Suite struct LinkWatcherTests {
  private let clock = TestClock()
  private let mailbox: Mailbox<LoopEvent>

  init() {
    mailbox = Mailbox(clock: clock)
  }

  private func watcher(isAnswered: Bool = true) -> LinkWatcher {
    LinkWatcher(isAnswered: isAnswered, clock: clock, mailbox: mailbox)
  }

  private var isOverdue: Bool {
    mailbox.takeAll(within: .zero).contains { if case .answerOverdue = $0 { true } else { false } }
  }

  @Test func `It asks behind many bytes, and holds pictures until the answer is there`() {
    let link = watcher()
    #expect(!link.shouldAsk(after: LinkSpeed.worthAsking - 1))
    #expect(link.shouldAsk(after: LinkSpeed.worthAsking))
    link.sent(LinkSpeed.worthAsking, began: clock.now)
    link.asked()
    #expect(link.room == 0 && link.isAwaitingAnswer)
    link.answered()
    #expect(link.room > 0 && link.shouldAsk(after: 1 << 20))
    #expect(!watcher(isAnswered: false).shouldAsk(after: 1 << 20))
  }

  @Test func `An answer is overdue after five seconds, whenever the frame was begun`() {
    let link = watcher()
    // Sending it took long already.
    link.sent(1 << 20, began: clock.now - .seconds(4))
    link.asked()
    clock.advance(by: .seconds(4))
    #expect(!isOverdue)
    clock.advance(by: .seconds(1.1))
    #expect(isOverdue)
    link.expire()
    #expect(!link.isAwaitingAnswer)
  }

  @Test func `After two answers that never came it asks no more`() {
    let link = watcher()
    for _ in 0..<2 {
      #expect(link.shouldAsk(after: 1 << 20))
      link.sent(1 << 20, began: clock.now)
      link.asked()
      clock.advance(by: .seconds(6))
      link.expire()
    }
    #expect(!link.shouldAsk(after: 1 << 20))
  }

  @Test func `Nobody waits where no answer is to come`() {
    let began = clock.now
    watcher().awaitAnswer(within: .seconds(1))
    #expect(clock.now == began)
  }
}
