import AssetLibrary
import Testing

@testable import PickerUI

@Suite struct StatusStateTests {
  private static func work(
    _ id: String, done: Int = 0, elapsed: Double = 0, isStoppable: Bool = false
  ) -> Work {
    Work(id: id, title: id, done: done, elapsed: elapsed, isStoppable: isStoppable)
  }

  @Test(arguments: [nil, "blocks", "blocks-8"])
  func `The use of block graphics is announced once`(told: String?) {
    var picker = TestPicker { $0.screen.reportedFallback = told }
    picker.send(.fallback(name: "blocks", words: "Pictures are drawn as blocks"))
    picker.send(.authorization(.authorized))
    picker.answerFetch()
    #expect(picker.lastLine.contains("Pictures are drawn as blocks") == (told != "blocks"))
    #expect(picker.screenChanges.reportedFallback == (told == "blocks" ? nil : "blocks"))
  }

  @Test(arguments: [true, false])
  func `The block graphics notice is withdrawn if the terminal's answers arrive late`(isRead: Bool) {
    var picker = TestPicker.open()
    picker.send(.fallback(name: "blocks", words: "Pictures are drawn as blocks"))
    if isRead { picker.press(.right) }
    picker.send(.fallbackEnded)
    #expect(!picker.shows("drawn as blocks"))
    #expect(picker.screenChanges.reportedFallback == (isRead ? "blocks" : nil))
    // Other notices stay.
    picker.send(.programFailed("no such program"))
    picker.send(.fallbackEnded)
    #expect(picker.shows("no such program"))
  }

  @Test(arguments: [(TextStyle.Tone.warning, true, true), (.warning, false, false), (.dim, true, false)])
  func `A notice is shown for a while, with the bell unless it is silent`(
    tone: TextStyle.Tone, rings: Bool, isHeard: Bool
  ) {
    var status = StatusState(ringsBell: rings)
    let effects = status.showNotice("limit reached", tone)
    #expect(status.notice == StatusState.Notice(text: "limit reached", tone: tone))
    #expect(effects.contains(.ring) == isHeard)
    #expect(effects.compactMap(\.timer) == [.notice(generation: status.noticeGeneration)])
  }

  @Test func `Each notice has its own duration`() {
    var status = StatusState()
    let first = status.showNotice("a", .dim).compactMap(\.timer)
    let second = status.showNotice("b", .dim).compactMap(\.timer)
    #expect(first != second)
  }

  @Test func `Work is shown once it takes long, the newest first, reading last`() {
    var status = StatusState()
    let reading = Self.work("library", elapsed: 3)
    #expect(status.shownWork(reading: reading) == reading)
    status.update(Self.work("a", elapsed: 2))
    status.update(Self.work("b"))
    #expect(status.shownWork(reading: reading) == nil)
    status.update(Self.work("b", done: 5, elapsed: 1.5))
    #expect(status.shownWork(reading: reading)?.done == 5)
    #expect(status.works.map(\.id) == ["a", "b"])
    #expect(status.end("b")?.done == 5)
    #expect(status.shownWork(reading: reading)?.id == "a")
    #expect(status.end("nothing") == nil)
  }

  @Test func `Work is stopped once`() {
    var status = StatusState()
    status.update(Self.work("a", isStoppable: true))
    status.update(Self.work("b"))
    let work = Self.work("a", isStoppable: true)
    #expect(status.stoppableWork?.id == "a")
    #expect(status.stop(work) == [.stopWork("a")])
    #expect(status.stoppableWork == nil && !status.canStop(work))
    _ = status.end("a")
    #expect(status.canStop(work))
  }
}
