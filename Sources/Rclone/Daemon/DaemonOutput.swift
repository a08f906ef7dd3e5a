import Dispatch
import Synchronization
import System

/// The daemon's standard error, drained by its own thread until all writers have closed it: a full pipe would
/// block the daemon.
final class DaemonOutput: Sendable {
  private struct State {
    var address: String?
    var isEnded = false
    var lines: [String] = []
    var rest: [UInt8] = []
  }

  /// The number of recent lines kept for messages.
  private static let mostLines = 20
  private static let longestLine = 1 << 12

  private let state = Mutex(State())
  /// Signaled when output arrives, and at its end.
  private let news = DispatchSemaphore(value: 0)

  /// Starts a thread that reads a descriptor to its end and closes it.
  /// - Returns: nil if the thread can't be started; the descriptor is closed.
  init?(reading descriptor: Int32) {
    let isStarted = WorkerThread.start {
      self.read(descriptor)
      close(descriptor)
      self.end()
    }
    guard isStarted else {
      close(descriptor)
      return nil
    }
  }

  private func read(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      add(buffer[..<count])
    }
  }

  /// The result of waiting for the address.
  enum Arrival: Hashable {
    case address(String)
    /// The program has exited or closed its standard error.
    case ended
    case late
    case cancelled
  }

  /// Waits until the daemon has printed the address it listens on.
  ///
  /// Call it once.
  func waitForAddress(until deadline: ContinuousClock.Instant, isCancelled: () -> Bool) -> Arrival {
    while true {
      let (address, isEnded) = state.withLock { ($0.address, $0.isEnded) }
      if let address { return .address(address) }
      if isEnded { return .ended }
      if isCancelled() { return .cancelled }
      if ContinuousClock.now >= deadline { return .late }
      _ = news.wait(timeout: .now() + .milliseconds(20))
    }
  }

  /// The most recent lines, oldest first.
  var lastLines: [String] { state.withLock { $0.lines } }

  private func add(_ bytes: ArraySlice<UInt8>) {
    state.withLock { state in
      state.rest += bytes
      while let end = state.rest.firstIndex(of: 0x0A) {
        let line = String(decoding: state.rest[..<end], as: UTF8.self)
        state.rest.removeSubrange(...end)
        if state.address == nil, let address = Self.address(in: line) { state.address = address }
        state.lines.append(line)
      }
      if state.rest.count > Self.longestLine { state.rest.removeAll() }
      state.lines = state.lines.suffix(Self.mostLines)
    }
    news.signal()
  }

  private func end() {
    state.withLock { $0.isEnded = true }
    news.signal()
  }

  /// Returns the address in "… Serving remote control on http://127.0.0.1:40019/", without the trailing
  /// slash.
  static func address(in line: String) -> String? {
    guard line.utf8.count <= 512 else { return nil }
    let beginning = "http://127.0.0.1:"
    for index in line.indices where line[index...].hasPrefix(beginning) {
      let port = line[index...].dropFirst(beginning.count).prefix { $0.isASCII && $0.isNumber }
      if let number = UInt16(port), number > 0 { return beginning + port }
    }
    return nil
  }
}

/// A line of rclone's log.
enum DaemonLine {
  /// Returns the message without date and level: "2026/11/23 19:56:44 Failed to …", "2026/11/23 19:56:44
  /// NOTICE: …".
  static func message(of line: String) -> String {
    var rest = Substring(line)
    let words = rest.split(separator: " ", maxSplits: 2)
    if words.count == 3, words[0].count == 10, words[0].contains("/"), words[1].contains(":") {
      rest = words[2]
    }
    for level in ["EMERGENCY", "ALERT", "CRITICAL", "ERROR", "WARNING", "NOTICE", "INFO", "Fatal error"] {
      let spaced = rest.drop { $0 == " " }
      guard spaced.hasPrefix(level) else { continue }
      let behind = spaced.dropFirst(level.count).drop { $0 == " " }
      if behind.first == ":" { return String(behind.dropFirst().drop { $0 == " " }) }
    }
    return String(rest)
  }
}
