import Dispatch
import Testing

@testable import PickerRuntime

@Suite(.serialized, .timeLimit(.minutes(120))) struct MailboxTests {
  @Test func `Messages are received once, in order`() {
    let mailbox = Mailbox<Int>()
    for number in 1...3 { mailbox.post(number) }
    #expect(!mailbox.isEmpty)
    #expect(mailbox.takeAll() == [1, 2, 3])
    #expect(mailbox.isEmpty)
    #expect(mailbox.takeAll(within: .zero) == [])
  }

  @Test func `A waiting thread receives what another posts`() async {
    let mailbox = Mailbox<Int>()
    async let taken = mailbox.taken()
    DispatchQueue.global().async { mailbox.post(7) }
    #expect(await taken == [7])
  }

  @Test func `A wait ends with the first message or at the timeout`() {
    let clock = TestClock()
    let mailbox = Mailbox<Int>(clock: clock)
    let began = clock.now
    clock.whileWaiting { mailbox.post(1) }
    #expect(mailbox.takeAll(within: .seconds(3)) == [1])
    #expect(clock.now == began)
    #expect(mailbox.takeAll(within: .seconds(3)) == [])
    #expect(clock.now - began == .seconds(3))
  }

  @Test func `Waiting for one message leaves all messages in place`() {
    let clock = TestClock()
    let mailbox = Mailbox<Int>(clock: clock)
    mailbox.post(1)
    clock.whileWaiting { mailbox.post(2) }
    clock.whileWaiting { mailbox.post(3) }
    let began = clock.now
    mailbox.wait(within: .seconds(1)) { $0 == 3 }
    #expect(clock.now == began)
    #expect(mailbox.takeAll() == [1, 2, 3])
  }

  @Test func `Canceled messages are removed`() {
    let mailbox = Mailbox<Int>()
    for number in 1...4 { mailbox.post(number) }
    mailbox.removeAll { $0.isMultiple(of: 2) }
    #expect(mailbox.takeAll() == [1, 3])
  }
}
