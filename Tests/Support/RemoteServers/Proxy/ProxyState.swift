import Dispatch
import Glibc
import Synchronization

/// State shared between a ``FaultProxy``'s thread and its users.
final class ProxyState: Sendable {
  struct Content {
    var script = FaultScript()
    /// The version of the script: a connection without requests applies a new script when it changes.
    var scriptNumber = 0
    var link = LinkConditions()
    var isGone = false
    var isEnded = false
    var counters = ProxyCounters()
    var requests: [ProxyRequest] = []
    /// Users waiting for the thread to apply the state.
    var waiting: [DispatchSemaphore] = []
  }

  private static let longestRecord = 10_000

  let content = Mutex(Content())
  /// Written to after a change; the thread reads from the other end.
  private let writing: Int32
  let reading: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "no pipe for a proxy")
    for end in ends { neverWait(end) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Makes a change and waits until the thread has applied it.
  func order(_ change: (inout Content) -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    content.withLock { content in
      change(&content)
      content.waiting.append(isDone)
    }
    write(writing, [0], 1)
    isDone.wait()
  }

  /// Returns the current orders and wakes the waiting users.
  func orders() -> (isGone: Bool, isEnded: Bool, link: LinkConditions, waiting: [DispatchSemaphore]) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(reading, &bytes, bytes.count) > 0 {}
    return content.withLock { content in
      defer { content.waiting = [] }
      return (content.isGone, content.isEnded, content.link, content.waiting)
    }
  }

  /// Chooses and records the fault for the next request; `head` is `nil` without HTTP.
  func decide(on head: HTTPHead?) -> (shaper: AnswerShaper, scriptNumber: Int) {
    content.withLock { content in
      let (fault, random) = content.script.next(for: head?.line)
      if let head, content.requests.count < Self.longestRecord {
        content.requests.append(
          ProxyRequest(line: head.line, range: head.value(of: "Range"), fault: fault))
      }
      return (AnswerShaper(fault, random: random), content.scriptNumber)
    }
  }

  func count(_ change: (inout ProxyCounters) -> Void) {
    content.withLock { change(&$0.counters) }
  }
}
