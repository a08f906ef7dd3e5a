import Dispatch
import Testing

@testable import PickerRuntime

@Suite(.serialized, .timeLimit(.minutes(30))) struct MailboxTests {
  @Test func `Messages are taken in the order in which they came, once`() {
    let mailbox = Mailbox<Int>()
    for number in 1...3 { mailbox.post(number) }
    #expect(!mailbox.isEmpty)
    #expect(mailbox.takeAll() == [1, 2, 3])
    #expect(mailbox.isEmpty)
    #expect(mailbox.takeAll(within: .zero) == [])
  }

  @Test func `Who waits gets what another thread posts`() async {
    let mailbox = Mailbox<Int>()
    async let taken = mailbox.taken()
    DispatchQueue.global().async { mailbox.post(7) }
    #expect(await taken == [7])
  }

  @Test func `A wait ends with the first message, or with the time`() {
    let clock = TestClock()
    let mailbox = Mailbox<Int>(clock: clock)
    let began = clock.now
    clock.whileWaiting { mailbox.post(1) }
    #expect(mailbox.takeAll(within: .seconds(3)) == [1])
    #expect(clock.now == began)
    #expect(mailbox.takeAll(within: .seconds(3)) == [])
    #expect(clock.now - began == .seconds(3))
  }

  @Test func `Waiting for one message leaves it and the others where they are`() {
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

  @Test func `What is not wanted any more is removed`() {
    let mailbox = Mailbox<Int>()
    for number in 1...4 { mailbox.post(number) }
    mailbox.removeAll { $0.isMultiple(of: 2) }
    #expect(mailbox.takeAll() == [1, 3])
  }
}
