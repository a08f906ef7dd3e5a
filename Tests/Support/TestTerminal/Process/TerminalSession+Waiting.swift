extension TerminalSession {
  /// Goes on until the terminal fulfills the condition, which is looked at whenever something new is shown.
  ///
  /// A synchronized update is shown only when it is complete. The time-out is only there so that a test
  /// ends when something is broken.
  ///
  /// - Throws: ``TerminalFailure`` if the time is up or the program ended without it.
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
      // What the condition asks for may also be outside of the terminal, so it is looked at now and then.
      let news = pump(milliseconds: ended ? 0 : 20)
      if ended, !news { throw failure("the program ended before", what) }
    }
  }

  /// Goes on until the screen shows the text within one line.
  package func waitForText(_ text: String, timeout seconds: Double = 120) throws {
    try waitUntil("the text \u{201C}\(text)\u{201D}", timeout: seconds) { $0.text.contains(text) }
  }

  /// Goes on until the screen does not show the text any more.
  package func waitForNoText(_ text: String, timeout seconds: Double = 120) throws {
    try waitUntil("the text \u{201C}\(text)\u{201D} to go", timeout: seconds) { !$0.text.contains(text) }
  }

  /// Goes on until the program ends, and takes all that it wrote.
  ///
  /// - Throws: ``TerminalFailure`` if the time is up.
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

  /// Goes on until the program has read what was typed, or has ended.
  ///
  /// - Throws: ``TerminalFailure`` if the time is up.
  package func waitUntilRead(timeout seconds: Double = 120) throws {
    try wait("what was typed to be read", seconds) { hasReadInput }
  }

  /// Goes on until the program has nothing to do, or has ended.
  ///
  /// It has read what was typed, every thread of it and of its helpers waits, and the terminal has shown all
  /// that it wrote: what follows from what was typed is on the screen, and so are all pictures. A thread that
  /// sleeps for a time waits as well: what the program does later of its own accord (an animation, words that
  /// go, a check of the disk, an Escape that may begin a sequence) is waited for by what it shows.
  ///
  /// - Throws: ``TerminalFailure`` if the time is up.
  package func waitForIdle(timeout seconds: Double = 120) throws {
    try wait("the program to be idle", seconds) {
      guard hasReadInput else { return false }
      let before = ThreadActivity(of: Int(processIdentifier))
      guard before.isWaiting, hasReadInput, !pump(milliseconds: 0) else { return false }
      return before == ThreadActivity(of: Int(processIdentifier))
    }
  }

  /// Takes nothing more of what the program writes, and goes on until so much waits that a picture of more than
  /// 16 KB can't be written to its end, or the program has ended.
  ///
  /// - Throws: ``TerminalFailure`` if the time is up.
  package func stall(timeout seconds: Double = 120) throws {
    takesOutput = false
    try wait("the way to the terminal to be full", seconds) { terminal.hasBacklog }
  }

  /// Goes on until a question that is asked again and again is answered with yes, or the program has ended.
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

  /// A failure that tells all there is to know.
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
