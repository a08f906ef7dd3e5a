import Testing

@testable import FolderLibrary

/// How fast an input is read.
@Suite struct ReadingPaceTests {
  @Test func `Repeated paths are read with growing delays, new ones at once`() {
    var pace = ReadingPace()
    #expect(pace.pause(afterNews: true) == .zero)
    var last = Duration.zero
    for _ in 0..<1000 {
      let pause = pace.pause(afterNews: false)
      #expect(pause > last || pause == ReadingPace.longest)
      last = pause
    }
    #expect(last == ReadingPace.longest)
    #expect(pace.pause(afterNews: true) == .zero)
    #expect(pace.pause(afterNews: false) < .milliseconds(1))
  }
}
