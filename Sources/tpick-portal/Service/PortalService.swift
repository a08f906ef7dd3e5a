import FileChooser
import System

/// The xdg-desktop-portal backend: receives calls, has them served, and replies to them.
///
/// A single thread waits for the bus and for the windows at once. Other processes examine the files that callers
/// name: an unresponsive disk then blocks no other dialog.
final class PortalService {
  static let name = "org.freedesktop.impl.portal.desktop.tpick"
  /// Upper bound of concurrent calls: a runaway program must not fill the screen with windows.
  private static let limit = 16

  private let bus: SessionBus
  private let settings: PortalSettings
  /// Time without a call after which the service exits, in microseconds.
  private let idleTime: UInt64
  private var chooser: BusSlot?
  /// Pending calls by handle.
  private var calls: [String: ChooserCall] = [:]
  /// Terminals and questions of finished calls that have not exited yet.
  private var ending: [ChildProgram] = []
  /// When the last call was answered.
  private var idleSince = MonotonicClock.now

  init(_ settings: PortalSettings, idleTime: UInt64) throws(BusError) {
    bus = try SessionBus()
    self.settings = settings
    self.idleTime = idleTime
    chooser = try bus.serveChooser { [weak self] in self?.receive($0) }
    try bus.own(Self.name)
  }

  /// Serves until the service has been idle for long enough.
  func run() throws(BusError) {
    while true {
      try bus.process()
      handleQuestions()
      handleWindows()
      if try endsNow() { return }
      // Sent replies may have caused further messages to process.
      if try !bus.process() { wait() }
    }
  }

  /// Releases the bus name after the idle time; calls that were sent before are still served.
  private func endsNow() throws(BusError) -> Bool {
    guard calls.isEmpty, MonotonicClock.now >= idleSince + idleTime else { return false }
    try bus.giveUp(Self.name)
    try bus.process()
    if calls.isEmpty { return true }
    try bus.own(Self.name)
    return false
  }

  private func wait() {
    var polls = [bus.poll]
    var deadlines = [bus.deadline]
    if calls.isEmpty { deadlines.append(idleSince + idleTime) }
    for question in calls.values.compactMap(\.question) {
      polls.append(pollfd(fd: question.process.end, events: Int16(POLLIN), revents: 0))
      deadlines.append(question.deadline)
    }
    for window in calls.values.compactMap(\.window) {
      polls += window.polls
      deadlines.append(window.deadline)
    }
    polls += ending.map { pollfd(fd: $0.end, events: Int16(POLLIN), revents: 0) }
    let now = MonotonicClock.now
    let first = deadlines.compactMap { $0 }.min()
    let milliseconds = first.map { $0 > now ? ($0 - now) / 1000 + 1 : 0 }
    _ = poll(&polls, nfds_t(polls.count), milliseconds.map { Int32(clamping: $0) } ?? -1)
  }

  /// Starts a process that examines files before a call continues.
  private func look(
    _ call: ChooserCall, _ question: @escaping () -> Bool, then: @escaping (Bool) -> Void
  ) {
    do throws(ChildProgram.LaunchFailure) {
      let process = try ChildProgram(asking: question)
      let deadline = MonotonicClock.now + ChildProgram.patience
      call.server = .question(
        ChooserCall.Question(process: process, deadline: deadline, then: then))
    } catch {
      Log.write("\(error)")
      then(false)
    }
  }

  private func handleQuestions() {
    for call in calls.values {
      guard let question = call.question else { continue }
      let hasEnded = question.process.hasEnded
      guard hasEnded || MonotonicClock.now >= question.deadline else { continue }
      end(question)
      call.server = nil
      question.then(hasEnded && question.process.wait() == 0)
    }
  }

  private func end(_ question: ChooserCall.Question) {
    if question.process.hasEnded { return }
    question.process.signal(SIGKILL)
    // Not waited for: the kernel may be unable to end it.
    ending.append(question.process)
  }

  private func handleWindows() {
    for call in calls.values {
      guard let window = call.window, let end = window.handleEvents() else { continue }
      switch end {
      case .closed(let status):
        if let status, ![0, 1, 130].contains(status) { Log.write("tpick exited with status \(status)") }
        finish(call, ChooserAnswer(call.request, status: status, output: window.readResults()))
      case .failed(let reason):
        Log.write(reason)
        finish(call, .failed)
      }
    }
    ending.removeAll { terminal in
      guard terminal.hasEnded else { return false }
      terminal.wait()
      return true
    }
  }

  // MARK: Calls

  private func receive(_ message: BusMessage) {
    let invalid = "org.freedesktop.DBus.Error.InvalidArgs"
    guard let method = ChooserRequest.Method(rawValue: message.member),
      let arguments = try? message.read(), let request = ChooserRequest(method, arguments)
    else { return message.refuse(invalid, "invalid arguments of \(message.member)") }
    guard calls[request.handle] == nil else {
      return message.refuse(invalid, "the request \(request.handle) exists already")
    }
    let call = ChooserCall(message, request, backends: settings.backends)
    guard calls.count < Self.limit else {
      Log.write("more than \(Self.limit) requests at once")
      return answer(call, .failed)
    }
    do throws(BusError) {
      call.slot = try bus.serveRequest(at: request.handle) { [weak self, weak call] message in
        if let call { self?.close(call, message) }
      }
    } catch {
      return message.refuse(invalid, "\(error)")
    }
    calls[request.handle] = call
    switch ChooserRoute(request, leavesAnyFile: settings.leavesAnyFile) {
    case .picker(let media): pick(call, media)
    case .other: forwardToBackend(call)
    }
  }

