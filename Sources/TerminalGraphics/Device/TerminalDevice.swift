package import CPlatform
package import Pixels
import System

/// The controlling terminal as a device: its bytes, its modes, its size.
///
/// Owns its descriptor, opened for itself and non-blocking: a signal that ends the process is not kept
/// waiting by a terminal that takes nothing. Used by the thread of the run loop; the key reader reads from the
/// same descriptor, which the kernel allows.
package final class TerminalDevice {
  package let descriptor: Int32
  /// The modes as they were found, and as they are given back.
  package let modes: termios
  private let notes: SignalNotes?
  private let writer: DescriptorWriter
  /// Whether a write was cut short: what is sent next begins in the middle of a sequence.
  package private(set) var isCutShort = false

  /// Opens a terminal.
  /// - Parameters:
  ///   - path: the controlling terminal unless a test says otherwise.
  ///   - notes: where a signal is noted that ends the process; without them writes wait for ever.
  package init(_ path: String = "/dev/tty", interruptedBy notes: SignalNotes? = nil) throws(TerminalError) {
    self.notes = notes
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    writer = DescriptorWriter(descriptor)
    guard descriptor >= 0 else { throw .absent(String(cString: strerror(errno))) }
    var found = termios()
    tcgetattr(descriptor, &found)
    modes = found
    // From here on a crash gives the terminal back as it was.
    terminal_guard_arm(descriptor, &found, nil, 0)
  }

  deinit {
    // Whatever gets its number next is no terminal of ours.
    terminal_guard_disarm()
    close(descriptor)
  }

  /// Sends all bytes, waiting for a slow line, but no longer once a signal is to end the process.
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

  /// How long a terminal that takes nothing keeps a process from ending.
  package static let partingPatience: Duration = .seconds(2)

  /// Gives the terminal back: sends the last bytes, waiting for a slow line, only for a moment where a signal is to
  /// end the process, and sets the modes that were found.
  /// - Parameters:
  ///   - bytes: what gives the terminal back.
  ///   - abortingBytes: the same where a sequence was cut short.
  package func giveBack(_ bytes: [UInt8], abortingBytes: [UInt8]) {
    if !isCutShort, writer.write(bytes, unless: notes?.interruption) == .cutShort { isCutShort = true }
    if isCutShort { _ = writer.write(abortingBytes, within: Self.partingPatience) }
    setModes(modes)
  }

  /// The modes of the terminal now.
  package var currentModes: termios {
    var modes = termios()
    tcgetattr(descriptor, &modes)
    return modes
  }

  /// Sets the modes at once: what a terminal takes no bytes of would be waited for without an end.
  package func setModes(_ modes: termios) {
    var modes = modes
    tcsetattr(descriptor, TCSANOW, &modes)
  }

  /// The window's size in cells and, as far as the driver knows it, in pixels.
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

  /// The part of a window that is drawn on: what has more cells than screens have pixels to show them takes no memory.
  static func usable(_ cells: CellSize) -> CellSize {
    let columns = min(cells.columns, mostColumns)
    return CellSize(columns: columns, rows: min(cells.rows, mostCells / columns))
  }

  private static let (mostColumns, mostCells) = (4096, 1 << 20)

  /// Asks the terminal what it can do, before ncurses takes the screen.
  ///
  /// Waits for the last answer, a second at the most, longer over SSH; no longer once a signal is to end the process
  /// or Ctrl-C is pressed.
  /// - Parameters:
  ///   - environment: what is known of the terminal before.
  ///   - asksCursorPlace: whether it is asked where the cursor is.
  /// - Returns: the answers, and the bytes that were none: keys pressed meanwhile, and what has come of a sequence
  ///   whose rest is still to be read.
  package func probe(
    in environment: TerminalEnvironment = .ofProcess, asksCursorPlace: Bool = false
  ) throws(TerminalError) -> (probe: TerminalProbe, typed: [UInt8]) {
    var raw = modes
    cfmakeraw(&raw)
    setModes(raw)
    defer { setModes(modes) }
    // One black pixel, to see whether the terminal finds it.
    let (memory, files) = (PixelHandover(.sharedMemory), PixelHandover(.temporaryFiles))
    defer {
      memory.removeAll()
      files.removeAll()
    }
    let pixel = { (place: PixelHandover) in environment.isRemote ? nil : place.hand([0, 0, 0])?.name }
    var probe = TerminalProbe(
      environment: environment, sharedMemory: pixel(memory), temporaryFile: pixel(files),
      asksCursorPlace: asksCursorPlace)
    if environment.multiplexer == .tmux, let client = TmuxClient.ask() { probe.setTmuxClient(client) }
    if !probe.questions.isEmpty { try write(probe.questions) }
    let asked = ContinuousClock.now
    let deadline = asked + environment.patience
    var buffer = [UInt8](repeating: 0, count: 1024)
    var typed: [UInt8] = []
    while !probe.isComplete, notes?.ending == nil, !KeyReport.interrupts(typed) {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { break }
      var polls = [descriptor, notes?.interruption ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&polls, nfds_t(polls.count), Int32((left / .milliseconds(1)).rounded(.up))) > 0,
        polls[0].revents != 0
      else { continue }
      let n = read(descriptor, &buffer, buffer.count)
      if n > 0 {
        typed += probe.feed(buffer[..<n])
      } else if n == 0 || (errno != EINTR && errno != EAGAIN) {
        break
      }
    }
    if probe.isComplete { probe.roundTrip = .now - asked }
    return (probe, typed + probe.pending)
  }

  package static let controlC: UInt8 = 3

  /// Throws away what has arrived and nobody read: late answers must not be typed into the user's shell.
  package func discardInput() { tcflush(descriptor, TCIFLUSH) }
}

/// Why the terminal can't be had, or is gone.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is none that what is wanted can be shown on; in words.
  case unusable(String)
  /// There is no controlling terminal; in words of the system.
  case absent(String)
  /// The terminal went away; in words of the system.
  case lost(String)
  /// A signal is to end the process, and the terminal takes nothing: no more is sent to it.
  case interrupted

  public var description: String {
    switch self {
    case .unusable(let reason): reason
    case .absent(let reason): "no terminal: \(reason)"
    case .lost(let reason): "the terminal is gone: \(reason)"
    case .interrupted: "the terminal: a signal came while it took nothing"
    }
  }
}
