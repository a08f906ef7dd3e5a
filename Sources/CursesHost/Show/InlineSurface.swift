import CPlatform
import PickerRuntime
import Pixels
import TerminalGraphics
import System

/// A few rows of the terminal where the cursor is, in which one picture takes the place of the other.
///
/// While it is entered keys are read one by one without an echo, the cursor is hidden, and signals are events; at
/// other times they do what they always do. Used by one thread.
final class InlineSurface {
  /// What happened meanwhile.
  enum Event: Sendable {
    case key
    /// The terminal has drawn everything.
    case allDrawn
    /// There is something new in the notes.
    case signal
    case terminalEnded
  }

  let mailbox = Mailbox<Event>()
  /// The signals that came while the surface was entered.
  let notes = SignalNotes()
  private let onEnd: @Sendable () -> Void
  private let terminal: TerminalDevice
  private let kitty: KittyCommands?
  private let handover: PixelHandover
  private let isSynchronized: Bool
  private var rows = 0
  private(set) var isEntered = false
  private var hasKeys = false
  /// kitty's numbers for the picture in sight and the next one, by turns; what stays has its number for itself.
  private var numbers: (next: UInt64, other: UInt64)
  private var isInSight = false

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

  /// Makes room and takes keys.
  private func enter() throws(TerminalError) {
    try SignalWatch.start { [notes, mailbox, onEnd] number in
      notes.note(number)
      if notes.ending != nil { onEnd() }
      mailbox.post(.signal)
    }
    var modes = terminal.modes
    // Keys come at once; Ctrl-C and Ctrl-Z stay signals. What was typed before was not meant for what plays now.
    modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(terminal.descriptor, TCSAFLUSH, &modes)
    mailbox.removeAll { if case .key = $0 { true } else { false } }
    var found = terminal.modes
    terminal_guard_arm(terminal.descriptor, &found, Self.farewell, Self.farewell.count)
    isEntered = true
    if !hasKeys {
      _ = try KeyReader(
        on: terminal.descriptor, after: [],
        deliver: { [mailbox] in mailbox.post($0 == .allDrawn ? .allDrawn : .key) },
        ended: { [mailbox] in mailbox.post(.terminalEnded) })
      hasKeys = true
    }
    // The room is made first, so that nothing scrolls while it is drawn in; then its corner is kept.
    try terminal.write(
      Array("\r\(String(repeating: "\n", count: rows))\u{1B}[\(rows)A\u{1B}7\u{1B}[?25l".utf8))
  }

  /// What restores the terminal whatever was under way.
  private static let farewell = Array("\u{18}\u{1B}\\\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h".utf8)

  /// Shows a picture in the place of the last one.
  /// - Parameter asks: whether the terminal is to say when it is drawn.
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
    defer { isInSight = true }
    // Both are there for a moment: nothing flashes.
    return kitty.transmit(image, as: new, cells: picture.size, share: handover.hand)
      + strips(kitty.placing(picture, as: new)) + (isInSight ? kitty.free(old) : [])
  }

  private func strips(_ picture: EncodedPicture) -> [UInt8] {
    picture.strips.flatMap { strip in
      Array("\u{1B}8".utf8) + (strip.row > 0 ? Array("\u{1B}[\(strip.row)B".utf8) : []) + strip.bytes
    }
  }

  /// Gives the terminal back, the cursor below the picture, which stays.
  ///
  /// Where a signal asked for it meanwhile the process ends here, or sleeps.
  func leave() {
    guard isEntered else { return }
    isEntered = false
    if isInSight { numbers = (max(numbers.next, numbers.other) + 1, max(numbers.next, numbers.other) + 2) }
    isInSight = false
    let parting = Array("\u{18}\u{1B}8\u{1B}[0m\u{1B}[\(rows)B\r\u{1B}[?25h".utf8)
    terminal.giveBack(parting, abortingBytes: Self.farewell + parting)
    terminal_guard_disarm()
    handover.removeAll()
    SignalWatch.stop()
    if let number = notes.ending { SignalWatch.die(by: number) }
    // The next picture makes room anew.
    if notes.takeStop() { SignalWatch.stopJob() }
  }

  /// Throws away what the terminal answered too late.
  func discardInput() { terminal.discardInput() }

  /// Ends the process as a signal would have done.
  func die(by number: Int32) -> Never {
    leave()
    SignalWatch.die(by: number)
  }
}
