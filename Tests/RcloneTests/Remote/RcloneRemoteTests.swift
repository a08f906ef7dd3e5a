import Fixtures
import Foundation
import TestScheduling
import Testing

@testable import Rclone

/// The real rclone, with local folders.
@Suite(.onOwnThreads, .enabled(if: RcloneProgram.find() != nil, "rclone is not installed"))
struct RcloneRemoteTests {
  private let folder: RemoteFolder
  private let remote: RcloneRemote

  init() throws {
    folder = try RemoteFolder()
    remote = RcloneRemote(folder.specification, settings: RemoteFolder.settings)
  }

  private static let names = [
    "a.jpg", "b [x] #%&?é.txt", "c'd\"e.jpg", "+ @:,;=.jpg", "\u{1F600} e\u{301}.jpg", "100%2F.jpg",
    "\\x.jpg",
    "tpick0:.jpg", "[tpick0:].jpg",
  ]

  @Test func `A folder is listed with correct names, sizes and times`() throws {
    for (index, name) in Self.names.enumerated() {
      try folder.write(RemoteFolder.bytes(index), to: "sub dir/\(name)")
    }
    try folder.write([1], to: "sub dir/deeper/x.jpg")
    let entries = try remote.list("sub dir", wantsHashes: false, isCancelled: { false })
    #expect(Set(entries.map(\.name)) == Set(Self.names + ["deeper"]))
    for entry in entries {
      let path = "\(folder.folder.path)/sub dir/\(entry.name)"
      var facts = stat()
      #expect(lstat(path, &facts) == 0)
      #expect(
        entry.modified == Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec))
      #expect(entry.isFolder == (entry.name == "deeper"))
      #expect(entry.size == (entry.isFolder ? -1 : Int64(facts.st_size)))
      #expect(entry.hashes.isEmpty)
    }
  }

  @Test func `Every range of a file is returned as requested`() throws {
    let bytes = RemoteFolder.bytes(300_000)
    for name in Self.names { try folder.write(bytes, to: "d/\(name)") }
    let size = Int64(bytes.count)
    for range in [0..<1, 0..<size, 1..<2, size - 1..<size, 1000..<200_000, 7..<7] as [Range<Int64>] {
      #expect(
        try remote.bytes("d/a.jpg", range, of: size)
          == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
    for name in Self.names {
      #expect(try remote.bytes("d/\(name)", 10..<20, of: size) == Array(bytes[10..<20]))
    }
  }

  @Test func `Digests match the contents`() throws {
    try folder.write(Array("abc".utf8), to: "abc.txt")
    let expected = [
      "md5": "900150983cd24fb0d6963f7d28e17f72", "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
      "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ]
    #expect(try remote.hashes(of: "abc.txt") == expected)
    #expect(try remote.list("", wantsHashes: true, isCancelled: { false }).map(\.hashes) == [expected])
  }

  @Test func `The entry at a path is returned, and nothing if there is none`() throws {
    try folder.write([1, 2, 3], to: "d/x.jpg")
    #expect(try remote.entry(at: "d/x.jpg")?.size == 3)
    #expect(try remote.entry(at: "d")?.isFolder == true)
    #expect(try remote.entry(at: "")?.isFolder == true)
    #expect(try remote.entry(at: "d/y.jpg") == nil)
    #expect(try remote.entry(at: "e/y.jpg") == nil)
  }

  @Test func `The backend's features are reported`() throws {
    let features = try remote.features()
    #expect(features.backend == "local")
    #expect(features.hashes.contains("md5") && features.hashes.contains("sha256"))
    #expect(
      features.precision == 1 && features.hasFolderTimes && !features.isBucketBased && features.hasSlowHashes)
  }

  @Test func `Missing and changed files are reported`() throws {
    try folder.write(RemoteFolder.bytes(1000), to: "x.jpg")
    func kind(_ body: () throws -> Void) -> RcloneError.Kind? {
      do { try body() } catch { return (error as? RcloneError)?.kind }
      return nil
    }
    #expect(kind { _ = try remote.bytes("y.jpg", 0..<10, of: 1000) } == .notFound)
    #expect(kind { _ = try remote.list("none", wantsHashes: false, isCancelled: { false }) } == .notFound)
    #expect(kind { _ = try remote.hashes(of: "none") } == .notFound)
    #expect(kind { _ = try remote.bytes("x.jpg", 0..<10, of: 999) } == .changed)
    #expect(kind { _ = try remote.bytes("x.jpg", 0..<1001, of: 1001) } == .changed)
    #expect(kind { _ = try remote.bytes("x.jpg", 0..<1001, of: 1000) } == .changed)
    try folder.write([], to: "x.jpg")
    #expect(kind { _ = try remote.bytes("x.jpg", 0..<10, of: 1000) } == .changed)
  }

  @Test func `A reader that has enough cancels the request, and the next one is answered`() throws {
    try folder.write(RemoteFolder.bytes(3_000_000), to: "x.jpg")
    var count = 0
    try remote.read("x.jpg", range: 0..<3_000_000, of: 3_000_000, modified: nil, isCancelled: { false }) {
      count += $0.count
      return count < 100_000
    }
    #expect(count >= 100_000 && count < 3_000_000)
    #expect(try remote.bytes("x.jpg", 0..<5, of: 3_000_000).count == 5)
  }

  @Test func `An unconfigured remote is an error`() throws {
    let none = RcloneRemote("no-such-remote-of-tpick:", settings: RemoteFolder.settings)
    let error = #expect(throws: RcloneError.self) {
      try none.list("", wantsHashes: false, isCancelled: { false })
    }
    #expect(error?.kind == .noSuchRemote && error?.subject == "no-such-remote-of-tpick:")
  }
}
