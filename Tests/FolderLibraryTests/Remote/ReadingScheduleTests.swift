import Testing

@testable import FolderLibrary

/// Which remote file is read next.
///
/// No threads, files or clocks are involved.
@Suite struct ReadingScheduleTests {
  /// A schedule and the library that it queries: assets 0 to 99 are in folder 0, 100 to 199 in folder 1, and so on.
  private struct Desk {
    var schedule = ReadingSchedule()
    var now = ContinuousClock.now
    var connections = 8
    /// Assets that have been read.
    var read: Set<UInt64> = []

    /// The work that a new thread gets; nil if none may start or no work is left.
    mutating func next() -> ReadingSchedule.Work? {
      guard schedule.addThread() else { return nil }
      return goOn()
    }

    /// The next work for a running thread.
    mutating func goOn() -> ReadingSchedule.Work? {
      let (read, connections) = (read, connections)
      return schedule.next(
        at: now,
        unread: { $0.filter { !read.contains($0) }.map { ($0, Int($0 / 100)) } },
        connections: { _ in connections })
    }

    /// Marks all assets of a batch as read.
    @discardableResult
    mutating func finish(_ work: ReadingSchedule.Work?) -> ReadingSchedule.FollowUp? {
      guard case .batch(let batch)? = work else { return nil }
      read.formUnion(batch.assets)
      return schedule.finish(batch, .init(described: Set(batch.assets)), at: now)
    }

    @discardableResult
    mutating func fail(_ work: ReadingSchedule.Work?) -> ReadingSchedule.FollowUp? {
      guard case .batch(let batch)? = work else { return nil }
      return schedule.finish(batch, .init(isUnreachable: true), at: now)
    }

    mutating func want(_ assets: [UInt64], thumbnails: [UInt64] = []) -> Bool {
      schedule.want(assets, thumbnails.map { MissingThumbnail(asset: $0, version: $0 + 1000) })
    }

    /// Reads all assets that are unread, higher numbers first.
    mutating func readAll(_ assets: some Sequence<UInt64>) {
      schedule.readAll()
      schedule.setBatches(assets.map { (Int($0 / 100), $0, Int64($0)) })
    }
  }

  private static func visible(_ assets: [UInt64], in folder: Int = 0) -> ReadingSchedule.Work {
    .batch(UnreadAssets(folder: folder, assets: assets, isWanted: true))
  }

  private static func others(_ assets: [UInt64], in folder: Int = 0) -> ReadingSchedule.Work {
    .batch(UnreadAssets(folder: folder, assets: assets, isWanted: false))
  }

  private static func thumbnail(_ asset: UInt64) -> ReadingSchedule.Work {
    .thumbnail(MissingThumbnail(asset: asset, version: asset + 1000))
  }

  @Test func `Visible headers are read first, then visible thumbnails, then all others`() {
    var desk = Desk()
    desk.readAll([7, 8])
    #expect(desk.want([1, 2], thumbnails: [3, 4]) == true)
    let first = desk.next()
    #expect(first == Self.visible([1, 2]))
    // Nothing else uses the network while visible work is left.
    #expect(desk.next() == nil && desk.schedule.hasVisibleWork)
    desk.finish(first)
    #expect(desk.goOn() == Self.thumbnail(4) && desk.next() == Self.thumbnail(3))
    #expect(desk.next() == Self.others([8, 7]))
    #expect(desk.next() == nil)
  }

  @Test func `During the first listing of folders only visible assets are read`() {
    var desk = Desk()
    desk.schedule.beginListing()
    #expect(desk.next() == nil && !desk.schedule.needsBatches)
    #expect(desk.want([1]) == true)
    #expect(desk.schedule.awaits(.readAndListed))
    let work = desk.next()
    #expect(work == Self.visible([1]))
    desk.finish(work)
    #expect(desk.goOn() == nil && desk.schedule.isIdle)
    #expect(!desk.schedule.awaits(.read) && desk.schedule.awaits(.readAndListed))
    desk.schedule.endListing()
    #expect(!desk.schedule.awaits(.readAndListed))
  }

