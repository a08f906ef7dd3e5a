import AssetLibrary
import Pixels
import Testing

@Suite struct FramePacerTests {
  private static func frame(_ index: Int, of length: Int = 100) -> MovingFrame {
    MovingFrame(
      pixels: PixelBuffer(size: .zero, bytes: []), start: .milliseconds(index * length),
      duration: .milliseconds(length))
  }

  /// Plays frames of 100 ms, each of which takes `time` to make; a minus marks a skipped one.
  private static func play(making time: Int, count: Int) -> (shown: [Int], times: [Int]) {
    var (now, pacer) = (Duration.zero, FramePacer(begin: .zero))
    var (shown, times) = ([Int](), [Int]())
    var index = 0
    while index < count {
      let skip = pacer.skip(at: now)
      var skipped = 0
      while index < count - 1, skip.leavesOut(endingAt: frame(index).end, after: skipped) {
        index += 1
        skipped += 1
      }
      now += .milliseconds(time)
      now += pacer.delay(of: frame(index), at: now)
      shown.append(index)
      times.append(Int(now / .milliseconds(1)))
      index += 1
    }
    return (shown, times)
  }

  @Test func `A fast player shows every frame on time`() {
    let (shown, times) = Self.play(making: 30, count: 6)
    #expect(shown == Array(0..<6))
    // The first frame is due when it is ready.
    #expect(times == (0..<6).map { 30 + 100 * $0 })
  }

  @Test func `A slightly slow player skips frames and stays on time`() {
    let (shown, times) = Self.play(making: 150, count: 40)
    #expect(shown.count < 30 && shown.count > 20)
    for (index, time) in zip(shown, times) { #expect(abs(time - 150 - 100 * index) <= 250) }
  }

  @Test func `A far too slow player shows one frame in five and falls behind`() {
    let (shown, times) = Self.play(making: 5000, count: 50)
    #expect(
      zip(shown.dropFirst(), shown.dropFirst(2)).allSatisfy {
        $1 - $0 == 5 || $1 == 49
      })
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 5000 })
  }

  @Test func `A loop restarts when the last frame was shown for its duration`() {
    var pacer = FramePacer(begin: .seconds(1))
    _ = pacer.delay(of: Self.frame(0), at: .seconds(1))
    _ = pacer.delay(of: Self.frame(1), at: .milliseconds(1100))
    #expect(pacer.shownCount == 2)
    #expect(pacer.endPass(at: .milliseconds(1110)) == .milliseconds(90))
    #expect(pacer.begin == .milliseconds(1200) && pacer.shownCount == 0)
  }

  @Test func `A late pass is followed by the next at once`() {
    var pacer = FramePacer(begin: .zero)
    _ = pacer.delay(of: Self.frame(0), at: .zero)
    #expect(pacer.endPass(at: .seconds(9)) == .zero)
    #expect(pacer.begin == .seconds(9))
  }

  @Test func `A paused animation resumes where it was`() {
    var pacer = FramePacer(begin: .zero)
    _ = pacer.delay(of: Self.frame(0), at: .zero)
    pacer.shift(by: .seconds(60))
    #expect(pacer.delay(of: Self.frame(1), at: .seconds(60)) == .milliseconds(100))
  }

  @Test func `After a seek the next frame is due at once, and the following ones at their times`() {
    var pacer = FramePacer(begin: .zero)
    _ = pacer.delay(of: Self.frame(0), at: .zero)
    pacer.seek()
    #expect(pacer.skip(at: .seconds(5)) == .none)
    #expect(pacer.delay(of: Self.frame(50), at: .seconds(1)) == .zero)
    #expect(pacer.delay(of: Self.frame(51), at: .seconds(1)) == .milliseconds(100))
    // Back again.
    pacer.seek()
    #expect(pacer.delay(of: Self.frame(2), at: .seconds(2)) == .zero)
    #expect(pacer.delay(of: Self.frame(3), at: .seconds(2)) == .milliseconds(100))
  }

  @Test func `At another rate frames are due sooner, or later, and playback continues where it is`() {
    var pacer = FramePacer(begin: .zero, rate: 2)
    _ = pacer.delay(of: Self.frame(0), at: .zero)
    #expect(pacer.delay(of: Self.frame(1), at: .zero) == .milliseconds(50))
    pacer.setRate(0.5, at: .milliseconds(50))
    #expect(pacer.delay(of: Self.frame(2), at: .milliseconds(50)) == .milliseconds(200))
    #expect(pacer.skip(at: .milliseconds(250)).until == .milliseconds(200))
    #expect(pacer.endPass(at: .milliseconds(250)) == .milliseconds(200))
  }
}
