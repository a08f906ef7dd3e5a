package import AssetLibrary
import Dispatch
package import PickerUI
import Synchronization
package import TerminalGraphics

/// Runs a picker: receives events, updates the state, performs its effects, and draws.
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
  /// Whether the mouse may show stills in the grid; otherwise the state, which is large, is not asked about it.
  private let scrubsInGrid: Bool
  /// When the last frame was started.
  private var drawn = Duration.zero
  /// Whether the library has answered a fetch.
  private var isFetched = false
  private(set) var ending: Ending?

  /// - Parameters:
  ///   - options: the caller's options for the picker.
  ///   - terminal: already set up for the picker; `run` restores it.
  ///   - mailbox: also receives the terminal's events.
  ///   - programs: runs the caller's programs.
  ///   - player: the user's own player; nil if no program can be started.
  ///   - delivery: delivers the result before the picker ends; nil if the caller does so afterwards.
  ///   - report: called on the thread of `run` with the picks after each change, or with the asset under the
  ///     cursor, if the configuration asks for that.
  ///   - reportUnknown: called on the thread of `run` with preselected assets that the library does not have.
  package init(
    _ options: PickerState.Options, on terminal: any PickerTerminal, mailbox: Mailbox<LoopEvent>,
    library: PickerLibrary, consent: ConsentScreen, works: WorkReporter = WorkReporter(),
    pictures pictureOptions: PictureOptions = PictureOptions(), clock: any RuntimeClock = SystemClock(),
    programs: ProgramRunner? = nil, player: MediaPlayer? = nil, delivery: ResultDelivery? = nil,
    report: (([Asset]) -> Void)? = nil,
    reportUnknown: (([LocalIdentifier]) -> Void)? = nil
  ) {
    self.terminal = terminal
    self.mailbox = mailbox
    self.clock = clock
    let post: @Sendable (PickerMessage) -> Void = { mailbox.post(.message($0)) }
    pictures = PictureStore(
      pictureOptions, on: terminal.traits, cell: pictureOptions.cellSize ?? terminal.window.cell,
      manager: library.user, clock: clock, onRetryDue: { mailbox.post(.retryDue) }, post: post)
    let link = LinkWatcher(
      isAnswered: terminal.traits.confirmsDrawing,
      speed: LinkSpeed(
        roundTrip: terminal.traits.roundTrip, bytesPerSecond: pictureOptions.bytesPerSecond,
        isRemote: terminal.traits.environment.isRemote, setting: terminal.traits.environment.link),
      clock: clock, mailbox: mailbox)
    self.link = link
    _ = pictures.setQuality(link.quality, isLinkSlow: link.isSlow)
    writer = ScreenWriter(terminal: terminal, pictures: pictures, link: link, clock: clock)
    display = Display(terminal, writer, pictures, link, cellSize: pictureOptions.cellSize)
    effects = EffectPerformer(
      library: library, consent: consent, works: works, terminal: terminal, display: display,
      pictures: pictures, clock: clock,
      caller: EffectPerformer.Caller(
        programs: programs, player: player, delivery: delivery, report: report, reportUnknown: reportUnknown),
      post: post)
    scrubsInGrid = options.screen.scrubsInGrid
    state = PickerState(options: options, metrics: display.metrics)
  }

  /// Measured bandwidth of the link to the terminal; nil if unknown.
  package var bytesPerSecond: Double? { link.bytesPerSecond }

  /// Shows the picker until it ends, and restores the terminal.
  /// - Throws: `TerminalError` if the terminal disappears.
  package func run() throws(TerminalError) -> Ending {
    defer { close() }
    try begin()
    while true {
      if let ending { return ending }
      try draw()
      // Most movements of the mouse change nothing, and there may be hundreds a second.
      while ending == nil, try !handle(mailbox.takeAll()) {}
    }
  }

  /// Performs the initial effects.
  func begin() throws(TerminalError) {
    effects.connect()
    try perform(Picker.start(state))
    if let fallback = display.fallback {
      try perform(Picker.update(&state, .fallback(name: fallback.name, words: fallback.words)))
    }
  }

  /// Handles the confirmation that all pictures are drawn, or its timeout, and says if blocks replace them from now on.
  private func linkAnswered(_ isAnswer: Bool) throws(TerminalError) -> PickerMessage? {
    guard let metrics = try display.pictureLinkAnswered(isAnswer) else { return nil }
    let fallback = display.fallback
    try perform(
      Picker.update(&state, fallback.map { .fallback(name: $0.name, words: $0.words) } ?? .fallbackEnded))
    return .resized(metrics)
  }

  /// Restores the terminal and ends what is in progress; no consent can be requested any more.
  func close() {
    effects.disconnect()
    display.end()
    effects.abandonDelivery()
    effects.finishEdits()
  }

  /// Draws the state; interrupted when an event arrives.
  func draw() throws(TerminalError) {
    // The mouse is not reported any more, for instance because the link has turned out to be slow.
    if scrubsInGrid, !pictures.playsInGrid, Picker.isScrubbing(state) {
      try perform(Picker.update(&state, .mouse(Self.leave)))
    }
    drawn = clock.now
    let mailbox = mailbox
    try writer.write(
      Picker.view(state), isInterrupted: { mailbox.contains { !$0.isMotion } },
      hasTerminalInput: { mailbox.contains(where: \.isFromTerminal) })
    terminal.setTitle(Picker.windowTitle(state))
    if scrubsInGrid { terminal.setMotionReports(pictures.playsInGrid && Picker.wantsMotion(state)) }
    if isFetched, !pictures.hasPendingVisiblePictures { effects.allowBackgroundWork() }
  }

  /// Handles events, including those that arrive meanwhile: while a key is held, only the latest state is drawn.
  /// - Returns: whether the screen may have changed.
  @discardableResult
  func handle(_ arrived: [LoopEvent]) throws(TerminalError) -> Bool {
    var events = arrived
    var hasNews = false
    while ending == nil, !events.isEmpty {
      for event in events.combined where ending == nil {
        let message = try message(of: event)
        if let message { try perform(Picker.update(&state, message)) }
        hasNews = hasNews || message != nil || !event.isMotion
      }
      events = mailbox.takeAll(within: pause(after: events))
    }
    if ending == nil { effects.reportCursorAsset() }
    return hasNews
  }

  /// Returns how long to wait for more events before drawing: if only pictures arrived and other visible ones are
  /// pending, they share a frame.
  private func pause(after events: [LoopEvent]) -> Duration {
    guard events.allSatisfy({ $0.pictures != nil }), pictures.hasPendingVisiblePictures else { return .zero }
    return drawn + Self.frameTime - clock.now
  }

  /// Minimum time between frames of arriving pictures: a screen's refresh interval.
  static let frameTime: Duration = .milliseconds(8)

  /// Returns the picker's message for an event; nil if the event concerns only the terminal.
  private func message(of event: LoopEvent) throws(TerminalError) -> PickerMessage? {
    switch event {
    case .message(let message):
      if case .fetched = message { isFetched = true }
      return message
    case .terminal(.key(let key)): return .key(key)
    case .terminal(.mouse(let event)) where event.isMotion:
      // Outside of the picker's part of the screen it has left.
      let movement = event.action == .leave ? Self.leave : terminal.event(event) ?? Self.leave
      return Picker.ignores(movement, in: state) ? nil : .mouse(movement)
    case .terminal(.mouse(let event)): return terminal.event(event).map(PickerMessage.mouse)
    case .terminal(.paste(let text)): return .paste(text)
    case .terminal(.focus(let hasFocus)): return .focused(hasFocus)
    case .terminal(.end(let signal)):
      ending = .signal(signal)
      return nil
    case .terminal(.windowChanged): return try display.windowChanged().map(PickerMessage.resized)
    case .terminal(.cellSize(let size)): return try display.cellSizeAnswered(size).map(PickerMessage.resized)
    case .terminal(.answer(let bytes)):
      guard let metrics = try display.answerCame(bytes) else { return nil }
      if display.fallback == nil { try perform(Picker.update(&state, .fallbackEnded)) }
      return .resized(metrics)
    case .terminal(.colorSchemeChanged):
      try display.colorSchemeChanged()
      return nil
    case .terminal(.cursorPlace): return nil
    case .terminal(.allDrawn): return try linkAnswered(true)
    case .dismissed:
      ending = .outcome(.cancelled)
      return nil
    case .retryDue:
      pictures.retry()
      return nil
    case .answerOverdue: return try linkAnswered(false)
    case .terminal(.suspend): return try display.suspend().map(PickerMessage.resized)
    case .terminal(.resumed): return try display.resumed().map(PickerMessage.resized)
    }
  }

  private static let leave = MouseEvent(.leave, row: 0, column: 0)

  /// Performs effects, and those of the updates that follow from them at once.
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

