import AssetLibrary
import CPlatform
import Dispatch
import PickerRuntime
import PickerUI
import Results
import Synchronization
import System
import SystemPackage

extension MediaPlayer {
  /// The user's player as a program, which reads files through tpick's library.
  /// - Parameters:
  ///   - line: its command line in the configuration; nil = the first known one that is installed.
  ///   - store: downloads and opens the files.
  init(_ line: String?, _ store: any AssetStore) {
    self.init { run, progress throws(AssetError) in
      let command = try PlayerProgram(line)
      let file = try PlayerFile(of: run, in: store, progress)
      return Clip { command.play(file) }
    }
  }
}

/// The player of the configuration, or one that is installed.
private struct PlayerProgram: Sendable {
  private let template: CommandTemplate

  /// The known players, the best one first.
  private static let known = [["mpv"], ["ffplay", "-hide_banner", "-autoexit"]]

  /// - Throws: `AssetError` if no player is installed.
  init(_ line: String?) throws(AssetError) {
    do throws(FormatError) {
      if let line {
        template = try CommandTemplate(line: Array(line.utf8))
      } else if let words = Self.known.first(where: { ProcessEnvironment.program($0[0]) != nil }) {
        template = try CommandTemplate(words: words.map { Array($0.utf8) })
      } else {
        throw FormatError("none found: install mpv or ffplay, or set player in the configuration")
      }
    } catch {
      throw AssetError("player", "\(error)", code: .helperMissing)
    }
  }

  /// Runs the player to its end.
  /// - Returns: the message for the user if it fails.
  func play(_ file: PlayerFile) -> String? {
    let paths = [file.argument]
    let arguments = template.arguments(
      CommandTemplate.Values(current: paths, picks: paths, identifiers: []), appends: true)
    var lastLine = ""
    do throws(ChildCommand.LaunchFailure) {
      let status: Int32
      if let relay = TerminalRelay() {
        status = try relay.run { streams throws(ChildCommand.LaunchFailure) in
          try ChildCommand(arguments: arguments, streams: streams).run()
        }
        lastLine = relay.lastLine
      } else {
        status = try ChildCommand(arguments: arguments, streams: .terminal).run()
      }
      if status == 0 { return nil }
      if status > 128 { return "\(template.name): ended by signal \(status - 128)" }
      return "\(template.name): " + (lastLine.isEmpty ? "ended with status \(status)" : lastLine)
    } catch {
      let remedy = error.status == 127 ? "; set player in the configuration" : ""
      return "\(template.name): \(error.reason)\(remedy)"
    }
  }
}

/// A file for the player: one of the library, or a copy of a clip that is a part of a photo's file.
private final class PlayerFile: Sendable {
  private let path: FilePath
  private let isCopy: Bool
  /// Protects a downloaded file from eviction while it is played.
  private let held: AssetResource?
  private let store: any AssetStore

  /// The path as an argument, which no player takes for an option or an address.
  var argument: [UInt8] { path.isAbsolute ? path.bytes : Array("./".utf8) + path.bytes }

  /// - Throws: `AssetError` if the download fails or the file can't be read.
  init(
    of run: PlayerRun, in store: any AssetStore, _ progress: (Double) -> Void
  ) throws(AssetError) {
    guard let resource = run.resource else { throw AssetError(run.asset.subject, "has nothing to play") }
    held = resource.remoteAddress == nil ? nil : resource
    isCopy = resource.byteRange != nil
    self.store = store
    if let held { store.hold(held) }
    do throws(AssetError) {
      path = try Self.path(of: resource, in: store, progress)
    } catch {
      if let held { store.release(held) }
      throw error
    }
  }

  private static func path(
    of resource: AssetResource, in store: any AssetStore, _ progress: (Double) -> Void
  ) throws(AssetError) -> FilePath {
    if resource.remoteAddress != nil, !store.isLocal(resource) {
      try store.download(resource) { fraction in
        progress(fraction)
        return .proceed
      }
    }
    // Also says why a file can't be read, which a player tells less well.
    let reader = try store.reader(for: resource)
    return resource.byteRange == nil ? resource.path : try copy(reader, named: resource)
  }

  deinit {
    if isCopy { _ = path.withPlatformString { unlink($0) } }
    if let held { store.release(held) }
  }

