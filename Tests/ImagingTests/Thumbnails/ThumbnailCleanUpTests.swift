import Fixtures
import Pixels
import SystemPackage
import TestScheduling
import Testing

@testable import Imaging
import Glibc

@Suite(.onOwnThreads) struct ThumbnailCleanUpTests {
  private static let sourceSize = PixelSize(width: 640, height: 480)
  /// The disk space of one of these thumbnails.
  private static let cost = 8192
  /// Longer than any machine takes: what is left to do for lack of time is another test.
  private static let patience = Duration.seconds(3600)

  /// Stores thumbnails of the named files, the first of them used longest ago.
  private func fill(_ cache: TemporaryThumbnails, _ names: [String]) throws -> [ThumbnailSubject] {
    let directory = cache.directory()
    let picture = PixelBuffer(size: PixelSize(width: 128, height: 96), filledWith: .white)
    return try names.enumerated().map { age, name in
      let subject = try cache.subject(name)
      try directory.keep(picture, of: subject, sourceSize: Self.sourceSize, as: .normal)
      try cache.folder.setModificationTime(
        1_000_000 + age, of: "cache/thumbnails/normal/\(subject.name.fileName)")
      return subject
    }
  }

  private func file(_ subject: ThumbnailSubject, _ folder: String = "normal") -> String {
    "\(folder)/\(subject.name.fileName)"
  }

  @Test func `The oldest are removed first, and only as many as necessary`() throws {
    let cache = try TemporaryThumbnails()
    let subjects = try fill(cache, (0..<10).map { "\($0).jpg" })
    let directory = cache.directory()
    #expect(directory.cleanUp(limit: 10 * Self.cost, patience: Self.patience))
    #expect(cache.files.count == 10)
    #expect(directory.cleanUp(limit: 5 * Self.cost, patience: Self.patience))
    #expect(cache.files == subjects[6...].map { file($0) }.sorted())
    #expect(Set(directory.journal.read().entries.map(\.digest)) == Set(subjects[6...].map(\.name.digest)))
  }

  @Test func `Other programs' thumbnails are never touched, even if they replaced ours`() throws {
    let cache = try TemporaryThumbnails()
    let subjects = try fill(cache, ["a.jpg", "b.jpg"])
    let foreign = try cache.subject("foreign.jpg")
    try cache.writeForeign(of: foreign)
    try cache.folder.setModificationTime(1, of: "cache/thumbnails/\(file(foreign, "large"))")
    // Another program replaces the oldest of ours.
    try cache.folder.rename(
      "cache/thumbnails/\(file(foreign, "large"))", to: "cache/thumbnails/\(file(subjects[0]))")
    try cache.writeForeign(of: foreign)
    let directory = cache.directory()
    #expect(directory.cleanUp(limit: 0, patience: Self.patience))
    #expect(cache.files == [file(subjects[0]), file(foreign, "large")].sorted())
    try directory.clear()
    #expect(cache.files == [file(subjects[0]), file(foreign, "large")].sorted())
  }

  @Test(arguments: [nil, "", "no journal at all\n", "n0123\n"])
  func `Our thumbnails are recognized without the journal`(journal: String?) throws {
    let cache = try TemporaryThumbnails()
    let subjects = try fill(cache, ["a.jpg", "b.jpg"])
    try cache.writeForeign(of: cache.subject("foreign.jpg"))
    cache.folder.remove("cache/tpick/thumbnails.journal")
    if let journal { try cache.folder.write(Array(journal.utf8), to: "cache/tpick/thumbnails.journal") }
    let directory = cache.directory()
    #expect(directory.cleanUp(patience: Self.patience))
    let read = directory.journal.read()
    #expect(read.isComplete)
    #expect(Set(read.entries.map(\.digest)) == Set(subjects.map(\.name.digest)))
  }

  @Test func `Leftovers and failures of other versions are removed`() throws {
    let cache = try TemporaryThumbnails()
    let subject = try cache.subject()
    try cache.directory(version: "0").recordFailure(of: subject, reason: "no JPEG")
    try cache.directory().recordFailure(of: subject, reason: "no JPEG")
    try cache.folder.write([1], to: "cache/thumbnails/fail/gnome/a.png")
    try cache.folder.write([1], to: "cache/thumbnails/normal/.tpick.1a2b")
    try cache.folder.setModificationTime(1000, of: "cache/thumbnails/normal/.tpick.1a2b")
    try cache.folder.write([1], to: "cache/thumbnails/normal/.tpick.3c4d")
    #expect(cache.directory().cleanUp(patience: Self.patience))
    #expect(cache.files == ["fail/gnome/a.png", file(subject, "fail/tpick-1"), "normal/.tpick.3c4d"])
  }

  @Test func `Cleanup runs once a day, and after many writes`() throws {
    let cache = try TemporaryThumbnails()
    let directory = cache.directory()
    _ = try fill(cache, ["a.jpg", "b.jpg"])
    try cache.folder.write([], to: "cache/tpick/thumbnails.cleaned")
    directory.cleanUpIfDue(limit: Self.cost, patience: Self.patience)
    #expect(cache.files.count == 2)
    try cache.folder.setModificationTime(
      time(nil) - 25 * 3600, of: "cache/tpick/thumbnails.cleaned")
    directory.cleanUpIfDue(limit: Self.cost, patience: Self.patience)
    #expect(cache.files.isEmpty)
    // This process writes more than an eighth of the limit.
    let picture = PixelBuffer(size: PixelSize(width: 128, height: 96), filledWith: .white)
    try directory.keep(picture, of: cache.subject(), sourceSize: Self.sourceSize, as: .normal)
    directory.cleanUpIfDue(limit: 100_000, patience: Self.patience)
    #expect(cache.files.count == 1)
    directory.cleanUpIfDue(limit: 100, patience: Self.patience)
    #expect(cache.files.isEmpty)
  }

  @Test func `Without time nothing is removed`() throws {
    let cache = try TemporaryThumbnails()
    _ = try fill(cache, ["a.jpg", "b.jpg"])
    #expect(!cache.directory().cleanUp(limit: 0, patience: .zero))
    #expect(cache.files.count == 2)
  }

  @Test func `Status counts our thumbnails, clear removes them`() throws {
    let cache = try TemporaryThumbnails()
    let directory = cache.directory()
    #expect(directory.status() == ThumbnailUsage())
    #expect(try directory.clear() == ThumbnailUsage())
    let subjects = try fill(cache, ["a.jpg", "b.jpg", "c.jpg"])
    try directory.recordFailure(of: subjects[0], reason: "no JPEG")
    try cache.directory(version: "0").recordFailure(of: subjects[0], reason: "no JPEG")
    try cache.writeForeign(of: subjects[0])
    try cache.folder.write([1], to: "cache/thumbnails/normal/notes.txt")
    let usage = directory.status()
    #expect((usage.all.files, usage.own.files, usage.failures.files) == (4, 3, 2))
    #expect(usage.all.bytes > usage.own.bytes)
    let removed = try directory.clear()
    #expect((removed.own, removed.failures) == (usage.own, usage.failures))
    #expect(cache.files == [file(subjects[0], "large"), "normal/notes.txt"])
    #expect(directory.journal.read().entries.isEmpty)
  }
}
