import Testing

@testable import PickerRuntime

@Suite struct RuntimeClockTests {
  @Test(arguments: [0, 60])
  func `The system clock calls back after the delay, and no sooner`(milliseconds: Int) async {
    let clock = SystemClock()
    let began = clock.now
    await withCheckedContinuation { continuation in
      clock.call(after: .milliseconds(milliseconds)) { continuation.resume() }
    }
    // Its time and Dispatch's may differ by some microseconds.
    #expect(clock.now - began > .milliseconds(milliseconds - 5))
  }
}
