import AssetLibrary
import PickerUI
import Pixels
import Testing

@testable import PickerRuntime

@Suite struct FrameScheduleTests {
  private let clock = TestClock()

  /// The schedule's frames as text, each shown when it is due.
  private func walk(_ frames: ScriptedFrames, steps: Int) throws -> [String] {
    var schedule = FrameSchedule(frames) { [clock] in clock.now }
    let began = clock.now
    var words: [String] = []
    for _ in 0..<steps {
      switch try schedule.next() {
      case .end: return words + ["end"]
      case .nextPass(let time):
        words.append("again at \((time - began) / .milliseconds(1))")
        clock.advance(by: time - clock.now)
      case .frame(let frame):
        let due = schedule.due(frame)
        words.append("\(frame.pixels.bytes[0]) at \((due - began) / .milliseconds(1))")
        clock.advance(by: due - clock.now)
      }
    }
    return words
  }

  @Test func `Each frame is due at its time, as often as the file says`() throws {
    let frames = ScriptedFrames(count: 2, playCount: 2)
    let words = try walk(frames, steps: 9)
    #expect(
      words == [
        "1 at 0.0", "2 at 100.0", "again at 200.0", "1 at 200.0", "2 at 300.0", "end",
      ])
    #expect(frames.rewindCount == 1)
  }

  @Test(arguments: [0, 1]) func `Fewer than two frames are not played`(count: Int) throws {
    #expect(try walk(ScriptedFrames(count: count, playCount: nil), steps: 9).last == "end")
  }

  @Test func `A pause postpones all later frames`() throws {
    var schedule = FrameSchedule(ScriptedFrames(count: 3, playCount: 1)) { [clock] in clock.now }
    let began = clock.now
    for number in 0..<3 {
      guard case .frame(let frame) = try schedule.next() else { break }
      #expect(schedule.due(frame) - began == .milliseconds(number == 2 ? 1200 : 100 * number))
      if number == 1 { schedule.shift(by: .seconds(1)) }
    }
  }

  @Test func `A tenth that takes too long to find leaves the frame, and is not looked for again`() throws {
    let frames = ScriptedFrames(count: 10_000, playCount: nil)
    // The clock is read once for each request of frames.
    var schedule = FrameSchedule(frames) { [clock] in
      clock.advance(by: .seconds(1))
      return clock.now
    }
    try schedule.seek(to: .time(ScriptedFrames.duration * 3))
    guard case .frame = try schedule.next() else { Issue.record("no frame"); return }
    try schedule.seek(to: .fraction(0.5))
    let count = frames.made.count
    #expect(count < 10 && schedule.length == nil)
    guard case .frame(let frame) = try schedule.next() else { Issue.record("no frame"); return }
    #expect(frame.start == ScriptedFrames.duration * 3)
    try schedule.seek(to: .fraction(0.5))
    #expect(frames.made.count == count + 1)
  }

  @Test func `A tenth is given up for another place`() throws {
    let frames = ScriptedFrames(count: 10_000, playCount: nil)
    var schedule = FrameSchedule(frames) { [clock] in clock.now }
    try schedule.seek(to: .fraction(0.5)) { frames.made.count >= 3 }
    #expect(frames.made.count == 3 && schedule.length == nil)
    try schedule.seek(to: .fraction(0.25))
    guard case .frame(let frame) = try schedule.next() else { Issue.record("no frame"); return }
    #expect(frame.start == ScriptedFrames.duration * 2500)
  }
}
