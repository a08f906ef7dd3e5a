import CPlatform
package import Fixtures
import Foundation
import Synchronization

/// A program that runs for a test, and ends with its last reference, or with the process that started it.
///
/// It leads its own process group, has its own home and no other variables than `PATH`; its standard output and errors
/// are kept as its log.
package final class ServerProcess: Sendable {
  /// The state of the program, shared with the thread that reads the log.
  private final class Content: Sendable {
    let log: Mutex<[UInt8]>
    /// `nil` once it was waited for.
    let process: Mutex<pid_t?>
    /// Left once the log is read to its end.
    let reading = DispatchGroup()

    init(log: [UInt8], process: pid_t) {
      self.log = Mutex(log)
      self.process = Mutex(process)
    }
  }

  /// The time a program may take to start: CI machines are slow, and only a failure takes that long.
  private static let patience = 600
  /// Of a longer log only the end is kept.
  private static let longestLog = 1 << 20

  private let content: Content
  private let home: TemporaryFolder

  /// The program's output, with invalid UTF-8 repaired.
  package var log: String { content.log.withLock { String(decoding: $0, as: UTF8.self) } }

  /// The process number; `nil` once it is known to have ended.
  package var identifier: Int32? { content.process.withLock { $0 } }

  /// Whether the program runs.
  package var isRunning: Bool {
    content.process.withLock { running in
      guard let process = running else { return false }
      var status: Int32 = 0
      guard waitpid(process, &status, WNOHANG) == process else { return true }
      running = nil
      return false
    }
  }

  /// Starts a program and waits until its log shows that it is ready.
  /// - Parameters:
  ///   - command: The program, found in `PATH`, and its arguments.
  ///   - home: Its home folder, which also holds its temporary files.
  ///   - isReady: Called with the complete log whenever it grows.
  /// - Throws: `FixtureError` with the log if it ends before, or is not ready within ten minutes.
  package init(
    _ command: [String], home: TemporaryFolder, isReady: (String) -> Bool
  ) throws(FixtureError) {
    self.home = home
    let (process, output) = try Self.start(command, home: home.path)
    var log: [UInt8] = []
    do {
      while !isReady(String(decoding: log, as: UTF8.self)) {
        guard Self.read(from: output, onto: &log, seconds: Self.patience) else {
          throw FixtureError("\(command) did not start: \(String(decoding: log, as: UTF8.self))")
        }
      }
    } catch {
      close(output)
      Self.end(process)
      throw error as? FixtureError ?? FixtureError("\(error)")
    }
    content = Content(log: log, process: process)
    // A program whose output is not read would block.
    content.reading.enter()
    Thread.detachNewThread { [content] in
      var isOpen = true
      while isOpen {
        var bytes: [UInt8] = []
        isOpen = Self.read(from: output, onto: &bytes, seconds: nil)
        content.log.withLock { log in
          log += bytes
          if log.count > Self.longestLog { log.removeFirst(log.count - Self.longestLog / 2) }
        }
      }
      close(output)
      content.reading.leave()
    }
  }

  deinit { end() }

  /// Waits until the program has ended by itself, with its child processes, and its log is complete.
  /// - Returns: false if that takes more than ten minutes.
  package func ends() -> Bool {
    guard content.reading.wait(timeout: .now() + .seconds(Self.patience)) == .success else { return false }
    // The pipe has no writers left: the program is ending.
    var end = siginfo_t()
    if let process = identifier { waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT) }
    return !isRunning
  }

  /// Kills the program and its child processes, and waits for the end.
  package func end() {
    let process = content.process.withLock { running in
      defer { running = nil }
      return running
    }
    if let process { Self.end(process) }
  }

  private static func end(_ process: pid_t) {
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}

extension ServerProcess {
  /// Runs a program to its end.
  /// - Returns: Its standard output and errors.
  /// - Throws: `FixtureError` with these if its status is not 0.
  @discardableResult
  package static func output(of command: [String], home: TemporaryFolder) throws(FixtureError) -> String {
    let (status, words) = try run(command, home: home)
    guard status == 0 else { throw FixtureError("\(command) failed: \(words)") }
    return words
  }

  /// Runs a program to its end.
  /// - Returns: Its exit status, or 128 plus the signal that ended it, and its standard output and errors.
  /// - Throws: `FixtureError` if it can't be started.
  package static func run(
    _ command: [String], home: TemporaryFolder
  ) throws(FixtureError) -> (status: Int32, output: String) {
    let (process, output) = try start(command, home: home.path)
    var words: [UInt8] = []
    while read(from: output, onto: &words, seconds: nil) {}
    close(output)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return (
      signal == 0 ? status >> 8 & 0xFF : 128 + signal, String(decoding: words, as: UTF8.self)
    )
  }

  /// Starts a program that the kernel kills with the process that started it (PR_SET_PDEATHSIG, prctl(2)).
  private static func start(
    _ command: [String], home: String
  ) throws(FixtureError) -> (process: pid_t, output: Int32) {
    let words =
      ["setpriv", "--pdeathsig", "KILL", "--", "env", "HOME=\(home)", "TMPDIR=\(home)"] + command
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    var output: Int32 = -1
    let failure = program_start("/usr/bin/setpriv", arguments, -1, -1, &process, &output)
    guard failure == 0 else {
      throw FixtureError("can't start \(command): \(String(cString: strerror(failure)))")
    }
    return (process, output)
  }

  /// Reads available bytes once there are some; `false` at the end, or after a timeout in seconds.
  private static func read(from pipe: Int32, onto bytes: inout [UInt8], seconds: Int?) -> Bool {
    var source = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
    var ready = poll(&source, 1, seconds.map { Int32($0 * 1000) } ?? -1)
    while ready < 0, errno == EINTR { ready = poll(&source, 1, seconds.map { Int32($0 * 1000) } ?? -1) }
    guard ready > 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    var count = Glibc.read(pipe, &chunk, chunk.count)
    while count < 0, errno == EINTR { count = Glibc.read(pipe, &chunk, chunk.count) }
    guard count > 0 else { return false }
    bytes += chunk[..<count]
    return true
  }
}
