package import AssetLibrary
import Dispatch
package import Pixels
package import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

/// Plays what moves where the cursor is, without taking the screen.
///
/// Pictures that come too late are left out, and none is sent before the terminal has drawn the one before.
/// Any key ends the playing; signals end the process, the terminal restored. One player a process, used by one thread.
package final class InlinePlayer {
  /// How the playing ended.
  package enum Ending: Sendable {
    /// All was shown as often as the file says; the last picture stays.
    case played
    /// A key was pressed; the picture of that moment stays.
    case stopped
    case failed(AssetError)
  }

  private let stage: InlineSurface
  private let cancellation: Cancellation
  private var asks: Bool
  private var isAwaitingAnswer = false
  private var lostAnswers = 0

  /// Prepares to play on the controlling terminal.
  /// - Parameters:
  ///   - found: what the terminal was found to be able to do.
  ///   - kitty: how kitty's pictures are placed; nil for other ways of drawing.
  /// - Throws: `HostError` when there is no terminal.
  package init(on found: TerminalInspection, kitty: KittyCommands?) throws(HostError) {
    let cancellation = Cancellation()
    self.cancellation = cancellation
    asks = found.isComplete
    stage = try InlineSurface(found, kitty: kitty) { cancellation.cancel() }
  }

  private static let start = ContinuousClock.now
  private static var now: Duration { start.duration(to: .now) }
  /// An answer that takes longer counts as lost.
  private static let patience: Duration = .seconds(2)

  /// Plays until the end, a key or a signal.
  /// - Parameters:
  ///   - open: opens what is played; it ends what it does with the `Cancellation`.
  ///   - encode: makes the bytes of a picture.
  /// - Throws: `HostError` when the terminal goes away.
  package func play(
    _ open: (Cancellation) throws(AssetError) -> any FrameReader, encode: (PixelBuffer) -> EncodedPicture
  ) throws(HostError) -> Ending {
    defer {
      // What the terminal has not read yet stays until it has.
      awaitAnswer()
      stage.leave()
    }
    let result: Result<Ending, HostError>
    do throws(AssetError) {
      result = try run(try open(cancellation), encode)
    } catch {
      finishSignals()
      return .failed(error)
    }
    return try result.get()
  }

  private func run(
    _ reader: any FrameReader, _ encode: (PixelBuffer) -> EncodedPicture
  ) throws(AssetError) -> Result<Ending, HostError> {
    var pacer = FramePacer(begin: Self.now)
    var passes = 0
    while true {
      guard let frame = try reader.next(pacer.skip(at: Self.now)) else {
        finishSignals()
        // One picture alone stands still; none, where a file was cut meanwhile, leaves no time to wait.
        if pacer.shownCount <= 1 { return .success(.played) }
        passes += 1
        let rest = pacer.endPass(at: Self.now)
        if let count = reader.playCount, passes >= count { return .success(.played) }
        if let stop = wait(until: Self.now + rest, &pacer) { return .success(stop) }
        try reader.rewind()
        continue
      }
      let picture = encode(frame.pixels)
      let delay = pacer.delay(of: frame, at: Self.now)
      if let stop = wait(until: Self.now + delay, &pacer) { return .success(stop) }
      do throws(HostError) {
        try stage.show(picture, asks: asks)
        isAwaitingAnswer = asks
      } catch {
        return .failure(error)
      }
    }
  }

  /// Waits for a moment, and until the terminal has drawn the last picture.
  /// - Returns: why there is nothing to wait for any more.
  private func wait(until time: Duration, _ pacer: inout FramePacer) -> Ending? {
    let began = Self.now
    // What came is looked at once at least, however late the next picture is.
    repeat {
      if isAwaitingAnswer, Self.now - began > Self.patience {
        isAwaitingAnswer = false
        lostAnswers += 1
        // A terminal that does not answer is not asked any more.
        if lostAnswers > 1 { asks = false }
      }
      let isPressed = look(within: max(time - Self.now, isAwaitingAnswer ? .milliseconds(20) : .zero))
      finishSignals()
      if isPressed {
        awaitAnswer()
        return .stopped
      }
      if stage.notes.asksToStop {
        let slept = Self.now
        awaitAnswer()
        stage.leave()
        pacer.shift(by: Self.now - slept)
      }
    } while isAwaitingAnswer || Self.now < time
    return nil
  }

  /// Looks at what has happened, and waits a while at most until something has.
  /// - Returns: whether a key was pressed.
  private func look(within limit: Duration) -> Bool {
    var isPressed = false
    for event in stage.mailbox.takeAll(within: limit) {
      switch event {
      case .allDrawn:
        isAwaitingAnswer = false
        lostAnswers = 0
      // What is pressed before anything is in sight is meant for something else.
      case .key: isPressed = stage.isEntered
      case .terminalEnded: stage.die(by: SIGHUP)
      case .signal: break
      }
    }
    return isPressed
  }

  /// Ends the process where a signal asks for it.
  private func finishSignals() {
    guard let number = stage.notes.ending else { return }
    awaitAnswer()
    stage.die(by: number)
  }

  /// Waits a moment for an answer that is still to come: it must not be typed into the user's shell.
  private func awaitAnswer() {
    let deadline = Self.now + TerminalEnvironment.ofProcess.patience / 2
    while isAwaitingAnswer, Self.now < deadline { _ = look(within: deadline - Self.now) }
    guard isAwaitingAnswer else { return }
    isAwaitingAnswer = false
    stage.discardInput()
  }
}
