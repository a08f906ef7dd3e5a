import CSessionBus
import System
import SystemPackage

/// A program that was started, or a question that another process looks into, until its end is known.
final class ChildProgram {
  /// Why a program could not be started.
  struct LaunchFailure: Error, CustomStringConvertible {
    var description: String
  }

  private let process: ChildProcess
  /// A descriptor that can be read once the program has ended.
  let end: Int32
  private var status: Int32?

  /// - Parameters:
  ///   - words: the program, looked for as shells do, and its arguments.
  ///   - isApart: whether it has a session of its own and no standard input, as programs with windows.
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

  /// Asks a question about files in a process of its own, which ends with status 0 for yes.
  ///
  /// A disk that does not answer holds up that process alone.
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

  /// How long a question about files may take, in microseconds.
  static let patience: UInt64 = 2_000_000

  /// Asks a question, and waits for the answer.
  /// - Returns: nil where none comes in time.
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

  /// Sends a signal, unless its end is known.
  func signal(_ number: Int32) {
    if status == nil { kill(process.identifier, number) }
  }

  /// Waits for the end.
  /// - Returns: the exit status, 128 + n where signal n ended it.
  @discardableResult
  func wait() -> Int32 {
    if let status { return status }
    let result = process.wait() ?? 0
    status = result
    return result
  }
}

/// The clock by which sd-bus counts too.
enum MonotonicClock {
  /// Microseconds.
  static var now: UInt64 { SystemClock.monotonicNanoseconds / 1000 }
}
