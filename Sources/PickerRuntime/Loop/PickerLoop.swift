package import AssetLibrary
import Dispatch
package import PickerUI
import Synchronization
package import TerminalGraphics

/// Runs a picker: takes what has happened, makes the next state of it, has its effects performed, draws.
///
/// The only place that calls `Picker.update`, and the only one that draws. Used by one thread, which `run` blocks.
package final class PickerLoop {
  /// How a run ended.
  package enum Ending: Hashable, Sendable {
    case outcome(PickerOutcome)
    /// A signal ends the process.
    case signal(Int32)
  }

  package private(set) var state: PickerState
  private let terminal: any PickerTerminal
  private let mailbox: Mailbox<LoopEvent>
  private let clock: any RuntimeClock
  private let pictures: PictureStore
  private let writer: ScreenWriter
  private let link: LinkWatcher
  private let display: Display
  private let effects: EffectPerformer
  /// When the last frame was begun.
  private var drawn = Duration.zero
  /// Whether the library has answered.
  private var isFetched = false
  private(set) var ending: Ending?

  /// - Parameters:
  ///   - options: what the caller wants of the picker.
  ///   - terminal: taken already; `run` gives it back.
  ///   - mailbox: where the terminal's events arrive as well.
  ///   - programs: runs the caller's programs.
  ///   - delivery: hands the result over before the picker ends; nil = the caller does after that.
  ///   - report: called on the thread of `run` with what is picked, after each change, or with what the cursor has
  ///     come to, where the configuration asks for that.
  package init(
    _ options: PickerState.Options, on terminal: any PickerTerminal, mailbox: Mailbox<LoopEvent>,
    library: PickerLibrary, consent: ConsentScreen, works: WorkReporter = WorkReporter(),
    pictures pictureOptions: PictureOptions = PictureOptions(), clock: any RuntimeClock = SystemClock(),
    programs: ProgramRunner? = nil, delivery: ResultDelivery? = nil, report: (([Asset]) -> Void)? = nil
  ) {
    self.terminal = terminal
    self.mailbox = mailbox
    self.clock = clock
    let post: @Sendable (PickerMessage) -> Void = { mailbox.post(.message($0)) }
    pictures = PictureStore(
      pictureOptions, on: terminal.traits, cell: pictureOptions.cellSize ?? terminal.window.cell,
      manager: library.user, clock: clock, askRetry: { mailbox.post(.retryDue) }, post: post)
    let link = LinkWatcher(
      isAnswered: terminal.traits.tellsWhenDrawn,
      speed: LinkSpeed(
        roundTrip: terminal.traits.roundTrip, bytesPerSecond: pictureOptions.bytesPerSecond,
        isRemote: terminal.traits.environment.isRemote),
      clock: clock, mailbox: mailbox)
    self.link = link
    _ = pictures.adopt(link.quality, isLinkSlow: link.isSlow)
    writer = ScreenWriter(terminal: terminal, pictures: pictures, link: link, clock: clock)
    display = Display(terminal, writer, pictures, link, cellSize: pictureOptions.cellSize)
    effects = EffectPerformer(
      library: library, consent: consent, works: works, terminal: terminal, display: display,
      pictures: pictures, clock: clock, post: post, report: report, programs: programs,
      delivery: delivery)
    state = PickerState(options: options, metrics: display.metrics)
  }

  /// What the link to the terminal carries, as far as it is known by now.
  package var bytesPerSecond: Double? { link.bytesPerSecond }

  /// Shows the picker until it ends, and gives the terminal back.
  /// - Throws: `TerminalError` when the terminal goes away.
  package func run() throws(TerminalError) -> Ending {
    defer { close() }
    try begin()
    while true {
      if let ending { return ending }
      try draw()
      try handle(mailbox.takeAll())
    }
  }

  /// What is done before anything has happened.
  func begin() throws(TerminalError) {
    effects.connect()
    try perform(Picker.start(state))
    if let fallback = display.fallback {
      try perform(Picker.update(&state, .fallback(name: fallback.name, words: fallback.words)))
    }
  }

  /// Gives the terminal back; nobody can be asked any more.
  func close() {
    effects.disconnect()
    display.end()
    effects.abandonDelivery()
    effects.finishEdits()
  }

  /// Brings the state to the screen; left unfinished once something has happened.
  func draw() throws(TerminalError) {
    drawn = clock.now
    let mailbox = mailbox
    try writer.write(
      Picker.view(state), isInterrupted: { !mailbox.isEmpty },
      isOvertaken: { mailbox.contains(where: \.isFromTerminal) })
    terminal.setTitle(Picker.windowTitle(state))
    if isFetched, !pictures.awaitsMoreInSight { effects.allowBackgroundWork() }
  }

  /// Handles what has come, and what comes meanwhile: a held key has its last state drawn only.
  func handle(_ arrived: [LoopEvent]) throws(TerminalError) {
    var events = arrived
    while ending == nil, !events.isEmpty {
      for event in events.mergingPictures where ending == nil {
        if let message = try message(of: event) { try perform(Picker.update(&state, message)) }
      }
      events = mailbox.takeAll(within: pause(after: events))
    }
    if ending == nil { effects.reportFollowed() }
  }

  /// How long to wait for more before drawing: where there is nothing new but pictures, and others in sight are
  /// still to come, they share a frame.
  private func pause(after events: [LoopEvent]) -> Duration {
    guard events.allSatisfy({ $0.pictures != nil }), pictures.awaitsMoreInSight else { return .zero }
    return drawn + Self.frameTime - clock.now
  }

  /// The time of a frame where pictures come one after the other: as often as screens show one.
  static let frameTime: Duration = .milliseconds(8)

  /// What an event means to the picker; nil where it only concerns the terminal.
  private func message(of event: LoopEvent) throws(TerminalError) -> PickerMessage? {
    switch event {
    case .message(let message):
      if case .fetched = message { isFetched = true }
      return message
    case .terminal(.key(let key)): return .key(key)
    case .terminal(.mouse(let event)): return terminal.event(event).map(PickerMessage.mouse)
    case .terminal(.paste(let text)): return .paste(text)
    case .terminal(.end(let signal)):
      ending = .signal(signal)
      return nil
    case .terminal(.windowChanged): return try display.windowChanged().map(PickerMessage.resized)
    case .terminal(.cellSize(let size)): return try display.cellSizeAnswered(size).map(PickerMessage.resized)
    case .terminal(.answer(let bytes)):
      guard let metrics = try display.answerCame(bytes) else { return nil }
      if display.fallback == nil { try perform(Picker.update(&state, .fallbackEnded)) }
      return .resized(metrics)
    case .terminal(.cursorPlace): return nil
    case .terminal(.allDrawn): return try display.pictureLinkTold(true).map(PickerMessage.resized)
    case .retryDue:
      pictures.retry()
      return nil
    case .answerOverdue: return try display.pictureLinkTold(false).map(PickerMessage.resized)
    case .terminal(.suspend): return try display.suspend().map(PickerMessage.resized)
    case .terminal(.resumed): return try display.resumed().map(PickerMessage.resized)
    }
  }

  /// Performs effects, and those of the states that follow from them at once.
  private func perform(_ first: [PickerEffect]) throws(TerminalError) {
    var effects = first
    var messages: [PickerMessage] = []
    while true {
      for effect in effects {
        if case .finish(let outcome) = effect {
          ending = .outcome(outcome)
        } else if let message = try self.effects.perform(effect) {
          messages.append(message)
        }
      }
      if ending != nil || messages.isEmpty { return }
      effects = Picker.update(&state, messages.removeFirst())
    }
  }
}

