import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct WorkTests {
  private static let export = Work(
    id: "export", title: "exporting", done: 12, total: 48, elapsed: 10, isStoppable: true)

  private func open(
    columns: Int = 120, configure: (inout PickerState.Options) -> Void = { _ in }
  ) -> TestPicker {
    .open(limit: 3, size: CellSize(columns: columns, rows: 40), configure: configure)
  }

  private func reading(_ fraction: Double, elapsed: Double, count: Int = 12_400) -> LibraryStatus {
    var status = LibraryStatus(isComplete: false, assetCount: count)
    status.progress = LibraryProgress(phase: .reading, fraction: fraction, elapsed: elapsed)
    return status
  }

  @Test func `The status line shows what is being done, the progress and the remaining time`() {
    var picker = open()
    picker.send(.work(Self.export))
    #expect(picker.lastLine.contains("1/30   exporting ━━━───────── 12 of 48 · 0:30 left"))
    #expect(picker.lastLine.contains("Esc stop"))
  }

  @Test(arguments: [
    (60, "exporting ━━━───────── 12 of 48"), (50, "exporting 12 of 48"), (36, "exporting"),
  ])
  func `Narrow windows show a shorter line`(columns: Int, words: String) {
    var picker = open(columns: columns)
    picker.send(.work(Self.export))
    #expect(picker.lastLine.contains(words))
    #expect(!picker.lastLine.contains("left"))
  }

  @Test func `Bytes are shown as bytes`() {
    var picker = open()
    picker.send(
      .work(Work(id: "d", title: "fetching", unit: .bytes, done: 2_100_000, total: 10_000_000, elapsed: 1)))
    #expect(picker.lastLine.contains("fetching ━━────────── 2.1 MB of 10.0 MB · 0:01"))
  }

  @Test func `Esc stops work before it closes anything, once`() {
    var picker = open()
    picker.send(.work(Self.export))
    picker.press(.character("o"))
    #expect(picker.press(.escape).contains(.stopWork("export")))
    #expect(picker.isFullScreen)
    #expect(picker.lastLine.contains("stopping 12 of 48") || picker.lastLine.contains("stopping ━"))
    #expect(!picker.press(.escape).contains(.stopWork("export")))
    #expect(!picker.isFullScreen)
    picker.send(.workEnded("export", message: "12 photos exported"))
    #expect(picker.lastLine.contains("12 photos exported"))
    picker.press(.escape)
    #expect(picker.outcome == .cancelled)
  }

  @Test func `Work that can't be stopped leaves Esc its function`() {
    var picker = open()
    var work = Self.export
    work.isStoppable = false
    picker.send(.work(work))
    #expect(!picker.lastLine.contains("stop"))
    picker.press(.escape)
    #expect(picker.outcome == .cancelled)
  }

  @Test func `Reading a library is shown once it takes long`() {
    var picker = open()
    let answer = { (picker: TestPicker, status: LibraryStatus) -> PickerMessage in
      var answer = picker.answer(to: picker.query ?? FetchQuery(generation: 0, options: FetchOptions()))
      answer.status = status
      return .fetched(answer)
    }
    picker.send(.libraryChanged)
    picker.send(answer(picker, reading(0.01, elapsed: 0.5)))
    #expect(!picker.lastLine.contains("reading"))
    #expect(picker.lines[0].contains("reading…"))
    picker.send(.libraryChanged)
    picker.send(answer(picker, reading(0.5, elapsed: 30)))
    #expect(picker.lastLine.contains("reading ━━━━━━────── 12,400 photos · 0:30 left"))
    #expect(!picker.lines[0].contains("reading…"))
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(!picker.lastLine.contains("reading"))
  }

  // MARK: Stopping the reading of a library

  /// A picker whose library is being read for some seconds.
  private func read(_ status: LibraryStatus, by picker: inout TestPicker) -> [PickerEffect] {
    picker.send(.libraryChanged)
    var answer = picker.answer(to: picker.query ?? FetchQuery(generation: 0, options: FetchOptions()))
    answer.status = status
    return picker.send(.fetched(answer))
  }

  private var stopped: LibraryStatus {
    var status = LibraryStatus(isComplete: true, assetCount: 30)
    status.isStopped = true
    return status
  }

  @Test func `Esc stops the reading of a library, after closing what is open and before leaving`() {
    var picker = open { $0.ringsBell = true }
    _ = read(reading(0.2, elapsed: 12), by: &picker)
    #expect(picker.lastLine.contains("Esc stop"))
    picker.press(.character("o"), .escape)
    #expect(!picker.isFullScreen && !picker.effects.contains(.stopWork(Work.reading)))
    #expect(picker.press(.escape).contains(.stopWork(Work.reading)))
    #expect(picker.lastLine.contains("stopping") && !picker.lastLine.contains("Esc stop"))
    let effects = read(stopped, by: &picker)
    #expect(!effects.contains(.ring))
    #expect(picker.lastLine.contains("Reading stopped. Press ^L to resume"))
    #expect(picker.lines[0].contains("incomplete"))
    #expect(picker.press(.control("l")).contains(.resumeReading))
    _ = read(reading(0.5, elapsed: 2), by: &picker)
    #expect(picker.lastLine.contains("Esc stop") && !picker.lines[0].contains("incomplete"))
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(!picker.press(.control("l")).contains(.resumeReading))
    picker.press(.escape)
    #expect(picker.outcome == .cancelled)
  }

  @Test func `A short reading leaves Esc its function`() {
    var picker = open()
    _ = read(reading(0.2, elapsed: 0.5), by: &picker)
    picker.press(.escape)
    #expect(picker.outcome == .cancelled)
  }

  @Test func `A stopped, empty library shows the reason`() {
    var picker = TestPicker.open([])
    var status = stopped
    status.assetCount = 0
    _ = read(status, by: &picker)
    picker.press(.right)
    #expect(picker.shows("No photos here yet") && picker.shows("Press ^L to resume"))
  }

  private func unreadable(_ count: Int, isAll: Bool = true) -> LibraryStatus {
    var status = LibraryStatus(isComplete: true, assetCount: count)
    status.unreadableSources = [AssetError("nas:Photos", "access denied", isTransient: true)]
    status.isUnreadable = isAll
    return status
  }

  @Test func `If no source can be read the screen shows the reason, and a key retries`() {
    var picker = TestPicker.open([])
    _ = read(unreadable(0), by: &picker)
    #expect(picker.shows("Nothing could be read") && picker.shows("nas:Photos: access denied"))
    #expect(picker.shows("^L try again") && picker.lastLine.contains("^L try again"))
    #expect(picker.lines[0].contains("incomplete"))
    #expect(!picker.shows("No photos here"))
    #expect(picker.press(.control("l")).contains(.resumeReading))
    // During the retry no further one is offered.
    _ = read(reading(0.1, elapsed: 0.1, count: 0), by: &picker)
    #expect(picker.shows("Reading the library…"))
    #expect(!picker.press(.control("l")).contains(.resumeReading))
    // One of several sources, with nothing in the others.
    _ = read(unreadable(0, isAll: false), by: &picker)
    #expect(picker.shows("No photos here") && picker.shows("nas:Photos: access denied"))
  }

  @Test func `If some photos are known an unreadable source is reported once in the status line`() {
    var picker = open()
    _ = read(unreadable(30), by: &picker)
    #expect(picker.lastLine.contains("nas:Photos: access denied · ^L try again"))
    picker.press(.right)
    #expect(!picker.lastLine.contains("access denied") && picker.lastLine.contains("^L try again"))
    _ = read(unreadable(30), by: &picker)
    #expect(!picker.lastLine.contains("access denied"))
    picker.send(.libraryChanged)
    picker.answerFetch()
    #expect(!picker.lastLine.contains("try again") && !picker.lines[0].contains("incomplete"))
  }

  @Test func `Results of work that was not shown are reported too, and a failure rings the bell`() {
    var picker = open { $0.ringsBell = true }
    #expect(!picker.send(.workEnded("trash", message: "one photo in the trash")).contains(.ring))
    #expect(picker.lastLine.contains("one photo in the trash"))
    var work = Self.export
    work.elapsed = 30
    picker.send(.work(work))
    let effects = picker.send(.workEnded("export", message: "the disk is full", hasFailed: true))
    #expect(effects.filter { $0 == .ring }.count == 1)
    let told = picker.frame.runs(row: picker.lines.count - 1).first { $0.text.contains("the disk is full") }
    #expect(told?.style.tone == .error)
  }

  @Test(arguments: [(true, 30.0, true), (true, 3, false), (false, 30, false)])
  func `The end of long work rings the bell if enabled`(rings: Bool, elapsed: Double, isHeard: Bool) {
    var picker = open { $0.ringsBell = rings }
    var work = Self.export
    work.elapsed = elapsed
    picker.send(.work(work))
    #expect(picker.send(.workEnded("export", message: "done")).contains(.ring) == isHeard)
    var status = reading(0.9, elapsed: elapsed)
    status.isComplete = false
    picker.send(.libraryChanged)
    var answer = picker.answer(to: picker.query ?? FetchQuery(generation: 0, options: FetchOptions()))
    answer.status = status
    picker.send(.fetched(answer))
    picker.send(.libraryChanged)
    #expect(picker.answerFetch().contains(.ring) == isHeard)
  }

  @Test(arguments: [(0, 10.0, nil), (48, 10, nil), (12, 1, nil), (24, 10, 10.0)] as [(Int, Double, Double?)])
  func `The remaining time is shown if it is known`(done: Int, elapsed: Double, left: Double?) {
    #expect(Work(id: "", title: "", done: done, total: 48, elapsed: elapsed).remaining == left)
  }

  @Test func `The window title follows the picks`() {
    var picker = open()
    #expect(picker.windowTitle == "Recents - tpick")
    picker.press(.right)
    #expect(picker.windowTitle == "Recents - tpick")
    picker.press(.space)
    #expect(picker.windowTitle == "1 - tpick")
    picker.press(.right, .space)
    #expect(picker.windowTitle == "1 and 1 more - tpick")
    picker.send(.work(Self.export))
    #expect(picker.windowTitle == "25 % - 1 and 1 more - tpick")
  }

  @Test func `No name can terminate the title sequence early`() {
    var picker = TestPicker.open([.photo("a\u{1B}\\\u{7}b\u{9C}")])
    picker.press(.space)
    let title = picker.windowTitle
    #expect(title.hasSuffix(" - tpick"))
    #expect(title.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
  }
}
