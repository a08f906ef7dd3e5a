import CPlatform
import PickerRuntime
import Pixels
import TerminalGraphics
import System

/// A few rows of the terminal at the cursor, in which each picture replaces the previous one.
///
/// While it is entered, keys are read one by one without echo, the cursor is hidden, and signals become
/// events; otherwise they keep their usual effect. Used by one thread.
final class InlineSurface {
  /// An event while the surface is entered.
  enum Event: Sendable {
    case key
    /// The terminal has drawn everything.
    case allDrawn
    /// A signal has arrived; `notes` has it.
    case signal
    case terminalEnded
  }

  let mailbox = Mailbox<Event>()
  /// Signals that arrived while the surface was entered.
  let notes = SignalNotes()
  private let onEnd: @Sendable () -> Void
  private let terminal: TerminalDevice
  private let kitty: KittyCommands?
  private let handover: PixelHandover
  private let isSynchronized: Bool
  private var rows = 0
  private(set) var isEntered = false
  private var hasKeys = false
  /// kitty's numbers for the visible picture and the next one, used alternately; a picture that stays keeps
  /// its number.
  private var numbers: (next: UInt64, other: UInt64)
  private var hasVisiblePicture = false

  /// - Parameter onEnd: called on another thread once the notes have a signal that ends the process.
  init(
    _ found: TerminalInspection, kitty: KittyCommands?, onEnd: @escaping @Sendable () -> Void
  ) throws(TerminalError) {
    terminal = try TerminalDevice(interruptedBy: notes)
    self.kitty = kitty
    handover = PixelHandover(found.capabilities.handover)
    isSynchronized = found.capabilities.hasSynchronizedOutput
    let first = UInt64.random(in: 0...UInt64(UInt32.max))
    numbers = (first, first + 1)
    self.onEnd = onEnd
  }

  /// Makes room and starts reading keys.
  private func enter() throws(TerminalError) {
    try SignalWatch.start { [notes, mailbox, onEnd] number in
      notes.note(number)
      if notes.ending != nil { onEnd() }
      mailbox.post(.signal)
    }
    var modes = terminal.modes
    // Keys arrive at once; Ctrl-C and Ctrl-Z remain signals. Earlier input is discarded: it was not meant for
    // this playback.
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(terminal.descriptor, TCSAFLUSH, &modes)
    mailbox.removeAll { if case .key = $0 { true } else { false } }
    var found = terminal.modes
    terminal_guard_arm(terminal.descriptor, &found, Self.restoreSequence, Self.restoreSequence.count)
    isEntered = true
    if !hasKeys {
      _ = try KeyReader(
        on: terminal.descriptor, after: [],
        deliver: { [mailbox] in mailbox.post($0 == .allDrawn ? .allDrawn : .key) },
        ended: { [mailbox] in mailbox.post(.terminalEnded) })
      hasKeys = true
    }
    // Make room first, so that drawing scrolls nothing; then save the corner's position.
    try terminal.write(
      Array("\r\(String(repeating: "\n", count: rows))\u{1B}[\(rows)A\u{1B}7\u{1B}[?25l".utf8))
  }

  /// Sequence that restores the terminal whatever was in progress.
  private static let restoreSequence = Array("\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h".utf8)

  /// Replaces the picture.
  /// - Parameter asks: whether to ask the terminal to confirm when it is drawn.
  func show(_ picture: EncodedPicture, asks: Bool) throws(TerminalError) {
    if !isEntered {
      rows = max(1, picture.size.rows)
      try enter()
    }
    var bytes = isSynchronized ? Array("\u{1B}[?2026h".utf8) : []
    bytes += self.bytes(of: picture)
    if isSynchronized { bytes += "\u{1B}[?2026l".utf8 }
    if asks { bytes += LinkSpeed.question }
    try terminal.write(bytes)
  }

  private func bytes(of picture: EncodedPicture) -> [UInt8] {
    guard let kitty, let image = picture.image else { return strips(picture) }
    let (new, old) = (KittyNumber(numbers.next), KittyNumber(numbers.other))
    numbers = (numbers.other, numbers.next)
    defer { hasVisiblePicture = true }
    // The old picture is removed only after the new one is placed, so that nothing flickers.
    return kitty.transmit(image, as: new, cells: picture.size, share: handover.share)
      + strips(kitty.placing(picture, as: new)) + (hasVisiblePicture ? kitty.free(old) : [])
  }

  private func strips(_ picture: EncodedPicture) -> [UInt8] {
    picture.strips.flatMap { strip in
      Array("\u{1B}8".utf8) + (strip.row > 0 ? Array("\u{1B}[\(strip.row)B".utf8) : []) + strip.bytes
    }
  }

  /// Restores the terminal, with the cursor below the picture, which stays.
  ///
  /// If a signal required it meanwhile, the process ends or stops here.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    if hasVisiblePicture {
      numbers = (max(numbers.next, numbers.other) + 1, max(numbers.next, numbers.other) + 2)
    }
    hasVisiblePicture = false
    let parting = Array("\u{18}\u{1B}8\u{1B}[0m\u{1B}[\(rows)B\r\u{1B}[?25h".utf8)
    terminal.restoreTerminal(parting, abortingBytes: Self.restoreSequence + parting)
    terminal_guard_disarm()
    handover.removeAll()
    SignalWatch.stop()
    if let number = notes.ending { SignalWatch.die(by: number) }
    // When the process continues, the next picture enters again and makes room.
    if notes.takeStop() { SignalWatch.stopJob() }
  }

  /// Discards late answers of the terminal.
  func discardInput() { terminal.discardInput() }

  /// Ends the process as a signal would.
  func die(by number: Int32) -> Never {
    leave()
    SignalWatch.die(by: number)
  }
}
