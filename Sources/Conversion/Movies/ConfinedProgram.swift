import AssetLibrary
import CPlatform
import CodecProtocol
import Export
import System
import SystemPackage

/// A program that reads one file and writes another, run by the codec helper, which confines it first.
///
/// Used by one thread.
struct ConfinedProgram {
  /// How the program finds the two files.
  static let (input, output) = ("/proc/self/fd/3", "/proc/self/fd/4")

  /// Why a program did not do its work.
  enum Failure: Error {
    case cancelled
    /// There is no such program; its name.
    case missing(String)
    /// There is no helper to run it, or none that starts.
    case helperMissing(HelperProgram)
    /// The kernel can't confine it, and the user has not allowed that.
    case unconfined
    /// What it said last.
    case failed(String)
  }

  private let name: String
  private let path: String
  private let helper: String

  private static let confining = HelperProgram.codecs

  /// A program by its name.
  /// - Throws: `Failure` where none is on the search path, or there is no helper.
  init(_ name: String) throws(Failure) {
    guard let helper = Self.confining.find() else { throw .helperMissing(Self.confining) }
    guard let path = ProcessEnvironment.program(name) else { throw .missing(name) }
    (self.name, self.path, self.helper) = (name, path, helper)
  }

  /// How long it may say nothing.
  private static let patience: Duration = .seconds(120)
  private static let longestLine = 1 << 16

  /// Runs it to its end.
  /// - Parameter line: hears each line that it prints.
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
    // Also what it has started, and before anybody else can get its number.
    kill(-process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    if cancellation.isCancelled { throw .cancelled }
    guard isEnded else { throw .failed("it says nothing any more") }
    if status == 127 << 8 { throw .missing(name) }
    if status == HelperProgram.unconfinedStatus << 8 { throw .unconfined }
    if status != 0 { throw .failed("") }
  }

  /// Waits for a program that has closed its output, which does not mean that it ends; it stays to be reaped.
  /// - Returns: false where nobody wants it any more, or it goes on.
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

  /// - Returns: false where nobody wants it any more, or it has fallen silent.
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

/// The bytes of a resource as a file without a name, for programs that need one; gone with the last reference.
final class TemporaryFile: Sendable {
  let descriptor: Int32

  /// Copies a resource: no more than the video in a photo, which is some megabytes.
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

  /// A file of these bytes.
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
