package import AssetLibrary
import PickerRuntime
package import Pixels
package import TerminalGraphics
import System

/// Plays an animation or video at the cursor, without taking over the screen.
///
/// Late frames are skipped, and none is sent before the terminal has drawn the previous one. Any key ends
/// playback; signals end the process after the terminal is restored. One player per process, used by one
/// thread.
package final class InlinePlayer {
  /// How playback ended.
  package enum Ending: Sendable {
    /// All passes of the file were played; the last frame stays.
    case played
    /// A key was pressed; the current frame stays.
    case stopped
    case failed(AssetError)
  }

  private let surface: InlineSurface
  private let cancellation: Cancellation
  private var asks: Bool
  private var isAwaitingAnswer = false
  private var lostAnswers = 0

  /// Prepares playback on the controlling terminal.
  /// - Parameters:
  ///   - found: the capabilities of the terminal.
  ///   - kitty: how kitty pictures are placed; nil for other protocols.
  /// - Throws: `TerminalError` if there is no terminal.
  package init(on found: TerminalInspection, kitty: KittyCommands?) throws(TerminalError) {
    let cancellation = Cancellation()
    self.cancellation = cancellation
    asks = found.confirmsDrawing
    surface = try InlineSurface(found, kitty: kitty) { cancellation.cancel() }
  }

  private static let start = ContinuousClock.now
  private static var now: Duration { start.duration(to: .now) }
  /// The timeout for the confirmation that a frame is drawn.
  private static let patience: Duration = .seconds(2)

  /// Plays until the end, a key or a signal.
  /// - Parameters:
  ///   - open: opens the file; stops when the `Cancellation` is cancelled.
  ///   - encode: encodes a frame.
  /// - Throws: `TerminalError` if the terminal disappears.
  package func play(
    _ open: (Cancellation) throws(AssetError) -> any FrameReader, encode: (PixelBuffer) -> EncodedPicture
  ) throws(TerminalError) -> Ending {
    defer {
      // Wait until the terminal has read everything.
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

  /// Waits until `time`, and until the terminal has drawn the last frame.
  /// - Returns: how playback ended meanwhile; nil if it continues.
  private func wait(until time: Duration, _ schedule: inout FrameSchedule) -> Ending? {
    let began = Self.now
    // Check for events at least once, however late the next frame is.
    repeat {
      if isAwaitingAnswer, Self.now - began > Self.patience {
        isAwaitingAnswer = false
        lostAnswers += 1
        // Stop asking a terminal that does not answer.
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

  /// Handles events, waiting up to `limit` for the first.
  /// - Returns: whether a key was pressed.
  private func look(within limit: Duration) -> Bool {
    var isPressed = false
    for event in surface.mailbox.takeAll(within: limit) {
      switch event {
      case .allDrawn:
        isAwaitingAnswer = false
        lostAnswers = 0
      // A key pressed before anything is visible is meant for something else.
      case .key: isPressed = surface.isEntered
      case .terminalEnded: surface.die(by: SIGHUP)
      case .signal: break
      }
    }
    return isPressed
  }

  /// Ends the process if a signal requires it.
  private func finishSignals() {
    guard let number = surface.notes.ending else { return }
    awaitAnswer()
    surface.die(by: number)
  }

  /// Waits briefly for a pending answer, which must not end up as input of the user's shell.
  private func awaitAnswer() {
    let deadline = Self.now + TerminalEnvironment.ofProcess.patience / 2
    while isAwaitingAnswer, Self.now < deadline { _ = look(within: deadline - Self.now) }
    guard isAwaitingAnswer else { return }
    isAwaitingAnswer = false
    surface.discardInput()
  }
}
