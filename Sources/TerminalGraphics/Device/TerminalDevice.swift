package import CPlatform
package import Pixels
import System

/// The controlling terminal as a device: its bytes, its modes, its size.
///
/// Owns a separately opened, non-blocking descriptor, so that a signal can end the process even while the
/// terminal accepts no output. Used by the thread of the run loop; only the key reader reads from the same
/// descriptor on another thread, which the kernel allows.
package final class TerminalDevice {
  package let descriptor: Int32
  /// The original modes, which are restored at the end.
  package let modes: termios
  private let notes: SignalNotes?
  private let writer: DescriptorWriter
  /// Whether a write was cut short, so that the next output starts inside a sequence.
  package private(set) var isCutShort = false
  /// Whether a signal that ends the process has arrived.
  package var isInterrupted: Bool { notes?.ending != nil }

  /// Opens a terminal.
  /// - Parameters:
  ///   - path: the controlling terminal, except in tests.
  ///   - notes: records signals that end the process; without them, writes wait without limit.
  package init(_ path: String = "/dev/tty", interruptedBy notes: SignalNotes? = nil) throws(TerminalError) {
    self.notes = notes
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    writer = DescriptorWriter(descriptor)
    guard descriptor >= 0 else { throw .absent(String(cString: strerror(errno))) }
    var found = termios()
    tcgetattr(descriptor, &found)
    modes = found
    // From here on, a crash restores the terminal.
    terminal_guard_arm(descriptor, &found, nil, 0)
  }

  deinit {
    // The descriptor's number may be reused for something else.
    terminal_guard_disarm()
    close(descriptor)
  }

  /// Writes all bytes, waiting for a slow line, but not after a signal that ends the process.
  /// - Throws: `TerminalError.interrupted` from then on.
  package func write(_ bytes: [UInt8]) throws(TerminalError) {
    if isCutShort { throw .interrupted }
    switch writer.write(bytes, unless: notes?.interruption) {
    case .written: return
    case .cutShort:
      isCutShort = true
      throw .interrupted
    case .failed(let error): throw .lost(String(cString: strerror(error)))
    }
  }

  /// How long a terminal that accepts no output may delay the end of the process.
  package static let restoreTimeout: Duration = .seconds(2)

  /// Restores the terminal: writes the last bytes, waiting for a slow line (only briefly after a signal that ends
  /// the process), and sets the original modes.
  /// - Parameters:
  ///   - bytes: the sequence that restores the terminal.
  ///   - abortingBytes: its replacement after a write was cut short.
  ///   - patience: how long to wait until the terminal has handled the sequence, discarding all input until then;
  ///     nil = not at all.
  package func restoreTerminal(
    _ bytes: [UInt8], abortingBytes: [UInt8], discardingInputFor patience: Duration? = nil
  ) {
    if !isCutShort, writer.write(bytes, unless: notes?.interruption) == .cutShort { isCutShort = true }
    if isCutShort { _ = writer.write(abortingBytes, within: Self.restoreTimeout) }
    if !isCutShort, !isInterrupted, let patience { discardInput(untilAnsweredWithin: patience) }
    setModes(modes)
  }

  /// Asks for the device attributes, and discards all input up to the answer: reports that the terminal sent before they
  /// were turned off, which would be typed into the user's shell.
  private func discardInput(untilAnsweredWithin patience: Duration) {
    guard writer.write(TerminalProbe.attributesQuestion, unless: notes?.interruption) == .written else {
      return
    }
    let deadline = ContinuousClock.now + patience
    var scan = AttributesScan()
    var buffer = [UInt8](repeating: 0, count: 1024)
    while !scan.isFound, !isInterrupted {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return }
      var polls = [descriptor, notes?.interruption ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&polls, nfds_t(polls.count), Int32((left / .milliseconds(1)).rounded(.up))) > 0,
        polls[0].revents != 0
      else { continue }
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        for byte in buffer[..<count] { scan.take(byte) }
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        return
      }
    }
  }

  /// The current modes of the terminal.
  package var currentModes: termios {
    var modes = termios()
    tcgetattr(descriptor, &modes)
    return modes
  }

  /// Sets the modes at once: waiting for the output to drain could take forever.
  package func setModes(_ modes: termios) {
    var modes = modes
    tcsetattr(descriptor, TCSANOW, &modes)
  }

  /// The window's size in cells and, if the driver knows it, in pixels.
  package var windowSize: (cells: CellSize, pixels: PixelSize) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (CellSize(columns: 80, rows: 24), .zero)
    }
    return (
      Self.usable(CellSize(columns: Int(size.ws_col), rows: Int(size.ws_row))),
      PixelSize(width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
    )
  }

  /// Limits a window to a usable size, so that one with more cells than screens have pixels for takes no memory.
  static func usable(_ cells: CellSize) -> CellSize {
    let columns = min(cells.columns, mostColumns)
    return CellSize(columns: columns, rows: min(cells.rows, mostCells / columns))
  }

  private static let (mostColumns, mostCells) = (4096, 1 << 20)

  /// Queries the terminal's capabilities, before ncurses uses the screen.
  ///
  /// Sends queries in one or two batches, and erases any that the terminal has printed. Waits for the last answer to a
  /// batch at most one second, longer over SSH; stops at once after a signal that ends the process, or Ctrl-C.
  /// - Parameters:
  ///   - environment: the terminal's environment.
  ///   - asksCursorPlace: whether to query the cursor position.
  /// - Returns: the answers, and all other bytes: keys pressed meanwhile, and the start of an incomplete sequence.
  package func probe(
    in environment: TerminalEnvironment = .ofProcess, asksCursorPlace: Bool = false
  ) throws(TerminalError) -> (probe: TerminalProbe, typed: [UInt8]) {
    var raw = modes
    cfmakeraw(&raw)
    setModes(raw)
    defer { setModes(modes) }
    // One black pixel, to test whether the terminal can read it.
    let (memory, files) = (PixelHandover(.sharedMemory), PixelHandover(.temporaryFiles))
    defer {
      memory.removeAll()
      files.removeAll()
    }
    let pixel = { (place: PixelHandover) in environment.isRemote ? nil : place.share([0, 0, 0])?.name }
    var probe = TerminalProbe(
      environment: environment, sharedMemory: pixel(memory), temporaryFile: pixel(files),
      asksCursorPlace: asksCursorPlace)
    if environment.multiplexer == .tmux, let client = TmuxClient.ask() { probe.setTmuxClient(client) }
    _ = try ask(&probe)
    let asked = ContinuousClock.now
    var deadline = asked + environment.patience
    var buffer = [UInt8](repeating: 0, count: 1024)
    var typed: [UInt8] = []
    var lateReads = 0
    while !probe.isComplete, !isInterrupted, !KeyReport.interrupts(typed) {
      let left = ContinuousClock.now.duration(to: deadline)
      // Answers that are there count, even if this process had no processor until now.
      if left <= .zero { lateReads += 1 }
      guard lateReads <= Self.mostLateReads else { break }
      var polls = [descriptor, notes?.interruption ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let limit = Int32((max(.zero, left) / .milliseconds(1)).rounded(.up))
      guard poll(&polls, nfds_t(polls.count), limit) > 0, polls[0].revents != 0 else {
        if left <= .zero { break }
        continue
      }
      let n = read(descriptor, &buffer, buffer.count)
      if n > 0 {
        typed += probe.feed(buffer[..<n])
        if try ask(&probe) { deadline = .now + environment.patience }
      } else if n == 0 || (errno != EINTR && errno != EAGAIN) {
        break
      }
    }
    if probe.isComplete { probe.roundTrip = asked.duration(to: .now) / max(1, probe.batches) }
    let erasing = probe.takeErasing(columns: windowSize.cells.columns)
    if !erasing.isEmpty { try write(erasing) }
    return (probe, typed + probe.pending)
  }

  /// The most reads after the time for answers: endless input must not delay the start.
  private static let mostLateReads = 16

  /// Sends the queries that are due.
  /// - Returns: whether there were any.
  private func ask(_ probe: inout TerminalProbe) throws(TerminalError) -> Bool {
    let questions = probe.takeQuestions()
    if !questions.isEmpty { try write(questions) }
    return !questions.isEmpty
  }

  package static let controlC: UInt8 = 3

  /// Discards unread input, because late answers must not end up as input of the user's shell.
  package func discardInput() { tcflush(descriptor, TCIFLUSH) }
}

