import AssetLibrary
import Fixtures
import Pixels
import Synchronization
import TestScheduling
import Testing

@testable import Imaging

/// Scrolling through thousands of photos at key repeat speed.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct ScrollingTests {
  @Test func `Skipped pages are never decoded`() async throws {
    let library = TestLibrary()
    let assets = try (0..<5000).map { number -> Asset in
      number == 0
        ? try library.add(TestPhoto(width: 64, height: 48), named: "0")
        : library.add(Self.bytes, named: "\(number)", storedSize: PixelSize(width: 64, height: 48))
    }
    let store = GatedStore(library.store)
    let pipeline = ImagePipeline(store: store, workers: 2)
    let made = Mutex<[String]>([])
    let columns = 6
    let rows = 4
    var wanted: [LocalIdentifier: ImageRequestID] = [:]
    var finalWindow = GridWindow(first: 0, columns: columns, rows: rows, count: assets.count)
    let log = AnswerLog()
    for first in stride(from: 0, to: 4800, by: columns * rows) {
      let window = GridWindow(first: first, columns: columns, rows: rows, count: assets.count)
      let positions = Array(window.visible) + window.ahead + window.behind
      let keys = Set(positions.map { assets[$0].id })
      for (id, request) in wanted where !keys.contains(id) {
        pipeline.cancelImageRequest(request)
        wanted[id] = nil
      }
      for position in positions.reversed() {
        let asset = assets[position]
        let priority: ImagePriority = window.visible.contains(position) ? .visible : .preheat
        if let request = wanted[asset.id] {
          pipeline.setPriority(priority, of: request)
          continue
        }
        let request = ImageRequest(
          asset: asset, targetSize: .square(32), contentMode: .aspectFill,
          options: ImageRequestOptions(resizeMode: .exact))
        wanted[asset.id] = pipeline.requestImage(request, priority: priority) { result in
          if result.isFinal { made.withLock { $0.append(asset.id.rawValue) } }
          log.receive(result)
        }
      }
      finalWindow = window
    }
    // Until now no file could be opened: every job that began is blocked.
    for _ in 0..<100 { store.open() }
    let count = finalWindow.visible.count + finalWindow.ahead.count + finalWindow.behind.count
    var answered = log.answers.count
    while made.withLock({ $0.count }) < count {
      await log.wait(for: answered + 1)
      // Counted before the decode count is read again: answers in between are no reason to wait for one more.
      answered = log.answers.count
    }
    let order = made.withLock { $0 }.filter { Int($0).map { $0 >= finalWindow.behind.lowerBound } ?? false }
    #expect(order.count == count)
    // Two workers and one in the background may have begun with what was visible then.
    #expect(pipeline.counters.decodes <= count + 3)
    #expect(pipeline.counters.cancelled > 4000)
  }

  @Test func `Pictures that are visible at the end come first`() {
    var table = RequestTable()
    var wanted: Set<Int> = []
    for first in stride(from: 0, through: 4776, by: 24) {
      let window = GridWindow(first: first, columns: 6, rows: 4, count: 5000)
      let positions = Set(window.visible).union(window.ahead).union(window.behind)
      for gone in wanted.subtracting(positions) { _ = table.cancel(ImageRequestID(rawValue: UInt64(gone))) }
      for position in positions.sorted(by: >) {
        let id = ImageRequestID(rawValue: UInt64(position))
        let priority: ImagePriority = window.visible.contains(position) ? .visible : .preheat
        if wanted.contains(position) {
          table.setPriority(priority, of: id)
        } else {
          table.submit(id, .of("\(position)"), priority: priority)
        }
      }
      wanted = positions
    }
    var order: [Int] = []
    while let job = table.nextJob() {
      order.append(Int(job.asset.id.rawValue) ?? -1)
      _ = table.finish(job)
    }
    #expect(Array(order.prefix(24)) == Array(4776..<4800))
    #expect(order.count == wanted.count)
  }

  private static let bytes: [UInt8] = (try? TestPhoto(width: 64, height: 48).bytes()) ?? []
}

/// What a grid requests: visible pictures, and half a screen in both directions.
private struct GridWindow {
  var visible: Range<Int>
  var ahead: Range<Int>
  var behind: Range<Int>

  init(first: Int, columns: Int, rows: Int, count: Int) {
    let all = 0..<count
    let end = first + columns * rows
    let around = columns * ((rows + 1) / 2)
    visible = (first..<end).clamped(to: all)
    ahead = (end..<end + around).clamped(to: all)
    behind = (first - around..<first).clamped(to: all)
  }
}
