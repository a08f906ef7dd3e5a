import AssetLibrary
import CPlatform
import CodecProtocol
import Export
import System
import SystemPackage

/// A program that reads one file and writes another.
///
/// The codec helper confines the process and then runs the program.
///
/// Use from one thread.
struct ConfinedProgram {
  /// The paths under which the program finds the two files.
  static let (input, output) = ("/proc/self/fd/3", "/proc/self/fd/4")

  /// Why a program failed.
  enum Failure: Error {
    case cancelled
    /// The program is not installed; its name.
    case missing(String)
    /// The helper that runs the program is missing or can't be started.
    case helperMissing(HelperProgram)
    /// The kernel can't confine the program, and the user has not allowed to run it unconfined.
    case unconfined
    /// The program failed; its last message.
    case failed(String)
  }

  private let name: String
  private let path: String
  private let helper: String

  private static let confining = HelperProgram.codecs

  /// Looks up a program by its name.
  /// - Throws: `Failure` if it is not in PATH or the helper is missing.
  init(_ name: String) throws(Failure) {
    guard let helper = Self.confining.find() else { throw .helperMissing(Self.confining) }
    guard let path = ProcessEnvironment.program(name) else { throw .missing(name) }
    (self.name, self.path, self.helper) = (name, path, helper)
  }

  /// How long the program may run without output.
  private static let patience: Duration = .seconds(120)
  private static let longestLine = 1 << 16

  /// Runs the program to its end.
  /// - Parameter line: receives each line of output.
  func run(
    _ arguments: [String], input: Int32, output: Int32?, cancellation: Cancellation, line: (String) -> Void
  ) throws(Failure) {
    var process: pid_t = 0
    var words: Int32 = -1
    let launching =
      ConfinementPolicy.allowsUnconfined ? HelperProgram.launchingAnyway : HelperProgram.launching
    let all = [helper, launching, path] + arguments
    let failure = CStrings.withPointers(all) {
      program_start(helper, $0, input, output ?? -1, &process, &words)
    }
    guard failure == 0 else { throw .helperMissing(Self.confining) }
    defer { close(words) }
    let isEnded = listen(to: words, cancellation, line) && wait(for: process, cancellation)
    // Also kills what the program has started; must happen before the process is reaped and its ID reused.
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if cancellation.isCancelled { throw .cancelled }
    guard isEnded else { throw .failed("it stopped responding") }
    if status == 127 << 8 { throw .missing(name) }
    if status == HelperProgram.unconfinedStatus << 8 { throw .unconfined }
    if status != 0 { throw .failed("") }
  }

  /// Waits for a program that has closed its output, which does not mean that it exits.
  ///
  /// Does not reap it.
  /// - Returns: false if cancelled, or if the program is still running after `patience`.
  private func wait(for process: pid_t, _ cancellation: Cancellation) -> Bool {
    let start = ContinuousClock.now
    var pause: Int32 = 1
    while true {
      var ended = siginfo_t()
      let failure = waitid(P_PID, id_t(process), &ended, WEXITED | WNOHANG | WNOWAIT)
      if failure == 0 ? ended.si_signo == SIGCHLD : errno != EINTR { return true }
      if cancellation.isCancelled || .now - start > Self.patience { return false }
      poll(nil, 0, pause)
      pause = min(50, pause * 2)
    }
  }

  /// - Returns: false if cancelled, or if the program has not printed anything for `patience`.
  private func listen(to words: Int32, _ cancellation: Cancellation, _ line: (String) -> Void) -> Bool {
    var text: [UInt8] = []
    var last = ContinuousClock.now
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if cancellation.isCancelled || .now - last > Self.patience { return false }
      var waiting = pollfd(fd: words, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 50) > 0 else { continue }
      let count = read(words, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      last = .now
      text += buffer[..<count]
      while let end = text.firstIndex(of: 0x0A) {
        line(String(decoding: text[..<end], as: UTF8.self))
        text.removeSubrange(...end)
      }
      if text.count > Self.longestLine { text.removeAll() }
    }
    if !text.isEmpty { line(String(decoding: text, as: UTF8.self)) }
    return true
  }
}

/// An unnamed in-memory file with a resource's bytes, for programs that need a descriptor.
///
/// Removed with the last reference.
final class TemporaryFile: Sendable {
  let descriptor: Int32

  /// Copies a resource: at most the video of a Live Photo, which is some megabytes.
  init(of reader: any ResourceReader, name: String) throws(AssetError) {
    descriptor = memory_file_create()
    guard descriptor >= 0 else { throw AssetError(name, "\(Errno(rawValue: errno))") }
    do throws(AssetError) {
      let output = OutputFile(descriptor, for: name)
      var offset = 0
      while offset < reader.count {
        let part = try reader.bytes(in: offset..<min(reader.count, offset + 1 << 20))
        guard !part.isEmpty else { throw AssetError(name, "changed while it was copied") }
        try output.write(part)
        offset += part.count
      }
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Creates a file with these bytes.
  init(of bytes: [UInt8], name: String) throws(AssetError) {
    descriptor = memory_file_create()
    guard descriptor >= 0 else { throw AssetError(name, "\(Errno(rawValue: errno))") }
    do throws(AssetError) {
      try OutputFile(descriptor, for: name).write(bytes)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }
}