  @Test func `The first visible batch has the network to itself, and later ones run three at a time`() {
    var desk = Desk()
    #expect(desk.want(Array(0..<20)) == true)
    let first = desk.next()
    // The most urgent asset was requested last; the batch size is the server's preferred number of requests.
    #expect(first == Self.visible([16, 17, 18, 19]))
    #expect(desk.next() == nil)
    #expect(desk.finish(first)?.startsThreads == true)
    #expect(desk.goOn() == Self.visible([12, 13, 14, 15]))
    #expect(desk.next() == Self.visible([8, 9, 10, 11]) && desk.next() == Self.visible([4, 5, 6, 7]))
    // A fourth thread is not started.
    #expect(desk.next() == nil)
  }

  @Test(arguments: [(1, [9]), (2, [8, 9]), (4, [6, 7, 8, 9]), (8, [6, 7, 8, 9])] as [(Int, [UInt64])])
  func `A visible batch has at most four assets, fewer if connections are expensive`(
    connections: Int, assets: [UInt64]
  ) {
    var desk = Desk()
    desk.connections = connections
    #expect(desk.want(Array(0..<10)) == true)
    #expect(desk.next() == Self.visible(assets))
  }

  @Test func `A visible batch is from one folder, that of the most urgent asset`() {
    var desk = Desk()
    #expect(desk.want([1, 101, 2, 102]) == true)
    let first = desk.next()
    #expect(first == Self.visible([101, 102], in: 1))
    desk.finish(first)
    #expect(desk.goOn() == Self.visible([1, 2]))
  }

  @Test func `All other assets are read newest first, in batches of one folder`() {
    var desk = Desk()
    desk.readAll(Array(0..<60) + Array(150..<160))
    #expect(desk.next() == Self.others(Array((150..<160).reversed()), in: 1))
    #expect(desk.next() == Self.others(Array((12..<60).reversed())))
    #expect(desk.next() == Self.others(Array((0..<12).reversed())))
  }

  @Test func `An asset that becomes visible while its batch is read is not read twice`() {
    var desk = Desk()
    desk.readAll([1, 2, 3])
    let others = desk.next()
    #expect(desk.want([2]) == true)
    // The rest of the batch yields, and the asset is not started again.
    #expect(desk.schedule.hasVisibleWork && desk.next() == nil)
    guard case .batch(let batch)? = others else { return }
    desk.read = [2]
    let followUp = desk.schedule.finish(batch, .init(described: [2], postponed: [1, 3]), at: desk.now)
    #expect(followUp.startsThreads && !desk.schedule.hasVisibleWork)
    // It counts as read for a client that displays it.
    #expect(!desk.schedule.awaits(.firstRead) && !desk.schedule.awaits(.firstLook))
    #expect(desk.goOn() == Self.others([1, 3]))
  }

  @Test func `An unreadable file is not requested again in this run`() {
    var desk = Desk()
    #expect(desk.want([1, 2]) == true)
    guard case .batch(let batch)? = desk.next() else { return }
    _ = desk.schedule.finish(batch, .init(described: [1], failed: [2]), at: desk.now)
    #expect(desk.schedule.failed == [2])
    _ = desk.want([2])
    #expect(desk.goOn() == nil)
    desk.readAll([2, 3])
    #expect(desk.next() == Self.others([3]))
  }

  @Test func `A file version without a usable thumbnail is not retried`() {
    var desk = Desk()
    #expect(desk.want([], thumbnails: [1]) == true)
    #expect(desk.next() == Self.thumbnail(1))
    let missing = MissingThumbnail(asset: 1, version: 1001)
    #expect(desk.schedule.finish(missing, .nothing, at: desk.now).saves == false)
    #expect(desk.want([], thumbnails: [1]) == false)
    // A new version of the file counts as another file.
    #expect(desk.schedule.want([], [MissingThumbnail(asset: 1, version: 7)]) == true)
  }

  @Test func `A thumbnail that was postponed for a header is requested again`() {
    var desk = Desk()
    #expect(desk.want([], thumbnails: [1]) == true)
    #expect(desk.next() == Self.thumbnail(1))
    #expect(desk.want([5]) == true)
    let missing = MissingThumbnail(asset: 1, version: 1001)
    #expect(desk.schedule.finish(missing, .postponed, at: desk.now).startsThreads == false)
    let header = desk.goOn()
    #expect(header == Self.visible([5]))
    desk.finish(header)
    #expect(desk.goOn() == Self.thumbnail(1))
  }

