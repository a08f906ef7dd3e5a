import PickerUI
import Synchronization
import Testing

@testable import PickerRuntime

@Suite(.serialized, .timeLimit(.minutes(120))) struct WorkReporterTests {
  private let works = WorkReporter()
  private let news = Mailbox<PickerMessage>()

  private func listen() { works.onNews { [news] in news.post($0) } }

  /// The received messages as text.
  private func heard() -> [String] {
    news.takeAll(within: .zero).map { message in
      switch message {
      case .work(let work): "\(work.id) \(work.done)"
      case .workEnded(let id, let message, let hasFailed):
        "\(id): \(message ?? "over")\(hasFailed ? "!" : "")"
      default: "?"
      }
    }
  }

  @Test func `A late listener gets the current progress of running work`() {
    works.begin(Work(id: "a", title: "exporting"))
    works.begin(Work(id: "b", title: "copying"))
    works.show(Work(id: "a", title: "exporting", done: 5))
    listen()
    #expect(heard() == ["a 5", "b 0"])
  }

  @Test func `Begin, progress and end arrive in order`() {
    listen()
    works.begin(Work(id: "a", title: "exporting"))
    works.show(Work(id: "a", title: "exporting", done: 2))
    works.end("a", message: "disk full", hasFailed: true)
    #expect(heard() == ["a 0", "a 2", "a: disk full!"])
  }

  @Test func `Progress of work that never began or has ended is not reported`() {
    listen()
    works.show(Work(id: "a", title: "exporting", done: 1))
    works.begin(Work(id: "a", title: "exporting"))
    works.end("a")
    works.show(Work(id: "a", title: "exporting", done: 2))
    #expect(heard() == ["a 0", "a: over"])
  }

  @Test func `Only running work that the user cancels is stopped`() {
    let stopped = Mutex<[String]>([])
    for id in ["a", "b"] {
      works.begin(Work(id: id, title: "exporting")) { stopped.withLock { $0.append(id) } }
    }
    works.stop("b")
    works.end("a")
    works.stop("a")
    #expect(stopped.withLock { $0 } == ["b"])
  }

  @Test func `The picker shows the work and can stop it`() async throws {
    let run = LoopRun(terminal: ScriptedTerminal(columns: 100))
    try await run.open()
    let stopped = Mutex(false)
    run.works.begin(Work(id: "a", title: "exporting", done: 12, total: 48, isStoppable: true)) {
      stopped.withLock { $0 = true }
    }
    try run.turn()
    #expect(run.terminal.shows("12 of 48"))
    try run.send(.key(.escape))
    #expect(stopped.withLock { $0 })
    run.works.end("a", message: "12 photos exported")
    try run.turn()
    #expect(run.terminal.shows("12 photos exported"))
  }
}
