import AssetLibrary
import Pixels
import Testing

@testable import Imaging

@Suite struct RequestTableTests {
  @Test func `Equal requests share one job, and each is answered`() throws {
    var table = RequestTable()
    table.submit(1, .of("a"), priority: .visible)
    table.submit(2, .of("a"), priority: .visible)
    let job = try table.job()
    #expect(table.nextJob() == nil)
    #expect(table.finish(job) == [.last(1), .last(2)])
    #expect(table.isEmpty)
  }

  static let different: [ImageRequest] = [
    .of("b"), .of("a", side: 51), .of("a", mode: .aspectFill), .of("a", modified: 7),
  ]

  @Test(arguments: different)
  func `Requests for different pixels are different jobs`(other: ImageRequest) throws {
    var table = RequestTable()
    table.submit(1, .of("a"), priority: .visible)
    table.submit(2, other, priority: .visible)
    let first = try table.job()
    #expect(table.nextJob() != nil)
    #expect(table.finish(first) == [.last(2)])
  }

  @Test func `A job is as urgent as its most urgent request`() {
    var table = RequestTable()
    table.submit(1, .of("a"), priority: .prefetch)
    table.submit(2, .of("b"), priority: .preheat)
    table.submit(3, .of("a"), priority: .visible)
    var withoutUrgent = table
    #expect(table.nextJob()?.asset.id == "a")
    _ = withoutUrgent.cancel(3)
    #expect(withoutUrgent.nextJob()?.asset.id == "b")
  }

  @Test func `A repeated job uses the latest information`() throws {
    var table = RequestTable()
    let away = SourceState(isRemote: true)
    var request = ImageRequest.of("a")
    request.options.isNetworkAccessAllowed = true
    _ = table.submit(1, WorkRequest(request), priority: .preview, source: away)
    let download = table.nextDownload()
    #expect(table.nextJob() == nil)
    var later = ImageRequest.of("a", hasThumbnail: true)
    later.options.isNetworkAccessAllowed = true
    let known = SourceState(isRemote: true, hasThumbnail: true)
    _ = table.submit(2, WorkRequest(later), priority: .preview, source: known)
    // The download of the original continues.
    #expect(download != nil && table.nextDownload() == nil && table.cancel(1).stop.isEmpty)
    let job = try table.job()
    #expect(job.phase == .degraded && job.asset.resources[0].thumbnail != nil)
    #expect(table.finish(job) == [.first(2)])
  }

  @Test func `A waiting job is dropped when its last request is canceled`() {
    var table = RequestTable()
    table.submit(1, .of("a"), priority: .visible)
    table.submit(2, .of("a"), priority: .visible)
    #expect(table.cancel(1).wasWaiting)
    #expect(!table.isEmpty)
    let (wasWaiting, stop) = table.cancel(2)
    #expect(wasWaiting)
    #expect(stop.isEmpty)
    #expect(table.isEmpty)
    #expect(table.nextJob() == nil)
  }

  @Test func `A running job is stopped when its last request is canceled, not earlier`() throws {
    var table = RequestTable()
    table.submit(1, .of("a"), priority: .visible)
    table.submit(2, .of("a"), priority: .visible)
    let job = try table.job()
    #expect(table.cancel(1).stop.isEmpty)
    #expect(table.cancel(2).stop == [job.run])
    #expect(table.finish(job).isEmpty)
  }

  @Test func `A request that is not pending can't be canceled`() throws {
    var table = RequestTable()
    #expect(!table.cancel(1).wasWaiting)
    table.submit(1, .of("a"), priority: .visible)
    let job = try table.job()
    _ = table.finish(job)
    #expect(!table.cancel(1).wasWaiting)
    table.submit(2, .of("a"), priority: .visible)
    #expect(table.cancel(2).wasWaiting)
    #expect(!table.cancel(2).wasWaiting)
  }

  @Test func `A replaced job answers none of the new requests`() throws {
    var table = RequestTable()
    table.submit(1, .of("a"), priority: .visible)
    let old = try table.job()
    _ = table.cancel(1)
    table.submit(2, .of("a"), priority: .visible)
    #expect(table.finish(old, succeeded: false).isEmpty)
    let new = try table.job()
    #expect(new != old)
    #expect(table.finish(old).isEmpty)
    #expect(table.finish(new) == [.last(2)])
  }
}