/// Something that the run loop has to look at.
package enum LoopEvent: Sendable {
  case terminal(TerminalEvent)
  case message(PickerMessage)
  /// The terminal has not said that all is drawn, and should have.
  case answerOverdue
  /// Pictures that failed for a passing reason may be had now.
  case retryDue

  /// Whether it is a key or another event of the terminal, beside the word that pictures are drawn.
  var isFromTerminal: Bool {
    if case .terminal(let event) = self { event != .allDrawn } else { false }
  }

  /// What it says of pictures that have come; nil where it is something else.
  var pictures: [PictureKey: PictureStatus]? {
    if case .message(.pictures(let statuses)) = self { statuses } else { nil }
  }
}

extension [LoopEvent] {
  /// The events with pictures that came one by one told together: each one told is a look at everything.
  var mergingPictures: [LoopEvent] {
    reduce(into: []) { merged, event in
      if let new = event.pictures, let known = merged.last?.pictures {
        merged[merged.count - 1] = .message(.pictures(known.merging(new) { $1 }))
      } else {
        merged.append(event)
      }
    }
  }
}

/// Messages from any thread for the one that waits.
package final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Mutex<[Message]>([])
  private let arrival = DispatchSemaphore(value: 0)
  private let clock: any RuntimeClock

  package init(clock: any RuntimeClock = SystemClock()) {
    self.clock = clock
  }

  package func post(_ message: Message) {
    messages.withLock { $0.append(message) }
    arrival.signal()
  }

  package var isEmpty: Bool { messages.withLock { $0.isEmpty } }

  /// Whether a message of some kind is there.
  package func contains(where isMeant: (Message) -> Bool) -> Bool {
    messages.withLock { $0.contains(where: isMeant) }
  }

  package func removeAll(where isMeant: (Message) -> Bool) {
    messages.withLock { $0.removeAll(where: isMeant) }
  }

  /// Everything that has come, in order; waits until there is something.
  package func takeAll() -> [Message] {
    while true {
      let taken = take()
      if !taken.isEmpty { return taken }
      arrival.wait()
    }
  }

  /// Everything that has come, in order; waits for a while at most until there is something.
  package func takeAll(within patience: Duration) -> [Message] {
    wait(within: patience) { _ in true }
    return take()
  }

  /// Waits for a while at most until there is a message of some kind, which stays.
  package func wait(within patience: Duration, for isMeant: (Message) -> Bool) {
    let deadline = clock.now + patience
    while !messages.withLock({ $0.contains(where: isMeant) }), clock.now < deadline {
      clock.wait(for: arrival, until: deadline)
    }
  }

  private func take() -> [Message] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
