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

  @Test func `After many bytes a request is sent, and pictures wait for the answer`() {
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

  @Test func `An answer is overdue after five seconds, whenever the frame began`() {
    let link = watcher()
    // Sending already took long.
    link.sent(1 << 20, began: clock.now - .seconds(4))
    link.asked()
    clock.advance(by: .seconds(4))
    #expect(!isOverdue)
    clock.advance(by: .seconds(1.1))
    #expect(isOverdue)
    link.expire()
    #expect(!link.isAwaitingAnswer)
  }

  @Test func `After two missing answers no more requests are sent`() {
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

  @Test func `Without a pending answer nothing waits`() {
    let began = clock.now
    watcher().awaitAnswer(within: .seconds(1))
    #expect(clock.now == began)
  }
}
