import AssetLibrary
import CodecProtocol
import Dispatch
import Fixtures
import Glibc
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// A running store while files change on disk.
@Suite(.onOwnThreads) struct LibraryFollowingTests {
  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
    try photos.writePhoto("a.jpg", day: 1)
    try photos.writePhoto("b.jpg", day: 2)
    try photos.writePhoto("sub/c.jpg", day: 3)
    try photos.writePhoto("sub/deep/d.jpg", day: 4)
  }

  static let edits: [(name: String, edit: @Sendable (TemporaryFolder) throws -> Void)] = [
    ("create", { try $0.writePhoto("new.jpg", day: 9) }),
    ("delete", { $0.remove("a.jpg") }),
    ("delete all", { folder in for name in ["a.jpg", "b.jpg", "sub"] { folder.remove(name) } }),
    ("rename", { try $0.rename("a.jpg", to: "z.jpg") }),
    ("move", { try $0.rename("a.jpg", to: "sub/deep/a.jpg") }),
    ("rewrite in place", { try $0.writePhoto("a.jpg", day: 9) }),
    ("rewrite by rename", { try $0.rewritePhoto("a.jpg", day: 9) }),
    ("new folder", { try $0.writePhoto("x/y/z/new.jpg", day: 9) }),
    ("folder removed", { $0.remove("sub") }),
    ("folder renamed", { try $0.rename("sub", to: "bus") }),
    (
      "folder moved into another",
      { folder in
        try folder.makeFolder("box")
        try folder.rename("sub/deep", to: "box/deep")
      }
    ),
    (
      "folder made again",
      { folder in
        folder.remove("sub")
        try folder.writePhoto("sub/new.jpg", day: 9)
      }
    ),
    ("folder hidden", { try $0.write([], to: "sub/.nomedia") }),
    ("folder linked", { try $0.link("link", to: "sub") }),
    (
      "sidecar",
      { folder in
        try folder.write(MetadataSegments.xmp(attributes: "xmp:Rating=\"5\""), to: "a.xmp")
      }
    ),
    ("broken", { try $0.write([], to: "a.jpg") }),
    ("hidden by name", { try $0.rename("a.jpg", to: ".a.jpg") }),
    ("raw beside", { try $0.write(HandmadeDNG().bytes, to: "a.dng") }),
    ("edited beside", { try $0.writePhoto("a-edited.jpg", day: 9) }),
  ]

  @Test(arguments: edits.indices)
  func `An edit is followed, and so is the next one`(edit: Int) throws {
    let store = library.follow()
    let news = Mutex(0)
    store.observeChanges { _ in news.withLock { $0 += 1 } }
    try Self.edits[edit].edit(photos)
    let fresh = contents(photos.library())
    #expect(eventually { contents(store) == fresh }, "\(Self.edits[edit].name)")
    #expect(eventually { news.withLock { $0 } > 0 })
    // All current folders are watched.
    for album in ["sub", "bus", "box", "sub/deep", "bus/deep", "box/deep", "x/y/z", "."]
    where photos.filePath(of: album).isFolder {
      try photos.writePhoto("\(album)/later.jpg", day: 20)
    }
    let later = contents(photos.library())
    #expect(eventually { contents(store) == later }, "\(Self.edits[edit].name)")
    // Changes are stored asynchronously.
    store.updater.waitUntilStored()
    #expect(library.open().everything.map(\.id) == store.everything.map(\.id))
  }

  @Test func `Hiding and showing a folder applies to everything below it`() throws {
    let store = library.follow()
    try photos.write([], to: "sub/.nomedia")
    #expect(eventually { store.names == ["b.jpg", "a.jpg"] })
    photos.remove("sub/.nomedia")
    #expect(eventually { store.names == ["d.jpg", "c.jpg", "b.jpg", "a.jpg"] })
    try photos.write([], to: "sub/deep/.nomedia")
    #expect(eventually { store.names == ["c.jpg", "b.jpg", "a.jpg"] })
    #expect(library.open().names == store.names)
  }

  @Test func `A folder that is moved in or out brings or removes everything in it`() throws {
    let elsewhere = try TemporaryFolder()
    let store = library.follow()
    try photos.move("sub", to: elsewhere)
    #expect(eventually { store.names == ["b.jpg", "a.jpg"] })
    // Changes there no longer concern the library.
    try elsewhere.writePhoto("sub/e.jpg", day: 5)
    try elsewhere.move("sub", to: photos, as: "back")
    #expect(eventually { store.names == ["e.jpg", "d.jpg", "c.jpg", "b.jpg", "a.jpg"] })
  }

  @Test func `A file that is moved out of the library disappears, and returns with its identifier`() throws {
    let elsewhere = try TemporaryFolder()
    let store = library.follow()
    let before = store.identifiers(below: photos)
    try photos.move("a.jpg", to: elsewhere)
    #expect(eventually { store.names == ["d.jpg", "c.jpg", "b.jpg"] })
    try elsewhere.move("a.jpg", to: photos, as: "sub/back.jpg")
    #expect(eventually { store.names == ["d.jpg", "c.jpg", "b.jpg", "back.jpg"] })
    #expect(store.identifiers(below: photos)["sub/back.jpg"] == before["a.jpg"])
  }

  @Test func `A source whose disk is not mounted is named, and its photos reappear with the disk`() throws {
    // A link stands for the mount point. Shared memory is a file system of its own.
    let (place, disk) = (try TemporaryFolder(), try TemporaryFolder(in: "/dev/shm"))
    try #require(FileIdentity(of: disk.filePath)?.device != FileIdentity(of: place.filePath)?.device)
    let empty = try place.makeFolder("empty")
    try place.link("mount", to: disk.path)
    try disk.writePhoto("a.jpg", day: 1)
    try disk.writePhoto("sub/b.jpg", day: 2)
    var following = FollowingSettings.quick
    following.retryInterval = .milliseconds(20)
    let source = place.filePath(of: "mount")
    let store = FolderAssetStore(sources: [source], locations: library.locations, following: following)
    store.start()
    store.waitUntilComplete()
    #expect(store.names == ["b.jpg", "a.jpg"] && store.status.unreadableSources.isEmpty)
    try place.link("other", to: empty)
    try place.rename("other", to: "mount")
    // The system reports an unmounted disk; here a change reports it.
    try disk.writePhoto("c.jpg", day: 3)
    #expect(eventually { store.status.unreadableSources.map(\.subject) == [source.displayString] })
    #expect(eventually { store.names.isEmpty })
    try place.link("other", to: disk.path)
    try place.rename("other", to: "mount")
    #expect(eventually { store.names == ["c.jpg", "b.jpg", "a.jpg"] })
    #expect(eventually { store.status.unreadableSources.isEmpty })
  }

  /// A small file system in memory at a folder, unmounted with the last reference.
  private final class Disk {
    private let place: String

    /// Nil if this process may not mount.
    init?(at name: String, in folder: TemporaryFolder) {
      place = "\(folder.path)/\(name)"
      guard (try? folder.makeFolder(name)) != nil,
        (try? folder.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place)) != nil
      else { return nil }
    }

    // Lazily (MNT_DETACH): a store may have files open.
    deinit { _ = umount2(place, 2) }
  }

  private static let canMount: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return Disk(at: "disk", in: folder) != nil
  }()

  @Test(.enabled(if: canMount, "this process may not mount"), arguments: ["disk", ""])
  func `A disk that is not mounted is named at every start, and stays in the index`(
    source: String
  ) throws {
    let place = try TemporaryFolder()
    try place.writePhoto("here.jpg", day: 9)
    let sources = [source.isEmpty ? place.filePath : place.filePath(of: source)]
    let here = source.isEmpty ? ["here.jpg"] : []
    var disk = Disk(at: "disk", in: place)
    try #require(disk != nil)
    try place.writePhoto("disk/a.jpg", day: 1)
    try place.writePhoto("disk/sub/b.jpg", day: 2)
    let before = library.open(sources)
    #expect(before.names == here + ["b.jpg", "a.jpg"] && before.status.issues.isEmpty)
    disk = nil
    for _ in 0..<2 {
      let store = library.open(sources)
      #expect(store.names == here)
      #expect(store.status.issues.map(\.subject) == [place.filePath(of: "disk").displayString])
      #expect(store.status.issues.first?.description.contains("disk is not mounted") == true)
      #expect(store.status.isUnreadable == here.isEmpty)
      let folder = try #require(place.filePath.resolved).bytes + "/disk/sub".utf8
      let page = LibraryStorage(library.locations).page(of: folder, pool: StringPool())
      #expect(page?.files.count == 1)
    }
    disk = Disk(at: "disk", in: place)
    try place.writePhoto("disk/a.jpg", day: 1)
    try place.writePhoto("disk/sub/b.jpg", day: 2)
    let after = library.open(sources)
    #expect(after.names == here + ["b.jpg", "a.jpg"] && after.status.issues.isEmpty)
    withExtendedLifetime(disk) {}
  }

  @Test(.enabled(if: canMount, "this process may not mount"))
  func `A folder that is emptied while its disk is mounted has no photos, and no missing disk`() throws {
    let place = try TemporaryFolder()
    let disk = try #require(Disk(at: "disk", in: place))
    try place.writePhoto("disk/a.jpg", day: 1)
    #expect(library.open([place.filePath]).names == ["a.jpg"])
    place.remove("disk/a.jpg")
    for _ in 0..<2 {
      let store = library.open([place.filePath])
      #expect(store.names.isEmpty && store.status.issues.isEmpty)
    }
    withExtendedLifetime(disk) {}
  }

  @Test func `A source that was emptied is not taken for one whose disk is not mounted`() throws {
    var following = FollowingSettings.quick
    following.retryInterval = .milliseconds(20)
    let store = library.follow(following)
    for name in ["a.jpg", "b.jpg", "sub"] { photos.remove(name) }
    #expect(eventually { store.names.isEmpty })
    store.updater.waitUntilStored()
    #expect(store.status.unreadableSources.isEmpty)
  }

  @Test func `A source that is there again as soon as it is reported as missing is read again`() throws {
    let model = LibraryModel()
    let updater = LibraryUpdater(
      model, sources: LibrarySources([photos.filePath(of: "sub")]), locations: nil, following: .quick,
      helper: CodecClient(), reader: .standard)
    updater.waitUntilComplete()
    updater.waitUntilStored()
    try photos.writePhoto("other/new.jpg", day: 9)
    // The thread that reports it calls this before it watches the folders around the source.
    let isBack = Mutex(false)
    let folder = photos
    let observer = model.observers.add { _ in
      if model.status.unreadableSources.isEmpty || isBack.withLock({ $0 }) { return }
      isBack.withLock { $0 = (try? folder.rename("other", to: "sub")) != nil }
    }
    photos.remove("sub")
    let names = { model.table.assets(in: nil, options: FetchOptions()).map(\.name) }
    #expect(
      eventually {
        isBack.withLock { $0 } && names() == ["new.jpg"] && model.status.unreadableSources.isEmpty
      })
    model.observers.remove(observer)
    updater.stop()
  }

  @Test func `Hundreds of simultaneous changes are followed`() throws {
    let store = library.follow()
    let photo = try TestPhoto(width: 8, height: 8, date: .day(9)).bytes()
    for number in 0..<500 { try photos.write(photo, to: "burst \(number % 7)/\(number).jpg") }
    #expect(eventually { store.status.assetCount == 504 })
    for number in 0..<500 where number % 2 == 0 { photos.remove("burst \(number % 7)/\(number).jpg") }
    let fresh = contents(photos.library())
    #expect(eventually { contents(store) == fresh })
  }

  @Test func `If no watches are left the user is informed and the library is rescanned`() throws {
    var following = FollowingSettings.quick
    following.watch.limit = 2
    let store = library.follow(following)
    #expect(eventually { store.status.notes.contains { $0.contains("max_user_watches") } })
    try photos.writePhoto("sub/deep/new.jpg", day: 9)
    #expect(eventually { store.names.first == "new.jpg" })
    photos.remove("sub")
    #expect(eventually { store.names == ["b.jpg", "a.jpg"] })
    #expect(store.status.notes.count == 1)
    store.updater.stop()
  }

  @Test func `Running out of watches later is reported as well`() throws {
    var following = FollowingSettings.quick
    following.watch.limit = 3
    let store = library.follow(following)
    #expect(store.status.notes.isEmpty)
    try photos.writePhoto("more/new.jpg", day: 9)
    #expect(eventually { !store.status.notes.isEmpty })
    try photos.writePhoto("more/newer.jpg", day: 10)
    #expect(eventually { store.names.first == "newer.jpg" })
    store.updater.stop()
  }

  @Test func `A link that is removed while unwatched removes its folder`() throws {
    let elsewhere = try TemporaryFolder()
    try elsewhere.writePhoto("far.jpg", day: 9)
    try photos.link("first", to: elsewhere.path)
    try photos.link("second", to: elsewhere.path)
    var following = FollowingSettings.quick
    following.watch.limit = 0
    let store = library.follow(following)
    let fresh = { contents(photos.library()) }
    for name in ["second", "first"] {
      photos.remove(name)
      let expected = fresh().assets
      #expect(eventually { contents(store).assets == expected })
    }
    store.updater.stop()
  }

  @Test func `A moved file never disappears in between`() throws {
    let store = library.follow()
    let all = store.identifiers(below: photos)
    let fewest = Mutex(Int.max)
    store.observeChanges { [weak store] _ in
      let count = store?.all().count ?? Int.max
      fewest.withLock { $0 = min($0, count) }
    }
    for (old, new) in [("sub", "bus"), ("a.jpg", "bus/a.jpg"), ("bus/deep", "deep"), ("bus", "deep/sub")] {
      try photos.rename(old, to: new)
      #expect(
        eventually {
          store.everything.contains { String(decoding: $0.pathBytes, as: UTF8.self).contains("/\(new)") }
        })
    }
    #expect(Set(store.identifiers(below: photos).values) == Set(all.values))
    #expect(fewest.withLock { $0 } == 4)
  }

  @Test func `A released store is freed together with its watch`() throws {
    weak var gone: LibraryUpdater?
    do {
      let store = library.follow()
      gone = store.updater
      try photos.writePhoto("new.jpg", day: 9)
      #expect(eventually { store.names.first == "new.jpg" })
    }
    #expect(eventually { gone == nil })
  }

  @Test func `A folder found at its new path before it is missed at the old one is not lost`() throws {
    // The two events of one rename may be read separately.
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: nil, watch: nil, helper: nil)
    try photos.makeFolder("box")
    scan.run(LibrarySources([photos.filePath]))
    let box = try #require(
      model.read { $0.folders.index(of: FilePath(photos.path + "/box").resolved?.bytes ?? []) })
    let root = try #require(model.read { $0.folders.index(of: photos.filePath.resolved?.bytes ?? []) })
    try photos.rename("sub", to: "box/sub")
    scan.revisit([box])
    scan.revisit([root])
    let names = { model.table.assets(in: nil, options: FetchOptions()).map(\.name) }
    #expect(names() == ["d.jpg", "c.jpg", "b.jpg", "a.jpg"])
    // The same if both are read at once, for a move there and back.
    for (old, new) in [("box/sub", "sub"), ("sub", "box/sub")] {
      try photos.rename(old, to: new)
      scan.revisit([root, box])
      #expect(names() == ["d.jpg", "c.jpg", "b.jpg", "a.jpg"])
    }
  }

  /// The index of a known folder.
  private func index(of name: String, in model: LibraryModel) throws -> Int {
    let below = Array((name.isEmpty ? "" : "/\(name)").utf8)
    let path = (photos.filePath.resolved?.bytes ?? []) + below
    return try #require(model.read { $0.folders.index(of: path) })
  }

  @Test(arguments: [false, true])
  func `A folder that moves from a scanned path to one not scanned yet is found there`(
    isNews: Bool
  ) throws {
    let isMoved = Mutex(false)
    let calls = FolderCalls { [photos] path in
      // The last names are read first: `z` has been read by now, and `a` is not watched yet.
      guard path.nameBytes.text == "a", photos.filePath(of: "z/sub").isFolder else { return }
      isMoved.withLock { $0 = true }
      try? photos.rename("z/sub", to: "a/sub")
    }
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: nil, watch: nil, helper: nil, calls: calls)
    let makeFolders = {
      try photos.writePhoto("z/sub/e.jpg", day: 5)
      try photos.writePhoto("z/sub/below/f.jpg", day: 6)
      try photos.makeFolder("a")
    }
    if !isNews { try makeFolders() }
    scan.run(LibrarySources([photos.filePath]))
    if isNews {
      try makeFolders()
      scan.revisit([try index(of: "", in: model)])
    }
    #expect(isMoved.withLock { $0 })
    // All that the system can report: something was moved out of `z`.
    scan.revisit([try index(of: "z", in: model)])
    #expect(
      model.table.assets(in: nil, options: FetchOptions()).map(\.name)
        == ["f.jpg", "e.jpg", "d.jpg", "c.jpg", "b.jpg", "a.jpg"])
    #expect(
      Set(model.read { state in state.folders.present.map { state.folders[$0].path } })
        == Set(
          [photos.filePath]
            + ["a", "a/sub", "a/sub/below", "sub", "sub/deep", "z"].map { photos.filePath(of: $0) }))
  }

  @Test func `A file that moves into a new folder while its old one is read is not lost`() throws {
    let disk = DeadDisk(at: photos.filePath)
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: nil, watch: nil, helper: nil, probes: disk.probes)
    scan.run(LibrarySources([photos.filePath], probes: disk.probes))
    let old = try index(of: "sub", in: model)
    try photos.makeFolder("new")
    try photos.rename("sub/c.jpg", to: "new/c.jpg")
    let reads = Mutex(0)
    let moved = photos.filePath(of: "sub/c.jpg")
    disk.whileAsking { path in
      guard path == moved, count(reads) == 1 else { return }
      // The thread that read the old folder a moment ago publishes its contents.
      model.change { state in
        var builder = SegmentBuilder()
        for handle in state.contents(of: old) {
          builder.add(state.row(of: handle), from: state.segment(of: handle))
        }
        state.replaceContents(of: old, with: builder.segment(folder: old))
      }
    }
    scan.revisit([try index(of: "", in: model)])
    #expect(reads.withLock { $0 } > 0)
    scan.revisit([old])
    let names = { model.table.assets(in: nil, options: FetchOptions()).map(\.name) }
    #expect(names() == ["d.jpg", "c.jpg", "b.jpg", "a.jpg"])
  }

  @Test func `A new file is found although an enclosing folder is away for a moment`() throws {
    let isArmed = Mutex(false)
    let calls = Mutex(0)
    let folderCalls = FolderCalls { [photos] path in
      // The first call precedes the read, the second the reopening.
      guard path.nameBytes.text == "deep", isArmed.withLock({ $0 }) else { return }
      guard count(calls) == 2 else { return }
      try? photos.rename("sub", to: "away")
    }
    let watch = try #require(FolderWatch(FollowingSettings.quick.watch))
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: nil, watch: watch, helper: nil, calls: folderCalls)
    let changed = Mutex<Set<Int>>([])
    scan.run(LibrarySources([photos.filePath]))
    watch.start { news in
      if case .folders(let folders) = news { changed.withLock { $0.formUnion(folders) } }
    }
    isArmed.withLock { $0 = true }
    try photos.writePhoto("sub/deep/e.jpg", day: 5)
    // A later event for the photo shows that all earlier ones have been reported.
    try photos.makeFolder("box")
    let (root, deep) = (try index(of: "", in: model), try index(of: "sub/deep", in: model))
    #expect(eventually { changed.withLock { $0.isSuperset(of: [root, deep]) } })
    changed.withLock { $0 = [] }
    scan.revisit([deep])
    #expect(photos.filePath(of: "away").isFolder)
    try photos.rename("away", to: "sub")
    #expect(
      eventually {
        let news = changed.withLock { folders in
          defer { folders = [] }
          return folders
        }
        if !news.isEmpty { scan.revisit(news) }
        return model.table.assets(in: nil, options: FetchOptions()).map(\.name)
          == ["e.jpg", "d.jpg", "c.jpg", "b.jpg", "a.jpg"]
      })
  }

  @Test(arguments: [false, true])
  func `A folder that was missing when it was to be watched is followed once it is back`(
    isAnother: Bool
  ) throws {
    let elsewhere = try TemporaryFolder()
    let calls = Mutex(0)
    let folderCalls = FolderCalls { [photos] path in
      // The first call precedes the opening, the second the watching and reading.
      guard path.nameBytes.text == "new" else { return }
      guard count(calls) == 2 else { return }
      if isAnother { photos.remove("new") } else { try? photos.move("new", to: elsewhere) }
    }
    let watch = try #require(FolderWatch(FollowingSettings.quick.watch))
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: nil, watch: watch, helper: nil, calls: folderCalls)
    let changed = Mutex<Set<Int>>([])
    watch.start { news in
      if case .folders(let folders) = news { changed.withLock { $0.formUnion(folders) } }
    }
    /// Rescans the reported folders and returns the names of the known photos.
    func names() -> [String] {
      let news = changed.withLock { folders in
        defer { folders = [] }
        return folders
      }
      if !news.isEmpty { scan.revisit(news) }
      return model.table.assets(in: nil, options: FetchOptions()).map(\.name)
    }
    scan.run(LibrarySources([photos.filePath]))
    try photos.writePhoto("new/below/e.jpg", day: 5)
    #expect(eventually { !names().isEmpty && calls.withLock { $0 } >= 2 })
    // A different folder looks the same if inode numbers are reused.
    if isAnother { try photos.makeFolder("new") } else { try elsewhere.move("new", to: photos) }
    let kept = (isAnother ? [] : ["e.jpg"]) + ["d.jpg", "c.jpg", "b.jpg", "a.jpg"]
    #expect(eventually { names() == kept })
    try photos.writePhoto("new/f.jpg", day: 6)
    #expect(eventually { names() == ["f.jpg"] + kept })
  }
}

/// Increments a counter.
private func count(_ calls: borrowing Mutex<Int>) -> Int {
  calls.withLock { count in
    count += 1
    return count
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
