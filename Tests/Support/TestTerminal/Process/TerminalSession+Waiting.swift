package import Testing

extension TerminalSession {
  /// Runs until the terminal meets the condition, which is checked whenever something new is shown.
  ///
  /// A synchronized update is shown only when it is complete. The timeout only ensures that a failing test ends.
  ///
  /// - Throws: ``TerminalFailure`` after the timeout, or if the program ended before.
  package func waitUntil(
    _ what: String, timeout seconds: Double = 120, condition: (VirtualTerminal) throws -> Bool
  ) throws {
    let end = ContinuousClock.now + .seconds(seconds)
    _ = pump(milliseconds: 0)
    while true {
      let ended = exitStatus != nil
      if ended || !virtual.insideSynchronizedUpdate, try condition(virtual) { return }
      if ContinuousClock.now >= end {
        throw failure("no time left after \(seconds) s while waiting for", what)
      }
      // The condition may also depend on something outside of the terminal, so it is checked periodically.
      let news = pump(milliseconds: ended ? 0 : 20)
      if ended, !news { throw failure("the program ended before", what) }
    }
  }

  /// Runs until the screen shows the text within one line.
  package func waitForText(_ text: String, timeout seconds: Double = 120) throws {
    try waitUntil("the text \u{201C}\(text)\u{201D}", timeout: seconds) { $0.text.contains(text) }
  }

  /// Runs until the screen no longer shows the text.
  package func waitForNoText(_ text: String, timeout seconds: Double = 120) throws {
    try waitUntil("the text \u{201C}\(text)\u{201D} to go", timeout: seconds) { !$0.text.contains(text) }
  }

  /// Runs until the program ends, and reads all its output.
  ///
  /// - Throws: ``TerminalFailure`` after the timeout.
  @discardableResult
  package func waitForExit(timeout seconds: Double = 120) throws -> ExitStatus {
    let end = ContinuousClock.now + .seconds(seconds)
    while true {
      if let exitStatus {
        while pump(milliseconds: 0) {}
        return exitStatus
      }
      if ContinuousClock.now >= end {
        throw failure("no time left after \(seconds) s while waiting for", "the end")
      }
      _ = pump(milliseconds: 20)
    }
  }

  /// Runs until the program ends, and records an issue with all details if its status is another one.
  ///
  /// - Throws: ``TerminalFailure`` after the timeout.
  package func expectExit(
    _ expected: ExitStatus, timeout seconds: Double = 120, _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let status = try waitForExit(timeout: seconds)
    if status == expected { return }
    let failure = failure("the program \(status), and not \(expected)", "")
    Issue.record(failure, comment(), sourceLocation: sourceLocation)
  }

  /// Runs until the program has read its input, or has ended.
  ///
  /// - Throws: ``TerminalFailure`` after the timeout.
  package func waitUntilRead(timeout seconds: Double = 120) throws {
    try wait("what was typed to be read", seconds) { hasReadInput }
  }

  /// Runs until the program is idle, or has ended.
  ///
  /// It has read its input, every thread of it and of its helpers waits, and the terminal has shown all output: the
  /// effects of the input are on the screen, including all pictures. A sleeping thread counts as waiting as well: for
  /// what the program does later by itself (an animation, an expiring notice, a check of the disk, an Escape that may
  /// begin a sequence) wait until it is shown.
  ///
  /// - Throws: ``TerminalFailure`` after the timeout.
  package func waitForIdle(timeout seconds: Double = 120) throws {
    try wait("the program to be idle", seconds) {
      guard hasReadInput else { return false }
      let before = ThreadActivity(of: Int(processIdentifier))
      guard before.isWaiting, hasReadInput, !pump(milliseconds: 0) else { return false }
      return before == ThreadActivity(of: Int(processIdentifier))
    }
  }

  /// Stops reading the program's output, and runs until the queued output leaves no room for a picture of
  /// more than 16 KB, or the program has ended.
  ///
  /// - Throws: ``TerminalFailure`` after the timeout.
  package func stall(timeout seconds: Double = 120) throws {
    takesOutput = false
    try wait("the way to the terminal to be full", seconds) { terminal.hasBacklog }
  }

  /// Polls until a condition holds, or the program has ended.
  private func wait(_ what: String, _ seconds: Double, until isFulfilled: () -> Bool) throws {
    let end = ContinuousClock.now + .seconds(seconds)
    while exitStatus == nil {
      if !pump(milliseconds: 0), isFulfilled() { return }
      if ContinuousClock.now >= end {
        throw failure("no time left after \(seconds) s while waiting for", what)
      }
      _ = pump(milliseconds: 2)
    }
    while pump(milliseconds: 0) {}
  }

  /// A failure with all details.
  func failure(_ reason: String, _ what: String) -> TerminalFailure {
    let frame = String(repeating: "-", count: min(virtual.columns, 100))
    var lines = virtual.text.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.isEmpty == true { lines.removeLast() }
    let update = virtual.insideSynchronizedUpdate ? ", inside a synchronized update" : ""
    return TerminalFailure(
      description: """
        \(reason) \(what) (terminal \(virtual.profile.name), \(virtual.columns)x\(virtual.rows)\(update))
        program: \(exitStatus?.description ?? "still running"), \(bytesWritten) bytes sent, \
        \(virtual.pictures.count) pictures
        screen:
        \(frame)
        \(lines.joined(separator: "\n"))
        \(frame)
        standard error:
        \(String(decoding: standardErrorBytes, as: UTF8.self))
        """)
  }
}