  /// Closes a call on its caller's request.
  private func close(_ call: ChooserCall, _ message: BusMessage) {
    guard message.sender == call.message.sender else {
      return message.refuse(
        "org.freedesktop.DBus.Error.AccessDenied", "the request belongs to another program")
    }
    if case .backend(let service, _) = call.server { try? bus.close(call.request.handle, of: service) }
    try? message.makeReply().send()
    finish(call, .cancelled)
  }

  private func finish(_ call: ChooserCall, _ result: ChooserAnswer) {
    answer(call, result)
    forget(call)
  }

  private func answer(_ call: ChooserCall, _ result: ChooserAnswer) {
    do throws(BusError) {
      try call.message.answer(result)
    } catch {
      Log.write("\(error)")
    }
  }

  private func forget(_ call: ChooserCall) {
    if let question = call.question { end(question) }
    if let terminal = call.window?.terminal { ending.append(terminal) }
    call.server = nil
    call.slot = nil
    calls[call.request.handle] = nil
    idleSince = MonotonicClock.now
  }

  // MARK: Other file choosers

  /// Forwards the call to the next file chooser of the desktop; without one, prompts in a terminal.
  private func forwardToBackend(_ call: ChooserCall) {
    while let name = call.backends.popFirst() {
      let service = "org.freedesktop.impl.portal.desktop.\(name)"
      let slot = try? bus.forward(call.message, to: service) { [weak self, weak call] reply in
        if let call { self?.takeAnswer(reply, of: service, call) }
      }
      guard let slot else { continue }
      call.server = .backend(service, slot)
      return
    }
    let media = AcceptedMedia(call.request.filter)
    if call.request.method == .openFile, !call.request.wantsFolder, media == .anything {
      pick(call, media)
    } else {
      ask(call)
    }
  }

  private func takeAnswer(_ reply: BusMessage, of service: String, _ call: ChooserCall) {
    if reply.isError {
      let failure = reply.failure
      // The service exited while its dialog was open.
      guard failure.name != "org.freedesktop.DBus.Error.NoReply" else {
        Log.write("\(service): \(failure.message)")
        return finish(call, .failed)
      }
      return forwardToBackend(call)
    }
    do throws(BusError) {
      let answer = try call.message.makeReply()
      try answer.copy(from: reply)
      try answer.send()
      forget(call)
    } catch {
      Log.write("\(service): \(error)")
      finish(call, .failed)
    }
  }

  // MARK: Windows

  private func pick(_ call: ChooserCall, _ media: AcceptedMedia) {
    let folder = FolderEntries.source(call.request.currentFolder, home: UserFolders.home)
    let open = { [weak self, weak call] (source: [UInt8]?) in
      guard let self, let call else { return }
      self.open(call) { results in
        .run(
          PickerCommand.words(
            ProgramFiles.picker, for: call.request, media, source: source, results: results))
      }
    }
    guard let folder else { return open(nil) }
    look(call) {
      FolderEntries.holds(media, folder)
    } then: { isSource in
      open(isSource ? folder.bytes : nil)
    }
  }

  private func ask(_ call: ChooserCall) {
    look(call) {
      FolderEntries.isFolder(UserFolders.downloads)
    } then: { [weak self, weak call] isThere in
      guard let self, let call else { return }
      let folder = isThere ? UserFolders.downloads : UserFolders.home
      let question = PathQuestion(call.request, defaultFolder: folder.bytes)
      self.open(call) { .ask(question, results: $0) }
    }
  }

  private func open(_ call: ChooserCall, _ makeTask: ([UInt8]) -> TerminalTaskMessage.Task) {
    do {
      let setting = UserFolders.environment("TPICK_TERMINAL")?.bytes ?? settings.terminal
      guard let command = try TerminalCommand(setting: setting, isInstalled: ProgramFiles.isInstalled) else {
        Log.write("no known terminal found: install one, or set terminal in portal.conf")
        return finish(call, .failed)
      }
      call.server = .window(
        try TerminalWindow(
          command, size: settings.size, title: WindowTitle.text(for: call.request), makeTask: makeTask))
    } catch {
      Log.write("the terminal: \(error)")
      finish(call, .failed)
    }
  }
}

/// A pending call of the file chooser.
private final class ChooserCall {
  /// A question about files that another process answers first.
  struct Question {
    var process: ChildProgram
    /// When to stop waiting for the answer, on the monotonic clock in microseconds.
    var deadline: UInt64
    /// Continues with the answer; a missing answer counts as no.
    var then: (Bool) -> Void
  }

  /// What serves a call.
  enum Server {
    case question(Question)
    case window(TerminalWindow)
    /// Another service, with the slot for its reply.
    case backend(String, BusSlot)
  }

  let message: BusMessage
  let request: ChooserRequest
  var server: Server?
  /// The other file choosers that have not been tried yet.
  var backends: ArraySlice<String>
  /// The object through which the call can be closed; released with the call.
  var slot: BusSlot?

  init(_ message: BusMessage, _ request: ChooserRequest, backends: [String]) {
    self.message = message
    self.request = request
    self.backends = backends[...]
  }

  var question: Question? { if case .question(let question) = server { question } else { nil } }
  var window: TerminalWindow? { if case .window(let window) = server { window } else { nil } }
}
