import AssetLibrary
import Fixtures
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// Which paths are probed before this process accesses them, and how often.
@Suite(.onOwnThreads) struct MountProbesTests {
  private let folder: TemporaryFolder
  private let disk: DeadDisk
  private let probes: MountProbes

  init() throws {
    folder = try TemporaryFolder()
    disk = DeadDisk(at: folder.filePath(of: "nas"))
    probes = disk.probes
  }

  private func path(_ name: String) -> FilePath { folder.filePath(of: "nas/\(name)") }

  @Test func `Paths on local disks are not probed`() {
    #expect(probes.answers(folder.filePath(of: "a.jpg")))
    #expect(disk.takeAsked().isEmpty && disk.probeCount == 0)
  }

  /// Counts how often links were resolved.
  private final class Looks: Sendable {
    let count = Mutex(0)
  }

  @Test(arguments: [10, 100, 500])
  func `Resolving a nested folder takes a few system calls at any depth`(depth: Int) {
    let looks = Looks()
    let line = Array("36 35 0:50 / /mnt/nas rw,nosuid - fuse.sshfs nas:/ rw\n".utf8)
    let probes = MountProbes(
      readTable: {
        MountTable(mountInfo: line) { _ in
          looks.count.withLock { $0 += 1 }
          return nil
        }
      }, start: { nil })
    var path = FilePath("/photos")
    for _ in 0..<depth {
      path.append("d")
      // In the order of a walk: before a folder is opened, for its visit, and for a file in it.
      #expect(probes.answers(path))
      #expect(probes.mount(of: path) == nil)
      #expect(probes.mount(of: path.appending("a.jpg")) == nil)
    }
    #expect(looks.count.withLock { $0 } <= 5 * depth + 10)
  }

  @Test func `A path that does not answer is probed once, until it answers`() throws {
    disk.setDead([path("dead")])
    #expect(probes.answers(path("a")))
    for _ in 1...3 { #expect(!probes.answers(path("dead"))) }
    #expect(probes.answers(path("b")))
    #expect(disk.takeAsked() == [path("a"), path("dead"), path("b")])
    #expect(throws: AssetError(path("dead").string, "does not answer", isTransient: true)) {
      try probes.check(path("dead"))
    }
    disk.setDead([])
    #expect(probes.answers(path("dead")))
    #expect(disk.takeAsked() == [path("dead")])
    // One probe was stuck while the other answered.
    #expect(disk.probeCount == 2)
  }

  @Test func `A mount with many stuck paths is not probed further until one of them answers`() {
    let dead = (1...MountProbes.mostStuckOnMount).map { path("dead \($0)") }
    disk.setDead(dead)
    for path in dead { #expect(!probes.answers(path)) }
    #expect(!probes.answers(path("a")))
    #expect(disk.takeAsked() == dead)
    disk.setDead(Array(dead.dropLast()))
    #expect(probes.answers(path("a")))
    #expect(disk.probeCount == MountProbes.mostStuckOnMount)
  }

  @Test func `Writes wait for a mount as long as reads do, unless canceled`()
    throws
  {
    let silence = AssetError(path("out").string, "does not answer", isTransient: true)
    try probes.checkWriting(folder.filePath(of: "out"))
    try probes.checkWriting(path("out"))
    disk.setDead([path("out")])
    var count = 0
    #expect(throws: silence) {
      try probes.checkWriting(path("out")) {
        count += 1
        return count == 2
      }
    }
    #expect(count == 2)
    #expect(throws: silence) { try probes.checkWriting(path("out")) }
    #expect(disk.takeAsked() == [path("out"), path("out")])
    disk.setDead([])
    try probes.checkWriting(path("out"))
  }

  @Test func `Without a probe process every path is assumed to answer`() {
    disk.killProbes(true)
    #expect(probes.answers(path("a")))
    disk.killProbes(false)
    #expect(probes.answers(path("a")))
    #expect(disk.takeAsked() == [path("a")])
  }

  @Test func `Files that never answer are reported, and the others are read`() throws {
    for number in 1...20 { try folder.writePhoto("nas/\(number).jpg") }
    let dead = ["3", "7", "11", "12", "18"].map { path("\($0).jpg") }
    disk.setDead(dead)
    let model = LibraryModel()
    let scan = LibraryScan(model: model, storage: nil, watch: nil, helper: nil, probes: probes)
    let sources = LibrarySources([folder.filePath], probes: probes)
    let names = { Set(model.table.assets(in: nil, options: FetchOptions()).map(\.name)) }
    let all = Set((1...20).map { "\($0).jpg" })
    for _ in 1...2 {
      scan.run(sources)
      #expect(names() == all.subtracting(dead.map { $0.lastComponent?.string ?? "" }))
      #expect(
        Set(model.status.issues)
          == Set(dead.map { AssetError($0.string, "does not answer", isTransient: true) }))
    }
    // The files answer, then stop again: what is known about them stays.
    disk.setDead([])
    scan.run(sources)
    #expect(names() == all && model.status.issues.isEmpty)
    disk.setDead(dead)
    scan.run(sources)
    #expect(names() == all && model.status.issues.count == dead.count)
  }

  @Test func `A source that does not answer is reported, sorted last, and retried`() throws {
    try folder.writePhoto("nas/a.jpg")
    try folder.writePhoto("good/b.jpg")
    let nas = folder.filePath(of: "nas")
    disk.setDead([nas])
    let model = LibraryModel()
    let scan = LibraryScan(
      model: model, storage: nil, watch: nil, helper: nil, probes: probes, isInteractive: true)
    let sources = LibrarySources([nas, folder.filePath(of: "good")], probes: probes)
    scan.run(sources)
    #expect(model.table.assets(in: nil, options: FetchOptions()).map(\.name) == ["b.jpg"])
    let silence = AssetError(nas.string, "does not answer", isTransient: true)
    #expect(model.status.issues == [silence])
    #expect(model.status.notes == [silence.description])
    disk.setDead([])
    scan.run(sources)
    #expect(Set(model.table.assets(in: nil, options: FetchOptions()).map(\.name)) == ["a.jpg", "b.jpg"])
    #expect(model.status.issues.isEmpty)
  }

  @Test func `No picture is read from a file that does not answer`() throws {
    try folder.writePhoto("nas/a.jpg")
    disk.setDead([path("a.jpg")])
    #expect(throws: AssetError(path("a.jpg").string, "does not answer", isTransient: true)) {
      try OpenFile(path("a.jpg"), probes: probes)
    }
    disk.setDead([])
    #expect(try OpenFile(path("a.jpg"), probes: probes).count > 0)
  }
}
