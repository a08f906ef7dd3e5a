import Dispatch

#if canImport(Glibc)
  import Glibc
#endif

/// A terminal that is drawn on without its screen being taken: no signal leaves it within a sequence.
///
/// Signals are watched while something is written only; at other times they do what they always do.
package struct DrawingOutput: Sendable {
  private let descriptor: Int32

  /// - Parameter descriptor: an open terminal.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// What ends a sequence that was cut off, and its colours.
  private static let farewell = Array("\u{18}\u{1B}\\\u{1B}[0m".utf8)
  /// So many bytes are written at once: between two pieces signals are looked at.
  private static let piece = 1024
  /// A terminal that takes nothing for so long keeps nobody from being ended.
  private static let patience: DispatchTimeInterval = .seconds(2)

  /// Writes everything, used by one thread.
  ///
  /// A signal that ends the process does so after the sequence that is under way was aborted; one that stops it waits
  /// until everything is written.
  /// - Returns: whether the other end has taken it.
  package func write(_ bytes: [UInt8]) -> Bool {
    let notes = SignalNotes()
    // Without signals pictures are drawn all the same.
    try? SignalWatch.start { number in
      notes.note(number)
      guard SignalWatch.ending.contains(number) else { return }
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { SignalWatch.die(by: number) }
    }
    let isTaken = send(bytes) { notes.ending == nil }
    SignalWatch.stop()
    if let number = notes.ending {
      _ = send(Self.farewell) { true }
      SignalWatch.die(by: number)
    }
    if notes.takeStop() { SignalWatch.stopJob() }
    return isTaken
  }

  private func send(_ bytes: [UInt8], while isWanted: () -> Bool) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty, isWanted() {
      let n = rest.prefix(Self.piece).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if n > 0 {
        rest = rest.dropFirst(n)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
