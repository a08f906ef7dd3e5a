import AssetLibrary
import Fixtures
import Testing

@testable import Imaging

/// The answers to a request, by delivery mode.
@Suite struct RequestDeliveryTests {
  struct Example: Sendable, CustomTestStringConvertible {
    var mode: ImageRequestOptions.DeliveryMode
    var hasThumbnail: Bool
    /// Whether the thumbnail is usable.
    var thumbnailWorks = true
    var jobs: [JobPhase]
    var answers: [RequestAnswer]

    var testDescription: String { "\(mode), thumbnail \(hasThumbnail), usable \(thumbnailWorks)" }
  }

  static let examples = [
    Example(mode: .opportunistic, hasThumbnail: false, jobs: [.final], answers: [.last(1)]),
    Example(
      mode: .opportunistic, hasThumbnail: true, jobs: [.degraded, .final], answers: [.first(1), .last(1)]),
    Example(
      mode: .opportunistic, hasThumbnail: true, thumbnailWorks: false, jobs: [.degraded, .final],
      answers: [.last(1)]),
    Example(mode: .highQualityFormat, hasThumbnail: true, jobs: [.final], answers: [.last(1)]),
    Example(mode: .highQualityFormat, hasThumbnail: false, jobs: [.final], answers: [.last(1)]),
    Example(mode: .fastFormat, hasThumbnail: true, jobs: [.degraded], answers: [.last(1)]),
    Example(
      mode: .fastFormat, hasThumbnail: true, thumbnailWorks: false, jobs: [.degraded, .final],
      answers: [.last(1)]),
    Example(mode: .fastFormat, hasThumbnail: false, jobs: [.final], answers: [.last(1)]),
  ]

  @Test(arguments: examples)
  func `Each mode has its own sequence of answers`(example: Example) {
    var table = RequestTable()
    table.submit(
      1, .of("a", delivery: example.mode, hasThumbnail: example.hasThumbnail), priority: .visible)
    var jobs: [JobPhase] = []
    var answers: [RequestAnswer] = []
    while let job = table.nextJob() {
      jobs.append(job.phase)
      let succeeded = job.phase == .final || example.thumbnailWorks
      answers += table.finish(job, succeeded: succeeded)
    }
    #expect(jobs == example.jobs)
    #expect(answers == example.answers)
    #expect(table.isEmpty)
  }

  private static let unreachable = RequestAnswer(id: 1, content: .unreachable, isLast: true)

  @Test(arguments: [true, false])
  func `If the original is unavailable, a usable thumbnail precedes the failure`(
    thumbnailWorks: Bool
  ) throws {
    var table = RequestTable()
    let away = SourceState(isRemote: true, hasThumbnail: true)
    let heard = table.submit(1, WorkRequest(.of("a")), priority: .visible, source: away)
    #expect(heard == [])
    let job = try table.job()
    #expect(job.phase == .degraded)
    #expect(
      table.finish(job, succeeded: thumbnailWorks) == (thumbnailWorks ? [.first(1)] : []) + [Self.unreachable]
    )
    #expect(table.isEmpty)
  }

  @Test(
    arguments: [(true, .highQualityFormat), (false, .opportunistic), (false, .fastFormat)]
      as [(Bool, ImageRequestOptions.DeliveryMode)])
  func `If there is nothing to wait for, the failure is reported at once`(
    hasThumbnail: Bool, mode: ImageRequestOptions.DeliveryMode
  ) {
    var table = RequestTable()
    let away = SourceState(isRemote: true, hasThumbnail: hasThumbnail)
    let heard = table.submit(1, WorkRequest(.of("a", delivery: mode)), priority: .visible, source: away)
    #expect(heard == [Self.unreachable])
    #expect(table.isEmpty)
  }

  @Test func `A failed final job is an answer too`() throws {
    var table = RequestTable()
    table.submit(1, .of("a"), priority: .visible)
    let job = try table.job()
    #expect(table.finish(job, succeeded: false) == [.last(1)])
    #expect(table.isEmpty)
  }

  @Test(arguments: [ImageRequestOptions.DeliveryMode.opportunistic, .fastFormat])
  func `A final picture found in place of a degraded one completes the request`(
    mode: ImageRequestOptions.DeliveryMode
  ) throws {
    var table = RequestTable()
    table.submit(1, .of("a", delivery: mode, hasThumbnail: true), priority: .visible)
    table.submit(2, .of("a", delivery: .highQualityFormat), priority: .visible)
    let job = try table.job()
    #expect(job.phase == .degraded)
    #expect(table.finished(job, given: .final) == [.last(1), .last(2)])
    #expect(table.isEmpty)
  }

  @Test func `A request made during the final job gets only the final picture`() throws {
    var table = RequestTable()
    table.submit(1, .of("a", delivery: .highQualityFormat, hasThumbnail: true), priority: .visible)
    let job = try table.job()
    table.submit(2, .of("a", hasThumbnail: true), priority: .visible)
    #expect(table.nextJob() == nil)
    #expect(table.finish(job) == [.last(1), .last(2)])
  }

  @Test func `No request gets the degraded picture twice`() throws {
    var table = RequestTable()
    table.submit(1, .of("a", hasThumbnail: true), priority: .visible)
    let first = try table.job()
    #expect(table.finish(first) == [.first(1)])
    table.submit(2, .of("a", hasThumbnail: true), priority: .visible)
    let second = try table.job()
    #expect(second.phase == .degraded)
    #expect(table.finish(second) == [.first(2)])
    let final = try table.job()
    #expect(table.finish(final) == [.last(1), .last(2)])
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `Every request ends exactly once`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = RequestTable()
    var waiting: Set<UInt64> = []
    var running: [ImageJob] = []
    let modes: [ImageRequestOptions.DeliveryMode] = [.opportunistic, .highQualityFormat, .fastFormat]
    for id in 1...1000 as ClosedRange<UInt64> {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        let request = ImageRequest.of(
          "\(Int.random(in: 0..<6, using: &random))",
          delivery: modes.randomElement(using: &random) ?? .fastFormat,
          hasThumbnail: Bool.random(using: &random))
        let priority = ImagePriority.allCases.randomElement(using: &random) ?? .visible
        table.submit(ImageRequestID(rawValue: id), request, priority: priority)
        waiting.insert(id)
      case 2:
        guard let victim = waiting.sorted().randomElement(using: &random) else { continue }
        #expect(table.cancel(ImageRequestID(rawValue: victim)).wasWaiting)
        waiting.remove(victim)
      case 3:
        if let job = table.nextJob(Bool.random(using: &random) ? .all : .visible) { running.append(job) }
      default:
        finishOne(&table, &running, &waiting, &random)
      }
      #expect(table.isEmpty == waiting.isEmpty)
    }
    while !running.isEmpty { finishOne(&table, &running, &waiting, &random) }
    while let job = table.nextJob() {
      running.append(job)
      finishOne(&table, &running, &waiting, &random)
    }
    #expect(waiting.isEmpty)
    #expect(table.isEmpty)
  }

  private func finishOne(
    _ table: inout RequestTable, _ running: inout [ImageJob], _ waiting: inout Set<UInt64>,
    _ random: inout SeededGenerator
  ) {
    guard let index = running.indices.randomElement(using: &random) else { return }
    let job = running.remove(at: index)
    for answer in table.finish(job, succeeded: Bool.random(using: &random)) {
      #expect(waiting.contains(answer.id.rawValue))
      if answer.isLast { waiting.remove(answer.id.rawValue) }
    }
  }
}
