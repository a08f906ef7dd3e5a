import System

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

  /// Writes everything, used by one thread.
  ///
  /// A signal that ends the process does so after the sequence that is under way was aborted, as far as the terminal
  /// takes bytes; one that stops it waits until everything is written.
  /// - Returns: whether the other end has taken it.
  package func write(_ bytes: [UInt8]) -> Bool {
    let notes = SignalNotes()
    // Without signals pictures are drawn all the same.
    try? SignalWatch.start { notes.note($0) }
    let outcome = withNonBlockingDescriptor { descriptor in
      let writer = DescriptorWriter(descriptor)
      let outcome = writer.write(bytes, unless: notes.interruption)
      SignalWatch.stop()
      if notes.ending != nil { _ = writer.write(Self.farewell, within: TerminalDevice.partingPatience) }
      return outcome
    }
    if let number = notes.ending { SignalWatch.die(by: number) }
    if notes.takeStop() { SignalWatch.stopJob() }
    return outcome == .written
  }

  /// Calls `body` with a descriptor of the terminal whose writes never block.
  ///
  /// The given one shares its flags with other processes, the shell among them: it is opened anew. Where that is
  /// forbidden, as for the terminal of another user, the flag is set while `body` runs.
  private func withNonBlockingDescriptor<Value>(_ body: (Int32) -> Value) -> Value {
    let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    if own >= 0 {
      defer { close(own) }
      return body(own)
    }
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    defer { _ = fcntl(descriptor, F_SETFL, flags) }
    return body(descriptor)
  }
}
