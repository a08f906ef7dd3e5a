import Testing

@testable import PickerRuntime

@Suite struct RuntimeClockTests {
  @Test(arguments: [0, 60])
  func `The clock of the system calls after a while, and no sooner`(milliseconds: Int) async {
    let clock = SystemClock()
    let began = clock.now
    await withCheckedContinuation { continuation in
      clock.call(after: .milliseconds(milliseconds)) { continuation.resume() }
    }
    // Its clock and that of Dispatch may be some microseconds apart.
    #expect(clock.now - began > .milliseconds(milliseconds - 5))
  }
}