  private static let chunkSize = 1 << 20

  /// Copies a clip into a temporary file that only the user can read.
  private static func copy(
    _ reader: any ResourceReader, named resource: AssetResource
  ) throws(AssetError) -> FilePath {
    let number = String(UInt64.random(in: 0 ... .max), radix: 36)
    let path = FilePath(ProcessEnvironment.value("TMPDIR") ?? "/tmp").absolute.appending(
      "tpick-\(getpid())-\(number).mp4")
    let descriptor: Int32
    do throws(Errno) {
      descriptor = try PrivateFile.open(path, O_WRONLY | O_CREAT | O_EXCL)
    } catch {
      throw AssetError(path.string, "\(error)")
    }
    defer { close(descriptor) }
    do throws(AssetError) {
      var offset = 0
      while offset < reader.count {
        let chunk = try reader.bytes(in: offset..<min(reader.count, offset + chunkSize))
        if chunk.isEmpty { throw AssetError(resource.subject, "ends too early") }
        if let failure = PrivateFile.write(chunk, to: descriptor) {
          throw AssetError(path.string, "\(failure)")
        }
        offset += chunk.count
      }
    } catch {
      _ = path.withPlatformString { unlink($0) }
      throw error
    }
    return path
  }
}

/// A pseudo-terminal for what a program writes, copied to the user's terminal, so that its last line is known.
///
/// A pipe would not do: players show the time only on a terminal.
private final class TerminalRelay: Sendable {
  private let master: Int32
  private let slave: Int32
  private let terminal: Int32
  /// The end of what the program has written.
  private let text = Mutex<[UInt8]>([])
  /// Signaled when all of it is copied.
  private let end = DispatchSemaphore(value: 0)

  private static let mostText = 4096
  /// How long to wait for the rest of the text: a program in the background may keep the terminal open.
  private static let patience = DispatchTimeInterval.seconds(1)

  /// - Returns: nil if there is no pseudo-terminal left.
  init?() {
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { return nil }
    var (master, slave): (Int32, Int32) = (-1, -1)
    guard pseudo_terminal(&master, &slave) == 0 else {
      close(terminal)
      return nil
    }
    (self.master, self.slave, self.terminal) = (master, slave, terminal)
    // The user's terminal adds the carriage returns.
    var modes = termios()
    if tcgetattr(slave, &modes) == 0 {
      modes.c_oflag &= ~tcflag_t(OPOST)
      tcsetattr(slave, TCSANOW, &modes)
    }
    copySize()
  }

  /// Runs a program to its end; call it once.
  /// - Parameter body: runs the program with these streams.
  func run(
    _ body: (ChildCommand.Streams) throws(ChildCommand.LaunchFailure) -> Int32
  ) throws(ChildCommand.LaunchFailure) -> Int32 {
    WorkerThread.run { [self] in
      copy()
      close(master)
      close(terminal)
      end.signal()
    }
    defer {
      // What is left is copied until no process has it open any more.
      close(slave)
      _ = end.wait(timeout: .now() + Self.patience)
    }
    return try body(.terminalThrough(slave))
  }

  private func copy() {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(master, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      // The program asks this terminal for its size.
      copySize()
      _ = PrivateFile.write(Array(buffer[..<count]), to: terminal)
      text.withLock { text in
        text += buffer[..<count]
        if text.count > Self.mostText { text.removeFirst(text.count - Self.mostText) }
      }
    }
  }

  private func copySize() {
    var size = winsize()
    if ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0 { _ = ioctl(master, UInt(TIOCSWINSZ), &size) }
  }

  /// The last line that is not blank, without the sequences that control terminals.
  var lastLine: String {
    var lines: [[UInt8]] = [[]]
    var rest = text.withLock { $0 }[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x0A, 0x0D: lines.append([])
      case 0x1B:
        guard rest.popFirst() == UInt8(ascii: "[") else { continue }
        // Up to the final byte of a control sequence (ECMA-48).
        while let next = rest.popFirst(), !(0x40...0x7E).contains(next) {}
      default: lines[lines.count - 1].append(byte)
      }
    }
    let line = lines.last { $0.contains { $0 > 0x20 } } ?? []
    return OutputText.line(String(decoding: line, as: UTF8.self))
  }
}
