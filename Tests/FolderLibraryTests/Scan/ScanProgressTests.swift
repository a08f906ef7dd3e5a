import AssetLibrary
import Fixtures
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

@Suite(.onOwnThreads) struct ScanProgressTests {
  private let folder: TemporaryFolder

  /// Creates folders of one to three photos on two levels, with an empty one among them.
  init() throws {
    folder = try TemporaryFolder()
    let photo = try TestPhoto(width: 16, height: 16).bytes()
    for year in 2020...2023 {
      for month in 1...3 {
        for day in 1...month { try folder.write(photo, to: "\(year)/\(month)/\(day).jpg") }
      }
    }
    try folder.write(photo, to: "top.jpg")
    try folder.write([], to: "empty/.keep")
  }

  @Test func `A completely read library reports no progress`() throws {
    let store = FolderAssetStore(sources: [FilePath(folder.path)])
    #expect(store.status.progress == nil)
    store.start()
    store.waitUntilComplete()
    #expect(store.status.progress == nil)
    #expect(store.status.isComplete)
  }

  @Test func `Shares of progress add up to one for any nesting of folders`() throws {
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: nil, watch: nil, helper: nil)
    model.progress.begin(.reading)
    var walk = scan.makeWalk()
    walk.walk(FilePath(folder.path), parent: nil, depth: 0, isHidden: false, share: 1)
    scan.visits.wait()
    let progress = try #require(model.progress.value)
    #expect(progress.phase == .reading)
    #expect(abs(progress.fraction - 1) < 1e-9)
    #expect(model.status.progress != nil)
  }

  @Test func `Files that are named individually have their share of progress, which completes`() throws {
    let names = ["2020/1/1.jpg", "2020/2/1.jpg", "2020/2/2.jpg", "no such/file.jpg"]
    let sources = LibrarySources(names.map { FilePath("\(folder.path)/\($0)") })
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: nil, watch: nil, helper: nil)
    model.progress.begin(.reading)
    for (index, group) in sources.files.enumerated() {
      scan.visit(group, share: 1 / Double(sources.files.count))
      let fraction = try #require(model.progress.value).fraction
      #expect(abs(fraction - Double(index + 1) / 3) < 1e-9)
    }
  }

  @Test func `Progress is reported while thousands of named files are read`() throws {
    let folder = try TemporaryFolder()
    let photo = try TestPhoto(width: 16, height: 16).bytes()
    for number in 0..<200 { try folder.write(photo, to: "\(number).jpg") }
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: nil, watch: nil, helper: nil)
    let seen = Mutex<[Double]>([])
    _ = model.observers.add { [weak model] _ in
      let fraction = model?.progress.value?.fraction ?? 0
      seen.withLock { $0.append(fraction) }
    }
    scan.run(LibrarySources((0..<200).map { FilePath("\(folder.path)/\($0).jpg") }))
    #expect(seen.withLock { $0.contains { $0 > 0 && $0 < 1 } })
    #expect(model.status.assetCount == 200)
  }

  @Test func `A stopped scan is reported as such, and completes when resumed`() throws {
    let store = FolderAssetStore(sources: [FilePath(folder.path)])
    store.stopReading()
    store.start()
    store.waitUntilComplete()
    #expect(store.status.isComplete && store.status.isStopped)
    #expect(store.status.assetCount < 25)
    store.resumeReading()
    #expect(eventually { !store.status.isStopped && store.status.isComplete })
    #expect(store.status.assetCount == 25)
    // A completed scan can't be stopped.
    store.stopReading()
    store.resumeReading()
    #expect(store.status.isComplete && !store.status.isStopped)
  }

  @Test func `A resumed scan is followed by watching`() throws {
    let library = try TestLibrary()
    try library.photos.writePhoto("a.jpg", day: 1)
    let store = FolderAssetStore(
      sources: [library.photos.filePath], locations: library.locations, following: .quick)
    store.stopReading()
    store.start()
    store.waitUntilComplete()
    #expect(store.status.isStopped)
    store.resumeReading()
    #expect(eventually { store.status.assetCount == 1 })
    try library.photos.writePhoto("b.jpg", day: 2)
    #expect(eventually { store.status.assetCount == 2 })
  }
}