/// An event for the run loop.
package enum LoopEvent: Sendable {
  case terminal(TerminalEvent)
  case message(PickerMessage)
  /// The terminal has not confirmed in time that everything is drawn.
  case answerOverdue
  /// Pictures that failed temporarily can be requested again.
  case retryDue
  /// The program that shows the picker dismisses it.
  case dismissed

  /// Whether it is a key or another event of the terminal, except the confirmation that pictures are drawn, and
  /// movements of the mouse without a button.
  var isFromTerminal: Bool {
    if case .terminal(let event) = self { event != .allDrawn && !isMotion } else { false }
  }

  /// Whether the mouse has moved without a button.
  var isMotion: Bool { if case .terminal(.mouse(let event)) = self { event.isMotion } else { false } }

  /// Statuses of pictures that have arrived; nil for other events.
  var pictures: [PictureKey: PictureStatus]? {
    if case .message(.pictures(let statuses)) = self { statuses } else { nil }
  }
}

extension [LoopEvent] {
  /// The events with consecutive picture events merged, because each one makes the picker examine all pictures, and
  /// of consecutive movements of the mouse only the last one.
  var combined: [LoopEvent] {
    reduce(into: []) { merged, event in
      if let new = event.pictures, let known = merged.last?.pictures {
        merged[merged.count - 1] = .message(.pictures(known.merging(new) { $1 }))
      } else if event.isMotion, merged.last?.isMotion ?? false {
        merged[merged.count - 1] = event
      } else {
        merged.append(event)
      }
    }
  }
}

/// A queue of messages from any thread for one receiver.
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

  /// Returns whether a matching message is waiting.
  package func contains(where isMeant: (Message) -> Bool) -> Bool {
    messages.withLock { $0.contains(where: isMeant) }
  }

  package func removeAll(where isMeant: (Message) -> Bool) {
    messages.withLock { $0.removeAll(where: isMeant) }
  }

  /// Removes and returns all messages, in order; waits until there is at least one.
  package func takeAll() -> [Message] {
    while true {
      let taken = take()
      if !taken.isEmpty { return taken }
      arrival.wait()
    }
  }

  /// Removes and returns all messages, in order; waits at most `patience` for the first.
  package func takeAll(within patience: Duration) -> [Message] {
    wait(within: patience) { _ in true }
    return take()
  }

  /// Waits at most `patience` for a matching message, without removing it.
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
