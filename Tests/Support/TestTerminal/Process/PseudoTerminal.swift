import CVTerm
import Glibc

/// Both ends of a pseudo-terminal; the program's end stays open here, so that it outlives the program.
package final class PseudoTerminal {
  let master: FileDescriptor
  let slave: FileDescriptor
  /// The path of the program's end.
  package let path: String

  /// Opens a pair.
  package init(columns: Int, rows: Int, cell: (width: Int, height: Int)) throws(TerminalFailure) {
    master = try FileDescriptor(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), "posix_openpt")
    guard grantpt(master.number) == 0, unlockpt(master.number) == 0 else {
      throw TerminalFailure(call: "unlockpt", error: errno)
    }
    var name = [CChar](repeating: 0, count: 128)
    let error = ptsname_r(master.number, &name, name.count)
    if error != 0 { throw TerminalFailure(call: "ptsname_r", error: error) }
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    slave = try FileDescriptor(open(path, O_RDWR | O_NOCTTY | O_CLOEXEC), "open \(path)")
    master.makeNonBlocking()
    resize(columns: columns, rows: rows, cell: cell)
  }

  /// Sets the size, which sends SIGWINCH to the foreground processes if it changes.
  func resize(columns: Int, rows: Int, cell: (width: Int, height: Int)) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: UInt16(columns * cell.width),
      ws_ypixel: UInt16(rows * cell.height))
    _ = ioctl(master.number, UInt(TIOCSWINSZ), &size)
  }

  /// The settings of the line discipline.
  var attributes: termios {
    var attributes = termios()
    _ = tcgetattr(slave.number, &attributes)
    return attributes
  }

  /// Whether input is echoed.
  var echoes: Bool { attributes.c_lflag & tcflag_t(ECHO) != 0 }

  /// Whether lines are edited before a program reads them.
  var isCanonical: Bool { attributes.c_lflag & tcflag_t(ICANON) != 0 }

  /// Sets raw mode: every byte is read as it is typed, without echo and signals.
  package func makeRaw() {
    var raw = attributes
    cfmakeraw(&raw)
    _ = tcsetattr(slave.number, TCSANOW, &raw)
  }

  /// Types bytes, as far as they fit without waiting.
  package func type(_ bytes: [UInt8]) {
    var left = bytes
    _ = master.writeAvailable(&left)
  }

  /// Takes what was written to the program's end so far.
  package func takeOutput() -> [UInt8] { master.readAvailable().bytes }

  /// Ends the connection, as when a terminal's window is closed.
  func hangUp() { master.close() }

  /// The foreground process group.
  var foregroundGroup: pid_t { tcgetpgrp(master.number) }

  /// Whether there is input that a program could read.
  package var hasUnreadInput: Bool {
    // Polling makes the kernel deliver pending input to the line discipline first.
    var waiting = pollfd(fd: slave.number, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0 && waiting.revents & Int16(POLLIN) != 0
  }

  /// Whether the line discipline holds as much unread output as it can (N_TTY_BUF_SIZE); 8 KB more fit before it.
  var hasBacklog: Bool {
    var count: Int32 = 0
    return ioctl(master.number, UInt(FIONREAD), &count) == 0 && count >= 4095
  }

  /// Takes typed input that no program has read yet.
  package func takeUnreadInput() -> [UInt8] {
    let saved = attributes
    var raw = saved
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &raw.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    _ = tcsetattr(slave.number, TCSANOW, &raw)
    slave.makeNonBlocking()
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = read(slave.number, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    var restored = saved
    _ = tcsetattr(slave.number, TCSANOW, &restored)
    return bytes
  }
}
