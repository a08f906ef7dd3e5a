import AssetLibrary
import Testing

@testable import Imaging

/// The order in which the request table returns jobs.
@Suite struct RequestOrderTests {
  private func order(_ table: RequestTable) -> [String] {
    var table = table
    var order: [String] = []
    while let job = table.nextJob() {
      order.append("\(job.asset.id) \(job.phase)")
      _ = table.finish(job)
    }
    return order
  }

  @Test func `Urgent jobs come first`() {
    var table = RequestTable()
    for (index, priority) in ImagePriority.allCases.enumerated() {
      table.submit(ImageRequestID(rawValue: UInt64(index)), .of("\(priority)"), priority: priority)
    }
    #expect(order(table) == ["preview final", "visible final", "preheat final", "prefetch final"])
  }

  @Test func `The degraded picture precedes the final one`() {
    var table = RequestTable()
    table.submit(1, .of("a", hasThumbnail: true), priority: .visible)
    #expect(order(table) == ["a degraded", "a final"])
  }

  @Test func `Degraded visible pictures precede everything`() {
    var table = RequestTable()
    table.submit(1, .of("a", hasThumbnail: true), priority: .visible)
    table.submit(2, .of("b", hasThumbnail: true), priority: .visible)
    table.submit(3, .of("p"), priority: .preview)
    #expect(order(table) == ["b degraded", "a degraded", "p final", "b final", "a final"])
  }

  @Test func `Degraded pictures that are not visible wait`() {
    var table = RequestTable()
    table.submit(1, .of("v"), priority: .visible)
    table.submit(2, .of("a", hasThumbnail: true), priority: .preheat)
    #expect(order(table) == ["v final", "a degraded", "a final"])
  }

  @Test func `Of visible pictures the newest request comes first`() {
    var table = RequestTable()
    for id in 1...5 { table.submit(ImageRequestID(rawValue: UInt64(id)), .of("\(id)"), priority: .visible) }
    #expect(order(table) == ["5 final", "4 final", "3 final", "2 final", "1 final"])
    table.setPriority(.visible, of: 2)
    #expect(order(table).first == "2 final")
  }

  @Test func `A request's priority can be raised and lowered`() {
    var table = RequestTable()
    table.submit(1, .of("a"), priority: .prefetch)
    table.submit(2, .of("b"), priority: .visible)
    table.setPriority(.preview, of: 1)
    #expect(order(table) == ["a final", "b final"])
    table.setPriority(.prefetch, of: 1)
    #expect(order(table) == ["b final", "a final"])
    table.setPriority(.preview, of: 9)
    #expect(order(table) == ["b final", "a final"])
  }

  @Test(arguments: [(ImagePriority.prefetch, true), (.preheat, true), (.visible, false), (.preview, false)])
  func `Prefetches are withheld while background work is not allowed`(priority: ImagePriority, isGuess: Bool)
  {
    var table = RequestTable()
    table.submit(1, .of("a"), priority: priority)
    var other = table
    #expect((other.nextJob(.visible) == nil) == isGuess)
    #expect(table.nextJob()?.isBackground == isGuess)
  }
}
