import CTerminalGuard
import PickerRuntime
import Pixels
import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

/// The controlling terminal as a device: its bytes, its modes, its size.
///
/// Owns the descriptor of `/dev/tty`. Used by the thread of the run loop; the key reader reads from the
/// same descriptor, which the kernel allows.
final class TerminalDevice {
  let descriptor: Int32
  /// The modes as they were found, and as they are given back.
  let modes: termios

  /// Opens the controlling terminal.
  init() throws(TerminalError) {
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .noTerminal(String(cString: strerror(errno))) }
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

  /// Sends all bytes, waiting for a slow line.
  func write(_ bytes: [UInt8]) throws(TerminalError) {
    let failure: Int32? = bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let n = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if n > 0 {
          rest = rest[(rest.startIndex + n)...]
        } else if errno == EAGAIN {
          var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wait, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
    if let failure { throw .lost(String(cString: strerror(failure))) }
  }

  /// The window's size in cells and, as far as the driver knows it, in pixels.
  var windowSize: (cells: CellSize, pixels: PixelSize) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (CellSize(columns: 80, rows: 24), .zero)
    }
    return (
      CellSize(columns: Int(size.ws_col), rows: Int(size.ws_row)),
      PixelSize(width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
    )
  }

  /// Asks the terminal what it can do, before ncurses takes the screen.
  ///
  /// Waits for the last answer, a second at the most, longer over SSH; no longer once `isInterrupted` or
  /// Ctrl-C is pressed.
  /// - Returns: the answers, and the bytes that were none: keys pressed meanwhile, and what has come of a sequence
  ///   whose rest is still to be read.
  func probe(isInterrupted: () -> Bool) throws(TerminalError) -> (probe: TerminalProbe, typed: [UInt8]) {
    var raw = modes
    cfmakeraw(&raw)
    tcsetattr(descriptor, TCSANOW, &raw)
    defer {
      var found = modes
      tcsetattr(descriptor, TCSANOW, &found)
    }
    let environment = TerminalEnvironment.ofProcess
    // One black pixel, to see whether the terminal finds it.
    let (memory, files) = (PixelHandover(.sharedMemory), PixelHandover(.temporaryFiles))
    defer {
      memory.removeAll()
      files.removeAll()
    }
    let pixel = { (place: PixelHandover) in environment.isRemote ? nil : place.hand([0, 0, 0])?.name }
    var probe = TerminalProbe(
      environment: environment, sharedMemory: pixel(memory), temporaryFile: pixel(files))
    if environment.multiplexer == .tmux, let client = TmuxClient.ask() { probe.setTmuxClient(client) }
    if !probe.questions.isEmpty { try write(probe.questions) }
    let deadline = ContinuousClock.now + environment.patience
    var buffer = [UInt8](repeating: 0, count: 1024)
    var typed: [UInt8] = []
    while !probe.isComplete, !isInterrupted(), !typed.contains(Self.controlC), ContinuousClock.now < deadline
    {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, Self.probeTick) > 0 else { continue }
      let n = read(descriptor, &buffer, buffer.count)
      if n > 0 { typed += probe.feed(buffer[..<n]) } else if n == 0 || errno != EINTR { break }
    }
    return (probe, typed + probe.pending)
  }

  static let controlC: UInt8 = 3
  /// How often an interruption is looked for, in milliseconds.
  private static let probeTick: Int32 = 20

  /// Throws away what has arrived and nobody read: late answers must not be typed into the user's shell.
  func discardInput() { tcflush(descriptor, TCIFLUSH) }
}