  @Test func `An unreachable server is retried after a pause that doubles up to one minute`() {
    var desk = Desk()
    var pauses: [Duration] = []
    #expect(desk.want([1]) == true)
    for _ in 0..<8 {
      let followUp = desk.fail(desk.next())
      guard let pause = followUp?.pause else { break }
      #expect(followUp?.startsThreads == false && followUp?.saves == true)
      pauses.append(pause)
      // The server's thread ends, and no work is available until the pause is over.
      #expect(desk.goOn() == nil)
      desk.now += pause - .milliseconds(1)
      #expect(desk.next() == nil && !desk.schedule.awaits(.read))
      desk.now += .milliseconds(1)
    }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    // What was visible is requested first once the server is back; the next pause is short again.
    let work = desk.next()
    #expect(work == Self.visible([1]))
    desk.finish(work)
    #expect(desk.want([2]) == true)
    #expect(desk.fail(desk.goOn())?.pause == .seconds(1))
  }

  @Test func `The list of unread assets is rebuilt after a server was unreachable`() {
    var desk = Desk()
    desk.readAll(0..<100)
    #expect(!desk.schedule.needsBatches)
    desk.fail(desk.next())
    #expect(desk.schedule.needsBatches)
    #expect(desk.goOn() == nil)
    desk.now += .seconds(1)
    desk.schedule.setBatches([(0, 5, 5)])
    #expect(desk.next() == Self.others([5]))
  }

  @Test func `A stopped schedule returns no work, blocks no client, and can be resumed`() {
    var desk = Desk()
    #expect(desk.want([1]) == true)
    desk.schedule.stop()
    #expect(desk.next() == nil)
    #expect(desk.want([2]) == false)
    for reads in [AwaitedReads.firstLook, .firstRead, .read, .readAndListed] {
      #expect(!desk.schedule.awaits(reads))
    }
    desk.schedule.resume()
    #expect(desk.next() == Self.visible([1]))
  }

  @Test func `A server that fails while the schedule is stopped starts no pause`() {
    var desk = Desk()
    #expect(desk.want([1], thumbnails: [2]) == true)
    let work = desk.next()
    desk.schedule.stop()
    let followUp = desk.fail(work)
    #expect(followUp != nil && followUp?.pause == nil)
    let missing = MissingThumbnail(asset: 2, version: 1002)
    #expect(desk.schedule.finish(missing, .unreachable, at: desk.now).pause == nil)
  }

  @Test func `Of very many visible assets the most recent are kept`() {
    var desk = Desk()
    desk.connections = 1
    for asset in 0..<1000 as Range<UInt64> { #expect(desk.want([asset % 500]) == true) }
    var found: [UInt64] = []
    var work = desk.next()
    while case .batch(let batch)? = work {
      found += batch.assets
      desk.finish(work)
      work = desk.goOn()
    }
    #expect(found == Array((100..<500).reversed()))
  }

  @Test func `Metadata is saved once per folder, when its last batch is done`() {
    var desk = Desk()
    desk.readAll([1, 101])
    let (first, second) = (desk.next(), desk.next())
    #expect(desk.schedule.takeUnsaved() == [])
    #expect(desk.finish(first)?.saves == true)
    desk.finish(second)
    #expect(desk.schedule.takeUnsaved() == [0, 1])
    #expect(desk.schedule.takeUnsaved() == [])
  }

  @Test func `Less urgent requests wait for the first screen, the first answer, or all visible assets`() {
    var desk = Desk()
    #expect(
      desk.schedule.awaits(.firstLook) && !desk.schedule.awaits(.firstRead) && !desk.schedule.awaits(.read))
    #expect(desk.want([1, 101]) == true)
    #expect(
      !desk.schedule.awaits(.firstLook) && desk.schedule.awaits(.firstRead) && desk.schedule.awaits(.read))
    desk.finish(desk.next())
    #expect(!desk.schedule.awaits(.firstRead) && desk.schedule.awaits(.read))
    desk.finish(desk.goOn())
    #expect(!desk.schedule.awaits(.read) && !desk.schedule.awaits(.firstLook))
  }
}
