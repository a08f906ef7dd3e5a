import AssetLibrary
import Dispatch
import Fixtures
import Synchronization
import TestScheduling
import Testing

@testable import FolderLibrary

/// In which order the folders of servers are listed, and when what is found is told.
@Suite(.onOwnThreads) struct RemoteWalkTests {
  private let source: ScriptedSource
  private let model = LibraryModel()
  private let scan: LibraryScan
  private let ended = DispatchGroup()

  init() throws {
    source = try ScriptedSource()
    scan = LibraryScan(
      model: model, storage: nil, watch: nil, helper: nil, tellsSilence: true, remotes: [source])
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

  @Test func `The last of all names is listed first, whichever thread found it`() throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    for folder in ["a", "b", "c", "d", "e", "f", "g", "h"] {
      for month in 1...3 { source.write(photo, to: "\(folder)/\(month)/x.jpg") }
    }
    source.write(photo, to: "x.jpg")
    let freed = Mutex<Set<String>>([""])
    source.listing.close { folder in !freed.withLock { $0.contains(folder) } }
    start()
    // As many as are listed at once.
    #expect(eventually { source.listed.count == 7 })
    #expect(source.listed[0].isEmpty && Set(source.listed[1...]) == ["c", "d", "e", "f", "g", "h"])
    // One by one: what the thread finds that is free again goes before what was known, as far as its name does.
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

  @Test func `Until there is something to look at two folders are listed at once`() throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    for folder in ["a", "b", "c", "d", "e", "f", "g", "h"] { source.write(photo, to: "\(folder)/x.jpg") }
    let freed = Mutex<Set<String>>([""])
    source.listing.close { folder in !freed.withLock { $0.contains(folder) } }
    start()
    #expect(eventually { source.listing.count == 2 })
    #expect(Set(source.listed) == ["", "g", "h"])
    freed.withLock { _ = $0.insert("h") }
    // From then on as many as the server is asked at once.
    #expect(eventually { source.listed.count == 8 && source.listing.count == 6 })
    source.listing.open()
    ended.wait()
    #expect(source.listed.count == 9 && model.status.assetCount == 8)
  }

  @Test func `What a folder tells is announced while another lets wait for itself`() throws {
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
}
