import Dispatch
import Glibc
import Synchronization

/// What the thread of a ``FaultProxy`` shares with those who use it.
final class ProxyState: Sendable {
  struct Content {
    var script = FaultScript()
    /// Which script it is: a connection without requests takes the new one when it changes.
    var scriptNumber = 0
    var link = LinkConditions()
    var isGone = false
    var isEnded = false
    var counters = ProxyCounters()
    var requests: [ProxyRequest] = []
    /// Those who wait until the thread does what stands here.
    var waiting: [DispatchSemaphore] = []
  }

  private static let longestRecord = 10_000

  let content = Mutex(Content())
  /// Written to when something has changed; the thread reads from the other end.
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

  /// Changes something and waits until the thread does so.
  func order(_ change: (inout Content) -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    content.withLock { content in
      change(&content)
      content.waiting.append(isDone)
    }
    write(writing, [0], 1)
    isDone.wait()
  }

  /// What is to be done now; the thread then calls those who wait for it.
  func orders() -> (isGone: Bool, isEnded: Bool, link: LinkConditions, waiting: [DispatchSemaphore]) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(reading, &bytes, bytes.count) > 0 {}
    return content.withLock { content in
      defer { content.waiting = [] }
      return (content.isGone, content.isEnded, content.link, content.waiting)
    }
  }

  /// What happens to the next request, which is noted down; `head` is `nil` without HTTP.
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
