package import AssetLibrary
import PickerRuntime
package import Pixels
package import TerminalGraphics
import System

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

  private let surface: InlineSurface
  private let cancellation: Cancellation
  private var asks: Bool
  private var isAwaitingAnswer = false
  private var lostAnswers = 0

  /// Prepares to play on the controlling terminal.
  /// - Parameters:
  ///   - found: what the terminal was found to be able to do.
  ///   - kitty: how kitty's pictures are placed; nil for other ways of drawing.
  /// - Throws: `TerminalError` when there is no terminal.
  package init(on found: TerminalInspection, kitty: KittyCommands?) throws(TerminalError) {
    let cancellation = Cancellation()
    self.cancellation = cancellation
    asks = found.tellsWhenDrawn
    surface = try InlineSurface(found, kitty: kitty) { cancellation.cancel() }
  }

  private static let start = ContinuousClock.now
  private static var now: Duration { start.duration(to: .now) }
  /// An answer that takes longer counts as lost.
  private static let patience: Duration = .seconds(2)

  /// Plays until the end, a key or a signal.
  /// - Parameters:
  ///   - open: opens what is played; it ends what it does with the `Cancellation`.
  ///   - encode: makes the bytes of a picture.
  /// - Throws: `TerminalError` when the terminal goes away.
  package func play(
    _ open: (Cancellation) throws(AssetError) -> any FrameReader, encode: (PixelBuffer) -> EncodedPicture
  ) throws(TerminalError) -> Ending {
    defer {
      // What the terminal has not read yet stays until it has.
      awaitAnswer()
      surface.leave()
    }
    let result: Result<Ending, TerminalError>
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
  ) throws(AssetError) -> Result<Ending, TerminalError> {
    var schedule = FrameSchedule(reader) { Self.now }
    while true {
      switch try schedule.next() {
      case .end:
        finishSignals()
        return .success(.played)
      case .nextPass(let time):
        finishSignals()
        if let ending = wait(until: time, &schedule) { return .success(ending) }
      case .frame(let frame):
        let picture = encode(frame.pixels)
        if let ending = wait(until: schedule.due(frame), &schedule) { return .success(ending) }
        do throws(TerminalError) {
          try surface.show(picture, asks: asks)
          isAwaitingAnswer = asks
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// Waits for a moment, and until the terminal has drawn the last picture.
  /// - Returns: why there is nothing to wait for any more.
  private func wait(until time: Duration, _ schedule: inout FrameSchedule) -> Ending? {
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
      if surface.notes.asksToStop {
        let slept = Self.now
        awaitAnswer()
        surface.leave()
        schedule.shift(by: Self.now - slept)
      }
    } while isAwaitingAnswer || Self.now < time
    return nil
  }

  /// Looks at what has happened, and waits a while at most until something has.
  /// - Returns: whether a key was pressed.
  private func look(within limit: Duration) -> Bool {
    var isPressed = false
    for event in surface.mailbox.takeAll(within: limit) {
      switch event {
      case .allDrawn:
        isAwaitingAnswer = false
        lostAnswers = 0
      // What is pressed before anything is in sight is meant for something else.
      case .key: isPressed = surface.isEntered
      case .terminalEnded: surface.die(by: SIGHUP)
      case .signal: break
      }
    }
    return isPressed
  }

  /// Ends the process where a signal asks for it.
  private func finishSignals() {
    guard let number = surface.notes.ending else { return }
    awaitAnswer()
    surface.die(by: number)
  }

  /// Waits a moment for an answer that is still to come: it must not be typed into the user's shell.
  private func awaitAnswer() {
    let deadline = Self.now + TerminalEnvironment.ofProcess.patience / 2
    while isAwaitingAnswer, Self.now < deadline { _ = look(within: deadline - Self.now) }
    guard isAwaitingAnswer else { return }
    isAwaitingAnswer = false
    surface.discardInput()
  }
}
