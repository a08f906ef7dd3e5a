import CConfinement
import Sandbox
import System
import SystemPackage

/// The life of a sandbox from the outside: the first choice, the command, its requests, its end.
///
/// It handles the terminal like a shell: the processes in the sandbox are a job, which has the terminal until
/// it stops or ends, and lends it to the picker meanwhile. A single thread waits for signals and descriptors
/// in one place.
final class SandboxSession {
  let stage: SandboxStage
  private(set) var photos: GrantedPhotos
  private let choice: PhotoChoice
  private let inbox: SignalInbox
  private let ignored = SandboxLauncher.ignoredSignals
  private let terminal = JobTerminal()
  private var policy = PortalPolicy()
  private var job: SandboxJob?

  /// - Throws: `Failure` if there is no place for the photos.
  init(_ choice: PhotoChoice) throws(Failure) {
    self.choice = choice
    inbox = try SignalInbox()
    stage = try SandboxStage()
    photos = GrantedPhotos(stage)
  }

  /// Removes the files of the session.
  func end() { stage.remove() }

  // MARK: Choosing

  /// Lets the user choose, or uses the allowed photos.
  /// - Returns: the exit status if nothing was chosen.
  func choose() throws(Failure) -> ExitStatus? {
    if let question = choice.question {
      let (status, _) = try output(of: question)
      guard status == 0 else { return ExitStatus(rawValue: status) }
    }
    let (status, originals) = try output(of: choice.first)
    if status == ExitStatus.nothing.rawValue, choice.isSettled {
      Messages.warn("run: none of the allowed photos exists any more")
    }
    guard status == 0 else { return ExitStatus(rawValue: status) }
    try add(originals, binds: true)
    return nil
  }

  /// Grants files.
  /// - Parameter binds: whether the sandbox has not been made yet, so that files can be bound in place.
  /// - Returns: their paths inside.
  @discardableResult
  private func add(_ originals: [[UInt8]], binds: Bool) throws(Failure) -> [[UInt8]] {
    let known = originals.compactMap { photos.path(ofOriginal: $0) }
    let new = originals.filter { photos.path(ofOriginal: $0) == nil }
    let bound = binds && choice.isPlain ? new.filter(GrantedPhotos.canBeBound) : []
    let copied = bound.isEmpty ? new : new.filter { !GrantedPhotos.canBeBound($0) }
    try photos.addOriginals(bound)
    var paths = known
    if !copied.isEmpty {
      let (status, files) = try output(
        of: choice.copying(to: stage.incoming), input: copied.flatMap { $0 + [0] })
      guard status == 0 || status == ExitStatus.failure.rawValue && !files.isEmpty else {
        throw .error("run: the photos could not be copied")
      }
      paths += try photos.addMade(files, of: copied)
    }
    try stage.write(photos.paths.flatMap { $0 + [0x0A] }, as: SandboxPlace.grantedName)
    // In the order in which the user chose, unless a file could not be granted.
    let all = originals.compactMap { photos.path(ofOriginal: $0) }
    return all.count == originals.count ? all : paths
  }

  /// Runs tpick to its end, and returns the printed paths.
  /// - Returns: its status, 128 + n if signal n ended it.
  private func output(
    of arguments: [[UInt8]], input: [UInt8]? = nil
  ) throws(Failure) -> (status: Int32, paths: [[UInt8]]) {
    let program = try OwnProgram(arguments, input: input)
    defer { program.close() }
    // A stop signal applies to its whole group.
    inbox.setStoppable(true)
    defer { inbox.setStoppable(false) }
    var (printed, isOpen, came): ([UInt8], Bool, Int32?) = ([], true, nil)
    var (status, end): (Int32?, ContinuousClock.Instant?)
    while status == nil || isOpen {
      let look = [end, job?.nextLook].compactMap(\.self).min()
      wait(
        for: [isOpen ? pollfd(fd: program.output, events: Int16(POLLIN), revents: 0) : nil],
        until: look)
      while let number = inbox.next() {
        guard SignalInbox.ending.contains(number) else { continue }
        came = number
        if status == nil { kill(program.identifier, number) }
        if end == nil { end = .now + Self.endPatience }
        job?.signal(number)
      }
      if job?.isStillHeld() == false, status == nil {
        kill(program.identifier, SIGTERM)
        end = .now + Self.endPatience
      }
      if let late = end, .now >= late {
        if status == nil { kill(program.identifier, SIGKILL) }
        // Its children may still have its output open.
        isOpen = false
        end = nil
      }
      while let bytes = DescriptorText.next(program.output) {
        if bytes.isEmpty {
          isOpen = false
          break
        }
        printed += bytes
      }
      if status == nil { status = Self.ended(program.identifier) }
    }
    if let came, job == nil { return (128 + came, []) }
    return (status ?? 0, printed.split(separator: 0).map(Array.init))
  }

  /// The timeout for a picker that was asked to end.
  private static let endPatience: Duration = .seconds(10)

