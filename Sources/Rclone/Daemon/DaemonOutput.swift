import Dispatch
import Synchronization
import System

/// What a daemon writes to its standard errors, read by a thread of its own until nobody writes any more: a full pipe would hold
/// the daemon up.
final class DaemonOutput: Sendable {
  private struct State {
    var address: String?
    var isEnded = false
    var lines: [String] = []
    var rest: [UInt8] = []
  }

  /// Lines that are kept for messages.
  private static let mostLines = 20
  private static let longestLine = 1 << 12

  private let state = Mutex(State())
  /// Signalled once the address is known, and once the output ends.
  private let news = DispatchSemaphore(value: 0)

  /// Reads a descriptor to its end, and closes it.
  /// - Returns: nil where there is no thread for it; the descriptor is closed then.
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

  /// How a wait for the address ended.
  enum Arrival: Hashable {
    case address(String)
    /// The program is gone, or talks to nobody.
    case ended
    case late
    case cancelled
  }

  /// Waits until the daemon has said where it listens; once is enough.
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

  /// The last lines, the latest one last.
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

  /// The address of "… Serving remote control on http://127.0.0.1:40019/", without the slash at its end.
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
  /// What it says, without the date and the level: "2026/11/23 19:56:44 Failed to …", "2026/11/23 19:56:44 NOTICE: …".
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
