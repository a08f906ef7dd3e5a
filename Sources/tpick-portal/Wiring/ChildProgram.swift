import CSessionBus
import System
import SystemPackage

/// A child process that runs a program or answers a question, until its exit is known.
final class ChildProgram {
  /// Why a program could not be started.
  struct LaunchFailure: Error, CustomStringConvertible {
    var description: String
  }

  private let process: ChildProcess
  /// A descriptor that becomes readable when the process has exited.
  let end: Int32
  private var status: Int32?

  /// - Parameters:
  ///   - words: the program, searched for as shells do, and its arguments.
  ///   - isApart: whether it gets its own session and no standard input, as programs with windows should.
  init(_ words: [[UInt8]], isApart: Bool) throws(LaunchFailure) {
    let name = String(decoding: words.first ?? [], as: UTF8.self)
    do throws(Errno) {
      process = try ChildProcess(words, input: isApart ? .null : .inherited, hasOwnSession: isApart)
    } catch {
      throw LaunchFailure(description: "\(name): \(error)")
    }
    end = process_end_open(process.identifier)
    guard end >= 0 else {
      kill(process.identifier, SIGKILL)
      process.wait()
      throw LaunchFailure(description: "\(name): pidfd_open: \(String(cString: strerror(-end)))")
    }
  }

  /// Answers a question about files in a child process, which exits with status 0 for yes.
  ///
  /// An unresponsive disk blocks only that process.
  init(asking question: @escaping () -> Bool) throws(LaunchFailure) {
    let box = Unmanaged.passRetained(Question(question))
    defer { box.release() }
    var process: pid_t = 0
    let error = process_ask(
      { context in
        guard let context else { return 2 }
        return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().ask() ? 0 : 1
      }, box.toOpaque(), &process)
    guard error == 0 else {
      throw LaunchFailure(description: "fork: \(String(cString: strerror(error)))")
    }
    self.process = ChildProcess(identifier: process)
    end = process_end_open(process)
    guard end >= 0 else {
      kill(process, SIGKILL)
      throw LaunchFailure(description: "pidfd_open: \(String(cString: strerror(-end)))")
    }
  }

  private final class Question {
    let ask: () -> Bool
    init(_ ask: @escaping () -> Bool) { self.ask = ask }
  }

  /// Time allowed for a question about files, in microseconds.
  static let patience: UInt64 = 2_000_000

  /// Asks a question and waits for the answer.
  /// - Returns: nil if none arrives in time.
  static func answer(to question: @escaping () -> Bool) -> Bool? {
    guard let asked = try? ChildProgram(asking: question) else { return nil }
    var poll = pollfd(fd: asked.end, events: Int16(POLLIN), revents: 0)
    while true {
      let count = Glibc.poll(&poll, 1, Int32(patience / 1000))
      if count > 0 { return asked.wait() == 0 }
      if count == 0 || errno != EINTR { break }
    }
    asked.signal(SIGKILL)
    return nil
  }

  deinit { close(end) }

  var hasEnded: Bool {
    var poll = pollfd(fd: end, events: Int16(POLLIN), revents: 0)
    return status != nil || Glibc.poll(&poll, 1, 0) > 0
  }

  /// Sends a signal, unless the process is known to have exited.
  func signal(_ number: Int32) {
    if status == nil { kill(process.identifier, number) }
  }

  /// Waits for the process to exit.
  /// - Returns: the exit status; 128 + n if signal n killed it.
  @discardableResult
  func wait() -> Int32 {
    if let status { return status }
    let result = process.wait() ?? 0
    status = result
    return result
  }
}

/// The clock that sd-bus uses for its deadlines.
enum MonotonicClock {
  /// Microseconds.
  static var now: UInt64 { SystemClock.monotonicNanoseconds / 1000 }
}
