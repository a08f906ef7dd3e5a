import AssetLibrary
import Dispatch
import Fixtures
import Synchronization
import TestScheduling
import Testing

@testable import FolderLibrary

/// The order in which remote folders are listed, and when results are published.
@Suite(.onOwnThreads) struct RemoteWalkTests {
  private let source: ScriptedSource
  private let model = LibraryModel()
  private let scan: LibraryScan
  private let ended = DispatchGroup()

  init() throws {
    source = try ScriptedSource()
    scan = LibraryScan(
      model: model, storage: nil, watch: nil, helper: nil, isInteractive: true, remotes: [source])
  }

  private func start() {
    var sources = LibrarySources([])
    sources.remotes = [source]
    ended.enter()
    DispatchQueue.global().async { [scan, ended, sources] in
      scan.run(sources)
      ended.leave()
    }
  }

  @Test func `The folder with the last name is listed first, whichever thread found it`() throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    for folder in ["a", "b", "c", "d", "e", "f", "g", "h"] {
      for month in 1...3 { source.write(photo, to: "\(folder)/\(month)/x.jpg") }
    }
    source.write(photo, to: "x.jpg")
    let freed = Mutex<Set<String>>([""])
    source.listing.close { folder in !freed.withLock { $0.contains(folder) } }
    start()
    // The limit of concurrent listings.
    #expect(eventually { source.listed.count == 7 })
    #expect(source.listed[0].isEmpty && Set(source.listed[1...]) == ["c", "d", "e", "f", "g", "h"])
    // One by one: folders found by the thread that becomes free go before known ones if their names come later.
    for (free, next) in [("c", "c/3"), ("h", "h/3"), ("h/3", "h/2"), ("c/3", "h/1"), ("h/1", "c/2")] {
      let count = source.listed.count
      freed.withLock { _ = $0.insert(free) }
      #expect(eventually { source.listed.count == count + 1 })
      #expect(source.listed.last == next)
    }
    source.listing.open()
    ended.wait()
    #expect(source.listed.count == 1 + 8 + 24)
    #expect(model.status.assetCount == 25)
  }

  @Test func `Until photos are visible two folders are listed at once`() throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    for folder in ["a", "b", "c", "d", "e", "f", "g", "h"] { source.write(photo, to: "\(folder)/x.jpg") }
    let freed = Mutex<Set<String>>([""])
    source.listing.close { folder in !freed.withLock { $0.contains(folder) } }
    start()
    #expect(eventually { source.listing.count == 2 })
    #expect(Set(source.listed) == ["", "g", "h"])
    freed.withLock { _ = $0.insert("h") }
    // From then on the server's preferred number is listed at once.
    #expect(eventually { source.listed.count == 8 && source.listing.count == 6 })
    source.listing.open()
    ended.wait()
    #expect(source.listed.count == 9 && model.status.assetCount == 8)
  }

  @Test func `The contents of a folder are published while another is still being listed`() throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    for number in 0..<3 { source.write(photo, to: "\(number).jpg") }
    source.write(photo, to: "late/x.jpg")
    source.listing.close { $0 == "late" }
    let told = Mutex<[Int]>([])
    let observer = model.observers.add { [model] _ in
      let count = model.table.assets(in: nil, options: FetchOptions()).count
      told.withLock { $0.append(count) }
    }
    defer { model.observers.remove(observer) }
    start()
    #expect(eventually { told.withLock { $0.contains(3) } })
    #expect(eventually { source.listing.count == 1 })
    source.listing.open()
    ended.wait()
    #expect(eventually { told.withLock { $0.last == 4 } })
  }

  @Test(arguments: [
    // A folder that contains itself, one that contains its parent, two that contain each other, and one within all of
    // them.
    ["a/again": "a"], ["a/b/up": "a", "a/c/up": "a"], ["a/e": "b", "b/d": "a"], ["a/again": ""],
  ])
  func `A folder that contains itself is not entered again, and is reported`(links: [String: String]) throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    for name in ["x.jpg", "a/a.jpg", "a/b/b.jpg", "a/c/c.jpg", "b/d.jpg"] { source.write(photo, to: name) }
    for (folder, other) in links { source.link(folder, to: other) }
    start()
    ended.wait()
    // A folder that can be reached by two paths appears twice, as with a link, and no more often.
    #expect(source.listed.count < 40, "\(source.listed)")
    #expect(source.listed.allSatisfy { $0.split(separator: "/").count <= 6 })
    let issues = model.status.issues.map(\.description)
    #expect(issues.contains { $0.hasPrefix("nas:Photos/") && $0.contains("loop") }, "\(issues)")
    #expect(issues.count < 10)
    let names = model.table.assets(in: nil, options: FetchOptions()).map(\.name)
    #expect(Set(names) == ["x.jpg", "a.jpg", "b.jpg", "c.jpg", "d.jpg"])
    #expect(names.count < 20)
  }

  @Test func `Nested folders with the same name are no loop`() throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    source.write(photo, to: "a/a/a/a/x.jpg")
    source.write(photo, to: "b/x.jpg")
    source.write(photo, to: "b/b/x.jpg")
    start()
    ended.wait()
    #expect(model.status.assetCount == 3 && model.status.issues.isEmpty)
  }

  @Test func `A server with endlessly nested folders is listed to a maximum depth and reported once`() {
    source.setBottomless()
    start()
    ended.wait()
    #expect(source.listed.count == 65)
    let issues = model.status.issues.map(\.description)
    #expect(issues.count == 1 && issues[0].contains("more than 64 levels"), "\(issues)")
  }

  @Test func `No more folders are listed than a library may have, which is reported once`() throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    for number in 100..<150 { source.write(photo, to: "\(number % 7)/\(number)/x.jpg") }
    let scan = scan
    RemoteWalk(
      scan.context, visits: VisitQueue(scan.context), source, scan.remoteReader, isInteractive: false,
      limits: RemoteWalk.Limits(folders: 20)
    ).run()
    #expect(source.listed.count == 21)
    let issues = model.status.issues.map(\.description)
    #expect(issues.count == 1 && issues[0].contains("more than 20 folders"), "\(issues)")
  }
}