/// Finds the answer to DA1, `CSI ? numbers c`, in bytes that may be split anywhere.
private struct AttributesScan {
  private var sequence: [UInt8] = []
  private(set) var isFound = false

  mutating func take(_ byte: UInt8) {
    switch (sequence.count, byte) {
    case (_, 0x1B): sequence = [byte]
    case (1, UInt8(ascii: "[")), (2, UInt8(ascii: "?")): sequence.append(byte)
    // The numbers need not be kept.
    case (3, UInt8(ascii: "0")...UInt8(ascii: "9")), (3, UInt8(ascii: ";")): break
    case (3, UInt8(ascii: "c")): isFound = true
    default: sequence = []
    }
  }
}

/// Why the terminal cannot be used, or is gone.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The terminal cannot be used for the purpose; the text is the reason.
  case unusable(String)
  /// There is no controlling terminal; the text is the system's error message.
  case absent(String)
  /// The terminal is gone; the text is the system's error message.
  case lost(String)
  /// A signal ends the process while the terminal accepts no output; nothing more is written.
  case interrupted

  /// The error as a message for the user.
  public var description: String {
    switch self {
    case .unusable(let reason): reason
    case .absent(let reason): "no terminal: \(reason)"
    case .lost(let reason): "the terminal is gone: \(reason)"
    case .interrupted: "the terminal: interrupted by a signal while it accepted no output"
    }
  }
}