  /// The exit status of a process; nil while it runs.
  private static func ended(_ process: pid_t) -> Int32? {
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return nil }
    return SandboxJob.exitStatus(status)
  }

  /// Waits for signals and some descriptors.
  private func wait(for polls: [pollfd?], until deadline: ContinuousClock.Instant? = nil) {
    var all = [pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0)] + polls.compactMap { $0 }
    let left = deadline.map { max(.zero, $0 - .now) }
    let milliseconds = left.map {
      Int32(clamping: $0.components.seconds * 1000 + $0.components.attoseconds / 1_000_000_000_000_000 + 1)
    }
    _ = poll(&all, nfds_t(all.count), milliseconds ?? -1)
  }

  // MARK: The command

  /// Runs the command to its end.
  /// - Parameter bound: checked files other than photos.
  /// - Returns: its status.
  func run(
    _ bubblewrap: Bubblewrap, _ view: SandboxView, _ command: GrantedCommand, display: Bool,
    bound: [SandboxLauncher.Bound]
  ) throws(Failure) -> ExitStatus {
    let portal = try PortalServer(in: stage.session)
    let programs = MachineView.programs()
    let accounts = MachineView.accounts
    try stage.write(accounts.users, as: SandboxPlace.usersName)
    try stage.write(accounts.groups, as: SandboxPlace.groupsName)
    try stage.write(SandboxLauncher.list(photos.bound + bound), as: SandboxPlace.boundName)
    var view = view
    view.system = MachineView.systemFolders
    view.programs = programs ?? []
    view.environment = SandboxEnvironment.variables(
      of: ProcessEnvironment.named, programs: programs == nil ? nil : SandboxPlace.programs)
    if display {
      let (bindings, variables) = MachineView.display()
      view.display = bindings
      view.environment += variables
    }
    let launch = SandboxLauncher.arguments(command.arguments(photos.paths), ignored: ignored)
    let job = try SandboxJob(
      bubblewrap, view, [MachineView.launcher(programs)] + launch, on: terminal, inbox)
    self.job = job
    while true {
      if let status = job.reap() { return ExitStatus(rawValue: status) }
      wait(for: [portal.wait?.poll], until: portal.wait?.deadline)
      while let number = inbox.next() { job.handle(number) }
      // The connection is checked after every event, because that never blocks.
      if let request = portal.advance() { portal.answer(answer(request, job)) }
    }
  }

  // MARK: The portal

  /// Lets the user choose more photos.
  private func answer(_ request: PortalRequest, _ job: SandboxJob) -> PortalAnswer {
    let answer = asked(request, job)
    policy.note(answer)
    return answer
  }

  private func asked(_ request: PortalRequest, _ job: SandboxJob) -> PortalAnswer {
    if policy.isExhausted { return .refused("the user cancelled too often and is not asked again") }
    if let problem = PortalQuestion.problem(in: request) { return .refused(problem) }
    guard let terminal else { return .refused("there is no terminal to show the picker on") }
    guard job.hasTerminal else { return .refused("the program runs in the background") }
    defer {
      if job.wasEndedForRunning {
        Messages.warn(
          "run: the command could not be paused for the picker and was ended")
      }
    }
    guard let loan = job.lendTerminal() else {
      return .refused("not all processes in the sandbox can be paused")
    }
    defer { job.takeBack(loan) }
    if let line = PortalQuestion.line(for: request) {
      _ = StandardStream(descriptor: terminal.descriptor).write(line)
    }
    do throws(Failure) {
      let (status, originals) = try output(of: choice.more(request))
      switch status {
      case 0: return .granted(try add(originals, binds: false))
      case ExitStatus.cancelled.rawValue, ExitStatus.nothing.rawValue: return .cancelled
      default: return .refused("the picker could not be shown (status \(status))")
      }
    } catch {
      Messages.warn(error.message)
      return .refused("the photos could not be added")
    }
  }
}

/// tpick as a separate process that picks or copies and prints paths.
///
/// The process around the sandbox opens no library itself: it needs no threads then, and the sandbox survives
/// a crash of the picker.
private struct OwnProgram {
  let identifier: pid_t
  /// Its output, non-blocking; closed by `close`.
  let output: Int32

  /// Starts the process in the group of this process.
  /// - Parameters:
  ///   - input: its input; nil = the terminal.
  /// - Throws: `Failure` if it can't be started.
  init(_ arguments: [[UInt8]], input: [UInt8]? = nil) throws(Failure) {
    let source = input.flatMap(DescriptorText.memory)
    defer { if let source { Glibc.close(source) } }
    // The user's default options are meant for the picker only, and may run programs.
    let environment = ProcessEnvironment.variables.filter {
      !$0.starts(with: Array("\(DefaultOptions.variable)=".utf8))
    }
    let stream: ChildProcess.Stream =
      source.map { .descriptor($0) } ?? (input == nil ? .inherited : .null)
    do throws(Errno) {
      let ends = try ChildProcess.pipe()
      defer { Glibc.close(ends.writeEnd) }
      do throws(Errno) {
        let process = try ChildProcess(
          [Array("tpick".utf8)] + arguments, path: "/proc/self/exe", environment: environment, input: stream,
          output: .descriptor(ends.writeEnd), resetting: .all)
        _ = fcntl(ends.readEnd, F_SETFL, O_NONBLOCK)
        (identifier, output) = (process.identifier, ends.readEnd)
      } catch {
        Glibc.close(ends.readEnd)
        throw error
      }
    } catch {
      throw .error("run: tpick: \(error)")
    }
  }

  func close() { Glibc.close(output) }
}

extension ProcessEnvironment {
  /// The variables by name.
  static var named: [SandboxEnvironment.Variable] {
    variables.compactMap { variable in
      guard let equals = variable.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      return SandboxEnvironment.Variable(
        String(decoding: variable[..<equals], as: UTF8.self), Array(variable[(equals + 1)...]))
    }
  }
}
