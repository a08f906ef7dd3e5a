import AssetLibrary
import Pixels
import TerminalGraphics
import Testing

@testable import PickerRuntime
@testable import PickerUI

/// Moving pictures on their way from the player to the terminal.
@Suite(.serialized, .timeLimit(.minutes(120))) struct MovingPictureTests {
  @Test func `A moving picture replaces the still one, and its next frame follows once it was sent`()
    async throws
  {
    let (terminal, images, clock) = (ScriptedTerminal(), ScriptedImages(), HeldClock())
    let messages = Mailbox<PickerMessage>()
    var options = PictureOptions()
    options.graphics = .iterm
    options.compress = { pixels, _ in [UInt8](repeating: pixels.bytes[0], count: 100) }
    let pictures = PictureStore(
      options, on: terminal.traits, cell: PixelSize(width: 10, height: 20),
      manager: LibraryAccessController(MemoryAssetStore(), images).manager, clock: clock
    ) { messages.post($0) }
    let link = LinkWatcher(isAnswered: false, clock: clock, mailbox: Mailbox(clock: clock))
    let writer = ScreenWriter(terminal: terminal, pictures: pictures, link: link, clock: clock)
    let asset = Asset.photo("clip")
    let key = PictureKey(asset, size: PictureRequest.size, mode: .aspectFit)
    var frame = ScreenFrame(size: CellSize(columns: 60, rows: 20))
    frame.place(
      PictureSlot(
        key: key, rect: CellRect(column: 0, row: 5, columns: 4, rows: 2), alignment: .center))
    images.setFrames(ScriptedFrames(count: 3, playCount: 1), of: asset)
    pictures.play(PlaybackRequest(generation: 1, asset: asset, key: key))
    for number in 0..<3 {
      while !(await messages.taken().contains { if case .playback(.frame, 1) = $0 { true } else { false } }) {
      }
      terminal.forgetLog()
      try writer.write(frame) { false }
      #expect(terminal.parts.map(\.fills) == [[UInt8(number + 1)]])
      guard number < 2 else { break }
      // It waits for its time, not for the terminal.
      #expect(await clock.nextWait() == ScriptedFrames.duration)
      clock.advance(by: ScriptedFrames.duration)
    }
    pictures.stopPlaying()
  }
}
