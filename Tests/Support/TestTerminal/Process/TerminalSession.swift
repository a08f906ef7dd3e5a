import Glibc

/// A program that runs in a virtual terminal.
///
/// Nothing happens in the background: the session reads the program's output whenever a test waits for something. When
/// the session is released, the program is killed.
package final class TerminalSession {
  /// The simulated terminal.
  package let virtual: VirtualTerminal
  /// All output to the terminal so far.
  package private(set) var rawOutput: [UInt8] = []
  /// All output through the pipe at standard output.
  package private(set) var standardOutputBytes: [UInt8] = []
  /// All output through the pipe at standard error.
  package private(set) var standardErrorBytes: [UInt8] = []
  /// Whether answers to queries are withheld until ``releaseAnswers()``.
  package var holdAnswers = false
  /// Whether the terminal reads output; `false` simulates a stalled connection.
  package var takesOutput = true
  /// Whether the pipe at standard output is read; `false` simulates a slow reader.
  package var takesStandardOutput = true

  let terminal: PseudoTerminal
  let child: ChildProcess
  private let output: FileDescriptor?
  private let errors: FileDescriptor?
  private let input: FileDescriptor?
  private var inputLeft: [UInt8] = []
  /// Bytes written into standard input whenever there is room.
  private var repeatedInput: [UInt8] = []
  private var keepsInputOpen = false
  /// The number of bytes written into the program's standard input.
  package private(set) var inputTaken = 0
  private var typed: [UInt8] = []
  private var heldAnswers: [UInt8] = []
  /// Objects that the program depends on.
  private let possessions: [AnyObject]

  /// Starts a program, whose arguments may be any bytes.
  ///
  /// - Parameter possessions: Objects that the program depends on, such as its folders: they live as long as the
  ///   session.
  /// - Throws: ``TerminalFailure`` if it can't be started.
  package init(
    _ executable: String, rawArguments: [[UInt8]], environment: [String: String] = [:], columns: Int = 120,
    rows: Int = 40, profile: TerminalProfile = .sixel, cell: (width: Int, height: Int) = (10, 20),
    workingDirectory: String? = nil, standardInput: StandardInput = .terminal,
    standardOutput: StandardOutput = .pipe, standardError: StandardOutput = .pipe,
    owning possessions: [AnyObject] = []
  ) throws {
    // Writing to a closed pipe must be an error, not the end of the tests.
    Glibc.signal(SIGPIPE, SIG_IGN)
    self.possessions = possessions
    virtual = VirtualTerminal(columns: columns, rows: rows, cell: cell, profile: profile)
    terminal = try PseudoTerminal(columns: columns, rows: rows, cell: cell)
    var streams = ChildProcess.Streams()
    let outputPipe = try standardOutput != .terminal ? FileDescriptor.pipe() : nil
    let errorPipe = try standardError != .terminal ? FileDescriptor.pipe() : nil
    (output, streams.output) = (outputPipe?.reading, outputPipe?.writing)
    (errors, streams.errors) = (errorPipe?.reading, errorPipe?.writing)
    if standardOutput == .nonBlockingPipe { streams.output?.makeNonBlocking() }
    if standardError == .nonBlockingPipe { streams.errors?.makeNonBlocking() }
    switch standardInput {
    case .terminal: input = nil
    case .null:
      input = nil
      streams.input = try FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC), "open /dev/null")
    case .bytes, .open, .endless:
      let pipe = try FileDescriptor.pipe()
      (streams.input, input) = (pipe.reading, pipe.writing)
      if case .bytes(let bytes) = standardInput { inputLeft = bytes } else { keepsInputOpen = true }
      if case .endless(let bytes) = standardInput {
        repeatedInput = Array(repeatElement(bytes, count: max(1, 65536 / max(1, bytes.count))).joined())
      }
    }
    [output, errors, input].forEach { $0?.makeNonBlocking() }
    child = try ChildProcess(
      executable: executable, arguments: rawArguments,
      environment: Self.baseEnvironment(of: profile).merging(environment) { $1 },
      directory: workingDirectory, terminal: terminal.path, streams: streams)
  }

  /// Starts a program.
  ///
  /// - Parameter possessions: Objects that the program depends on, such as its folders: they live as long as the
  ///   session.
  /// - Throws: ``TerminalFailure`` if it can't be started.
  package convenience init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:],
    columns: Int = 120, rows: Int = 40, profile: TerminalProfile = .sixel,
    cell: (width: Int, height: Int) = (10, 20), workingDirectory: String? = nil,
    standardInput: StandardInput = .terminal, standardOutput: StandardOutput = .pipe,
    standardError: StandardOutput = .pipe, owning possessions: [AnyObject] = []
  ) throws {
    try self.init(
      executable, rawArguments: arguments.map { Array($0.utf8) }, environment: environment,
      columns: columns, rows: rows, profile: profile, cell: cell, workingDirectory: workingDirectory,
      standardInput: standardInput, standardOutput: standardOutput, standardError: standardError,
      owning: possessions)
  }

  deinit {
    let group = terminal.foregroundGroup
    if child.status == nil {
      if group > 1, group != child.identifier { kill(-group, SIGKILL) }
      kill(-child.identifier, SIGKILL)
      child.signal(SIGKILL)
      child.wait()
    }
  }

  /// The process number of the program.
  package var processIdentifier: Int32 { child.identifier }
  /// The exit status; `nil` while the program runs.
  package var exitStatus: ExitStatus? { child.status }
  /// The number of bytes sent to the terminal.
  package var bytesWritten: Int { rawOutput.count }
  /// Whether the terminal's line discipline echoes.
  package var echoes: Bool { terminal.echoes }
  /// Whether the terminal's line discipline edits lines.
  package var isCanonical: Bool { terminal.isCanonical }
  /// Whether the terminal is in the state that a shell expects, in its modes and its line discipline.
  package var isGivenBack: Bool { virtual.isGivenBack && echoes && isCanonical }

  /// Takes typed input and answers that the program has not read: after its end, what the shell would get.
  package func takeUnreadInput() -> [UInt8] { terminal.takeUnreadInput() }

  /// Queues bytes as if typed.
  func type(_ bytes: [UInt8]) {
    typed += bytes
    _ = terminal.master.writeAvailable(&typed)
  }

  /// Resizes the line discipline and the screen.
  package func resize(columns: Int, rows: Int, cell: (width: Int, height: Int)? = nil) {
    virtual.resize(columns: columns, rows: rows, cell: cell)
    terminal.resize(columns: columns, rows: rows, cell: virtual.cell)
  }

  /// Sends all withheld answers at once, and withholds no more.
  package func releaseAnswers() {
    holdAnswers = false
    type(heldAnswers)
    heldAnswers = []
  }

  /// Whether all input and answers have been read.
  ///
  /// In canonical mode only complete lines can be read.
  var hasReadInput: Bool { typed.isEmpty && !terminal.hasUnreadInput }

  /// The number of withheld bytes of answers.
  package var heldAnswerCount: Int { heldAnswers.count }

  /// Whether the pipe at standard output is full.
  package var isStandardOutputFull: Bool {
    let pipe = open("/proc/\(processIdentifier)/fd/1", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard pipe >= 0 else { return false }
    defer { close(pipe) }
    var room = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
    return poll(&room, 1, 0) == 0
  }

  /// Writes into standard input, which must be `open`.
  package func feed(_ text: String) { feed(bytes: Array(text.utf8)) }

  /// Writes into standard input, which must be `open`.
  package func feed(bytes: [UInt8]) { inputLeft += bytes }

  /// Ends standard input once everything is written.
  package func endInput() { keepsInputOpen = false }

  private func writeInput() {
    guard let input, input.isOpen else { return }
    if inputLeft.isEmpty { inputLeft = repeatedInput }
    let count = inputLeft.count
    let isRead = input.writeAvailable(&inputLeft)
    inputTaken += count - inputLeft.count
    if !isRead || inputLeft.isEmpty && !keepsInputOpen { input.close() }
  }

  /// Stops reading standard output permanently, as `head` does.
  package func closeStandardOutput() { output?.close() }

  /// Transfers pending data, waiting up to some milliseconds for it; `true` if anything arrived.
  func pump(milliseconds: Int32) -> Bool {
    var polls = [pollfd(fd: takesOutput ? terminal.master.number : -1, events: Int16(POLLIN), revents: 0)]
    if !typed.isEmpty {
      polls[0].fd = terminal.master.number
      polls[0].events = Int16(takesOutput ? POLLIN | POLLOUT : POLLOUT)
    }
    for stream in [takesStandardOutput ? output : nil, errors] {
      polls.append(pollfd(fd: stream?.number ?? -1, events: Int16(POLLIN), revents: 0))
    }
    // Unwritten data counts as nothing new.
    let awaitsRoom = !inputLeft.isEmpty || !repeatedInput.isEmpty || !keepsInputOpen
    polls.append(pollfd(fd: awaitsRoom ? input?.number ?? -1 : -1, events: Int16(POLLOUT), revents: 0))
    _ = poll(&polls, nfds_t(polls.count), milliseconds)
    // First the program's end, then its output, so that none of it is missed.
    child.poll()
    writeInput()
    _ = terminal.master.writeAvailable(&typed)
    let counts = (rawOutput.count, standardOutputBytes.count, standardErrorBytes.count)
    repeat { takeTerminalOutput() } while child.status != nil && takesOutput && hasTerminalOutput
    if takesStandardOutput { drain(output, into: &standardOutputBytes) }
    drain(errors, into: &standardErrorBytes)
    return counts != (rawOutput.count, standardOutputBytes.count, standardErrorBytes.count)
  }

  private var hasTerminalOutput: Bool {
    var waiting = pollfd(fd: terminal.master.number, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0 && waiting.revents & Int16(POLLIN) != 0
  }

  private func takeTerminalOutput() {
    guard takesOutput else { return }
    let bytes = terminal.master.readAvailable().bytes
    guard !bytes.isEmpty else { return }
    rawOutput += bytes
    let answers = virtual.feed(bytes)
    if holdAnswers { heldAnswers += answers } else if !answers.isEmpty { type(answers) }
  }

  private func drain(_ stream: FileDescriptor?, into bytes: inout [UInt8]) {
    guard let stream, stream.isOpen else { return }
    var more = true
    while more {
      let (new, closed) = stream.readAvailable()
      bytes += new
      if closed { stream.close() }
      more = !new.isEmpty && !closed
    }
  }

  /// The environment of every program, independent of the user who runs the tests.
  private static func baseEnvironment(of profile: TerminalProfile) -> [String: String] {
    var environment = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
    ]
    for name in ["PATH", "LD_LIBRARY_PATH", "LLVM_PROFILE_FILE", "TPICK_MUTATION"] {
      if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    environment.merge(profile.environment) { $1 }
    environment["TERM"] = profile.term
    return environment
  }
}
