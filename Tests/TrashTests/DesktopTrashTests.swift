import AssetLibrary
import Fixtures
import Synchronization
import System
import SystemPackage
import Testing
import Trash

/// A folder with photos and its own home folder, whose trash is empty.
private struct TrashScene {
  let folder: TemporaryFolder
  let trash: DesktopTrash

  init() throws {
    folder = try TemporaryFolder()
    trash = Self.trash(folder, TrashCalls())
  }

  private static func trash(_ folder: TemporaryFolder, _ calls: TrashCalls) -> DesktopTrash {
    // Other disks of this machine may have trash folders of the user.
    let place = Array(folder.path.utf8)
    return DesktopTrash(
      home: FilePath(bytes: folder.path(of: "home/data/Trash")),
      mounts: {
        MountPoint.points(mountInfo: MountPoint.information()).filter {
          place.starts(with: $0.place) || $0.place.starts(with: place)
        }
      },
      calls: calls)
  }

  /// The same folder with other system calls.
  func with(_ calls: TrashCalls) -> DesktopTrash { Self.trash(folder, calls) }

  func path(_ name: some FileNaming) -> FilePath { FilePath(bytes: folder.path(of: name)) }

  func write(_ names: [[UInt8]]) throws {
    for name in names { try folder.write(Self.content(name), to: name) }
  }

  /// The unique content of a file.
  static func content(_ name: [UInt8]) -> [UInt8] { Array("photo ".utf8) + name }

  /// The bytes of a file; nil if there is none.
  func bytes(_ path: FilePath) -> [UInt8]? { PrivateFile.read(path, limit: 1 << 20) }

  /// The names in a subfolder.
  func names(_ name: String) -> Set<String> {
    guard let stream = opendir("\(folder.path)/\(name)") else { return [] }
    defer { closedir(stream) }
    var names: Set<String> = []
    while let entry = readdir(stream) {
      names.insert(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names.subtracting([".", ".."])
  }

  /// Random bytes that form a valid name.
  static func name(_ random: inout SeededGenerator) -> [UInt8] {
    let kinds: [[UInt8]] = [
      Array("\n\t %.-_~/".utf8).filter { $0 != UInt8(ascii: "/") }, Array("abcXYZ019".utf8),
      [0xFF, 0xC3, 0x28, 0x80, 0xE9],
      Array("é日🎑".utf8), Array("%00%2F[]=;#".utf8),
    ]
    let count = [1, 3, 12, 60, 254].randomElement(using: &random) ?? 1
    var name: [UInt8] = Bool.random(using: &random) ? [] : [UInt8(ascii: ".")]
    while name.count < count {
      name += [(kinds.randomElement(using: &random) ?? []).randomElement(using: &random) ?? 0x61]
    }
    if Bool.random(using: &random) { name += Array(".JPG".utf8) }
    name = Array(name.prefix(255))
    return name == [UInt8(ascii: ".")] || name == Array("..".utf8) ? Array("dots".utf8) : name
  }
}

/// The number of files that this process has open.
private var openFiles: Int {
  guard let folder = opendir("/proc/self/fd") else { return 0 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  return count
}

/// System calls of which the one with a number fails, or also all later ones, as if the process was killed
/// before it.
private final class FailingCalls: Sendable {
  private let count = Mutex(0)
  private let number: Int
  private let isEnd: Bool

  init(_ number: Int, isEnd: Bool) { (self.number, self.isEnd) = (number, isEnd) }

  var calls: TrashCalls {
    TrashCalls { _ in
      let count = self.count.withLock { count in
        defer { count += 1 }
        return count
      }
      return count == self.number || self.isEnd && count > self.number ? .ioError : nil
    }
  }

  /// Whether the failing call was reached.
  var hasFailed: Bool { count.withLock { $0 > number } }
}

@Suite struct DesktopTrashTests {
  @Test(arguments: 0..<6) func `A deleted file is restored byte for byte, whatever its name`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let scene = try TrashScene()
    var names: Set<[UInt8]> = []
    while names.count < 12 {
      names.insert(Array("a/".utf8) + TrashScene.name(&random))
      names.insert(Array("b/c/".utf8) + TrashScene.name(&random))
    }
    let all = names.sorted { $0.lexicographicallyPrecedes($1) }
    try scene.write(all)
    let put = try scene.trash.put(all.map { scene.path($0) })
    #expect(put.map(\.original) == all.map { scene.path($0) })
    for name in all { #expect(scene.bytes(scene.path(name)) == nil) }
    let listed = scene.trash.list()
    #expect(Set(listed) == Set(put))
    for file in listed {
      let name = try #require(all.first { scene.path($0) == file.original })
      #expect(scene.bytes(file.file) == TrashScene.content(name))
      #expect(file.deleted != nil && file.size == Int64(TrashScene.content(name).count))
    }
    // Their folders are removed, too: they are recreated.
    #expect(rmdir("\(scene.folder.path)/a") == 0 && rmdir("\(scene.folder.path)/b/c") == 0)
    try scene.trash.restore(listed.shuffled(using: &random))
    for name in all { #expect(scene.bytes(scene.path(name)) == TrashScene.content(name)) }
    #expect(scene.trash.list().isEmpty)
    #expect(scene.names("home/data/Trash/info").isEmpty && scene.names("home/data/Trash/files").isEmpty)
  }

  @Test func `A trash info file follows the specification, and only its user can read it`() throws {
    let scene = try TrashScene()
    let name = Array("a b%\n".utf8) + [0xFF] + Array("é.jpg".utf8)
    try scene.write([name])
    let file = try #require(try scene.trash.put([scene.path(name)]).first)
    let stem = try #require(file.file.lastComponent).string
    let info = scene.path(Array("home/data/Trash/info/".utf8) + name + Array(".trashinfo".utf8))
    let text = String(decoding: try #require(scene.bytes(info)), as: UTF8.self)
    let deleted = try #require(file.deleted)
    #expect(
      text == "[Trash Info]\nPath=\(scene.folder.path)/a%20b%25%0A%FF%C3%A9.jpg\nDeletionDate=\(deleted)\n",
      "\(stem)")
    #expect(try info.stat().permissions.rawValue == 0o600)
    #expect(try scene.path("home/data/Trash/info").stat().permissions.rawValue == 0o700)
  }

  /// Lets every call fail once: with an error, and as if the process was killed.
  @Test(arguments: [false, true])
  func `A failed call, or a kill, loses no photo on its way into the trash`(isKill: Bool) throws {
    let names = ["a/IMG_1.HEIC", "a/IMG_1.MOV", "b/IMG_1.HEIC"].map { Array($0.utf8) }
    for number in 0... {
      let scene = try TrashScene()
      try scene.write(names)
      let failing = FailingCalls(number, isEnd: isKill)
      do throws(TrashError) {
        try scene.with(failing.calls).put(names.map { scene.path($0) })
      } catch {
        #expect(names.map { scene.path($0) }.contains(error.path), "call \(number)")
      }
      let listed = scene.trash.list()
      for name in names {
        let place = scene.bytes(scene.path(name))
        let kept = listed.filter { $0.original == scene.path(name) }
        // The photo is complete, either in its folder or in the trash.
        #expect((place == nil) == (kept.count == 1), "call \(number)")
        #expect(
          (place ?? kept.first.flatMap { scene.bytes($0.file) }) == TrashScene.content(name), "call \(number)"
        )
      }
      if !isKill { #expect([0, names.count].contains(listed.count), "call \(number): all or none") }
      // Whatever info files remain, the same photos can be deleted and restored.
      let rest = names.filter { scene.bytes(scene.path($0)) != nil }
      try scene.trash.put(rest.map { scene.path($0) })
      try scene.trash.restore(scene.trash.list())
      for name in names { #expect(scene.bytes(scene.path(name)) == TrashScene.content(name)) }
      if !failing.hasFailed { break }
    }
  }

  @Test(arguments: [false, true]) func `A failed call, or a kill, loses no photo while it is restored`(
    isKill: Bool
  ) throws {
    let names = ["a/IMG_1.HEIC", "a/IMG_1.MOV", "b/IMG_1.HEIC"].map { Array($0.utf8) }
    for number in 0... {
      let scene = try TrashScene()
      try scene.write(names)
      let put = try scene.trash.put(names.map { scene.path($0) })
      rmdir("\(scene.folder.path)/b")
      let failing = FailingCalls(number, isEnd: isKill)
      let trash = scene.with(failing.calls)
      do throws(TrashError) { try trash.restore(put) } catch {
        #expect(put.map(\.original).contains(error.path))
      }
      let listed = scene.trash.list()
      for name in names {
        let place = scene.bytes(scene.path(name))
        let kept = listed.filter { $0.original == scene.path(name) }
        #expect((place == nil) == (kept.count == 1), "call \(number)")
        #expect(
          (place ?? kept.first.flatMap { scene.bytes($0.file) }) == TrashScene.content(name), "call \(number)"
        )
      }
      if !isKill { #expect([0, names.count].contains(listed.count), "call \(number): all or none") }
      if !failing.hasFailed { break }
    }
  }

  @Test func `If one file can't be moved, the files before it are moved back, and the error names it`()
    throws
  {
    let scene = try TrashScene()
    try scene.write(["a.jpg", "b.jpg"].map { Array($0.utf8) })
    let missing = scene.path("none.jpg")
    #expect(throws: TrashError.missing(missing)) {
      try scene.trash.put([scene.path("a.jpg"), missing, scene.path("b.jpg")])
    }
    #expect(scene.names("").isSuperset(of: ["a.jpg", "b.jpg"]))
    #expect(scene.names("home/data/Trash/info").isEmpty)
  }

  /// Each flush waits for the disk: ten thousand of them would take minutes.
  @Test(arguments: [nil, Errno(rawValue: EOPNOTSUPP), .ioError])
  func `The notes of many files are flushed together, before the first file is moved`(
    refusal: Errno?
  ) throws {
    let scene = try TrashScene()
    let names = (1...40).map { Array("\($0 % 20)/\($0).jpg".utf8) }
    try scene.write(names)
    let photos = names.map { scene.path($0) }
    let steps = Mutex<[TrashCalls.Step]>([])
    // The whole file system can be flushed; or only each file, as with FUSE; or the disk fails.
    let calls = TrashCalls { step in
      steps.withLock { steps in
        defer { steps.append(step) }
        return step == .synchronize && !steps.contains(.synchronize) ? refusal : nil
      }
    }
    if refusal == .ioError {
      #expect(throws: TrashError.failed(photos[0], .ioError)) { try scene.with(calls).put(photos) }
      #expect(photos.allSatisfy { scene.bytes($0) != nil })
      #expect(scene.names("home/data/Trash/info").isEmpty && scene.names("home/data/Trash/files").isEmpty)
      return
    }
    let put = try scene.with(calls).put(photos)
    #expect(put.count == 40 && photos.allSatisfy { scene.bytes($0) == nil })
    let made = steps.withLock { $0 }
    let firstMove = try #require(made.firstIndex(of: .move))
    let flush = try #require(made.firstIndex(of: .synchronize))
    #expect(try #require(made.lastIndex(of: .nameNote)) < flush && flush < firstMove)
    #expect(made[..<firstMove].count { $0 == .synchronize } == (refusal == nil ? 1 : 42))
    #expect(made[firstMove...].count { $0 == .synchronize } == 1)
    try scene.with(calls).restore(put)
    #expect(zip(photos, names).allSatisfy { scene.bytes($0) == TrashScene.content($1) })
    #expect(steps.withLock { $0 }.count { $0 == .synchronize } == (refusal == nil ? 3 : 44))
  }

  @Test func `Files of more folders than a process may open files are deleted and restored at once`() throws {
    let scene = try TrashScene()
    let names = (1...1500).map { Array("\($0)/photo.jpg".utf8) }
    try scene.write(names)
    let photos = names.map { scene.path($0) }
    let held = openFiles
    let step = Mutex(0)
    let most = Mutex(0)
    let calls = TrashCalls { _ in
      // Counting takes longer than deleting.
      let isDue = step.withLock { step in
        step += 1
        return step.isMultiple(of: 50)
      }
      if isDue { most.withLock { $0 = max($0, openFiles) } }
      return nil
    }
    let put = try scene.with(calls).put(photos)
    #expect(put.count == 1500 && photos.allSatisfy { scene.bytes($0) == nil })
    try scene.with(calls).restore(put)
    #expect(zip(photos, names).allSatisfy { scene.bytes($0) == TrashScene.content($1) })
    // Other tests of this process open files, too.
    #expect(most.withLock { $0 } < held + 700)
  }

  @Test func `A folder that was replaced during a deletion does not get the files of the old one`() throws {
    let scene = try TrashScene()
    let names = (1...100).map { Array("\($0)/photo.jpg".utf8) }
    try scene.write(names)
    let photos = names.map { scene.path($0) }
    let isReplaced = Mutex(false)
    // Before the first move, the first folder, which is closed by then, makes room for another one.
    let calls = TrashCalls { step in
      guard step == .synchronize, scene.names("home/data/Trash/info").count == 100 else { return nil }
      isReplaced.withLock { isReplaced in
        if isReplaced { return }
        isReplaced = true
        rename("\(scene.folder.path)/1", "\(scene.folder.path)/elsewhere")
        mkdir("\(scene.folder.path)/1", 0o700)
        _ = try? scene.folder.write([9], to: "1/photo.jpg")
      }
      return nil
    }
    #expect(throws: TrashError.missing(photos[0])) { try scene.with(calls).put(photos) }
    #expect(isReplaced.withLock { $0 })
    #expect(scene.bytes(photos[0]) == [9] && scene.names("elsewhere") == ["photo.jpg"])
    #expect(photos.allSatisfy { scene.bytes($0) != nil } && scene.trash.list().isEmpty)
  }

  @Test func `Folders, and files in the trash, are not deleted`() throws {
    let scene = try TrashScene()
    try scene.write([Array("a/a.jpg".utf8)])
    #expect(throws: TrashError.notAFile(scene.path("a"))) { try scene.trash.put([scene.path("a")]) }
    #expect(throws: TrashError.notAFile(scene.path("a/.."))) { try scene.trash.put([scene.path("a/..")]) }
    let file = try #require(try scene.trash.put([scene.path("a/a.jpg")]).first)
    #expect(throws: TrashError.inTrash(file.file)) { try scene.trash.put([file.file]) }
    #expect(throws: TrashError.missing(scene.path("a/a.jpg"))) {
      try scene.trash.check(scene.path("a/a.jpg"))
    }
  }

  @Test func `A symbolic link is deleted itself, and its target stays`() throws {
    let scene = try TrashScene()
    try scene.write([Array("a.jpg".utf8)])
    #expect(symlink("a.jpg", "\(scene.folder.path)/link.jpg") == 0)
    let file = try #require(try scene.trash.put([scene.path("link.jpg")]).first)
    #expect(scene.names("").contains("a.jpg") && !scene.names("").contains("link.jpg"))
    #expect(scene.trash.erase([file]) == [nil])
    #expect(scene.bytes(scene.path("a.jpg")) == TrashScene.content(Array("a.jpg".utf8)))
  }

  @Test
  func
    `What took the place of a file meanwhile is not overwritten, and all files of the photo stay in the trash`()
    throws
  {
    let scene = try TrashScene()
    let names = ["1.HEIC", "1.MOV"].map { Array($0.utf8) }
    try scene.write(names)
    let put = try scene.trash.put(names.map { scene.path($0) })
    try scene.folder.write([1], to: "1.MOV")
    #expect(throws: TrashError.occupied(scene.path("1.MOV"))) { try scene.trash.restore(put) }
    #expect(scene.bytes(scene.path("1.MOV")) == [1] && scene.bytes(scene.path("1.HEIC")) == nil)
    #expect(Set(scene.trash.list()) == Set(put))
  }

  @Test func `Files with the same name have distinct names in the trash, and are restored to their folders`()
    throws
  {
    let scene = try TrashScene()
    let names = (0..<40).map { Array("\($0)/IMG.JPG".utf8) }
    try scene.write(names)
    for name in names { try scene.trash.put([scene.path(name)]) }
    #expect(scene.names("home/data/Trash/files").isSuperset(of: ["IMG.JPG", "IMG.2.JPG"]))
    try scene.trash.restore(scene.trash.list())
    for name in names { #expect(scene.bytes(scene.path(name)) == TrashScene.content(name)) }
    // In one call each note is written, and flushed to disk, once, however many names are taken.
    let written = Mutex(0)
    let counting = TrashCalls { step in
      if step == .writeNote { written.withLock { $0 += 1 } }
      return nil
    }
    try scene.with(counting).put(names.map { scene.path($0) })
    #expect(written.withLock { $0 } == names.count)
  }

  @Test(.timeLimit(.minutes(120))) func `Concurrent deletions lose nothing`() async throws {
    let scene = try TrashScene()
    let names = (0..<8).map { task in (0..<25).map { Array("\(task)/\($0)/IMG.JPG".utf8) } }
    try scene.write(names.flatMap(\.self))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for names in names {
        group.addTask { for name in names { try scene.trash.put([scene.path(name)]) } }
      }
      try await group.waitForAll()
    }
    let listed = scene.trash.list()
    #expect(listed.count == 200)
    for file in listed {
      let name = try #require(names.joined().first { scene.path($0) == file.original })
      #expect(scene.bytes(file.file) == TrashScene.content(name))
    }
  }

  @Test
  func
    `Erasing deletes files and folders in the trash with their contents, but not the targets of links`()
    throws
  {
    let scene = try TrashScene()
    try scene.write(
      ["kept/a.jpg", "gone.jpg", "home/data/Trash/files/folder/x/y.jpg"].map { Array($0.utf8) })
    try scene.folder.write(
      Array("[Trash Info]\nPath=/somewhere/folder\nDeletionDate=2020-01-02T03:04:05\n".utf8),
      to: "home/data/Trash/info/folder.trashinfo")
    #expect(
      symlink("\(scene.folder.path)/kept", "\(scene.folder.path)/home/data/Trash/files/folder/link") == 0)
    let other = try #require(try scene.trash.put([scene.path("gone.jpg")]).first)
    let file = try #require(scene.trash.list().first { $0.original == "/somewhere/folder" })
    #expect(file.deleted == "2020-01-02T03:04:05")
    #expect(scene.trash.erase([file]) == [nil])
    #expect(scene.names("kept") == ["a.jpg"])
    #expect(scene.names("home/data/Trash/files") == ["gone.jpg"])
    #expect(scene.names("home/data/Trash/info") == ["gone.jpg.trashinfo"])
    #expect(scene.trash.erase([other]) == [nil])
    #expect(scene.trash.erase([other]) == [.gone(other.original)])
  }

  @Test func `Of a photo whose files can't all be erased, the last file stays, and other photos are erased`()
    throws
  {
    let scene = try TrashScene()
    let names = ["1.MOV", "1.HEIC", "2.MOV", "2.HEIC"].map { Array($0.utf8) }
    try scene.write(names)
    let put = try scene.trash.put(names.map { scene.path($0) })
    let isFirst = Atomic(true)
    let failing = scene.with(
      TrashCalls { step in
        step == .erase && isFirst.exchange(false, ordering: .relaxed) ? .ioError : nil
      })
    let errors = failing.erase(groups: [Array(put.prefix(2)), Array(put.suffix(2))])
    #expect(errors == [.failed(scene.path("1.MOV"), .ioError), nil])
    #expect(scene.names("home/data/Trash/files") == ["1.MOV", "1.HEIC"])
    #expect(scene.names("home/data/Trash/info") == ["1.MOV.trashinfo", "1.HEIC.trashinfo"])
  }

  @Test func `The stamp of the trash differs after each change, whoever makes it`() throws {
    let scene = try TrashScene()
    try scene.write(["1.jpg", "2.jpg"].map { Array($0.utf8) })
    var stamps = [scene.trash.stamp().value]
    // The time of a change has the resolution of the system's clock.
    func note() {
      let before = stamps[stamps.count - 1]
      #expect(scene.trash.stamp().value != before)
      stamps.append(scene.trash.stamp().value)
      Waiting.pause(.milliseconds(20))
    }
    let put = try scene.trash.put([scene.path("1.jpg")])
    note()
    try scene.trash.put([scene.path("2.jpg")])
    note()
    try scene.trash.restore(put)
    note()
    scene.folder.remove("home/data/Trash/files/2.jpg")
    note()
    #expect(scene.trash.stamp().value == stamps.last)
  }

  @Test func `A file that was trashed later under the same name is neither erased nor restored in its place`()
    throws
  {
    let scene = try TrashScene()
    try scene.write(["a/1.jpg", "b/1.jpg"].map { Array($0.utf8) })
    let first = try scene.trash.put([scene.path("a/1.jpg")])
    try scene.trash.restore(first)
    try scene.trash.put([scene.path("b/1.jpg")])
    #expect(scene.trash.erase(first) == [.gone(scene.path("a/1.jpg"))])
    #expect(throws: TrashError.gone(scene.path("a/1.jpg"))) { try scene.trash.restore(first) }
    #expect(scene.trash.list().map(\.original) == [scene.path("b/1.jpg")])
  }

  @Test func `A new file that was trashed later from the same path is not erased in place of the first`()
    throws
  {
    let scene = try TrashScene()
    try scene.write([Array("1.jpg".utf8)])
    let first = try scene.trash.put([scene.path("1.jpg")])
    // As if another program had restored the first one, and the new one were deleted long after.
    let note = "[Trash Info]\nPath=\(scene.path("1.jpg").string)\nDeletionDate=2099-01-01T00:00:00\n"
    try scene.folder.write(Array(note.utf8), to: "home/data/Trash/info/1.jpg.trashinfo")
    #expect(scene.trash.erase(first) == [.gone(scene.path("1.jpg"))])
    #expect(scene.names("home/data/Trash/files") == ["1.jpg"])
    #expect(scene.trash.erase(scene.trash.list()) == [nil])
  }
}

/// Info files that other programs, or an attacker, left.
@Suite struct TrashNoteTests {
  private static let bad: [(String, [UInt8])] = [
    ("empty", []), ("nopath", Array("[Trash Info]\nDeletionDate=2020-01-01T00:00:00\n".utf8)),
    ("nogroup", Array("Path=/a\n".utf8)), ("up", Array("[Trash Info]\nPath=../../etc/x\n".utf8)),
    ("upabsolute", Array("[Trash Info]\nPath=/a/../x\n".utf8)),
    ("percent", Array("[Trash Info]\nPath=/a%ZZ\n".utf8)), ("nul", Array("[Trash Info]\nPath=/a%00b\n".utf8)),
    ("huge", Array("[Trash Info]\nPath=/".utf8) + [UInt8](repeating: 0x61, count: 1 << 17)),
    ("blank", Array("[Trash Info]\nPath=\n".utf8)), ("root", Array("[Trash Info]\nPath=/\n".utf8)),
    ("binary", [0, 0xFF, 10, 0]),
  ]

  @Test func `Info files without a path are skipped, and the others are listed`() throws {
    let scene = try TrashScene()
    for (name, bytes) in Self.bad {
      try scene.folder.write(bytes, to: "home/data/Trash/info/\(name).trashinfo")
      try scene.folder.write([1], to: "home/data/Trash/files/\(name)")
    }
    // An info file that is a pipe, a link, or has no file.
    #expect(mkfifo("\(scene.folder.path)/home/data/Trash/info/pipe.trashinfo", 0o600) == 0)
    #expect(symlink("/etc/passwd", "\(scene.folder.path)/home/data/Trash/info/link.trashinfo") == 0)
    for name in ["pipe", "link"] { try scene.folder.write([1], to: "home/data/Trash/files/\(name)") }
    try scene.folder.write(
      Array("[Trash Info]\nPath=/orphan\n".utf8), to: "home/data/Trash/info/orphan.trashinfo")
    try scene.folder.write(
      Array("[Trash Info]\r\nX=1\r\nPath=/good\r\nPath=/later\r\nDeletionDate=soon\r\n".utf8),
      to: "home/data/Trash/info/good.trashinfo")
    try scene.folder.write([1], to: "home/data/Trash/files/good")
    let listed = scene.trash.list()
    #expect(listed.map(\.original) == ["/good"] && listed.first?.deleted == nil)
  }

  @Test(arguments: 0..<20) func `Random bytes as info files list nothing beyond the paths they name`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let scene = try TrashScene()
    let pieces = [
      "[Trash Info]", "\n", "Path=", "/", "..", "%", "%00", "%2e%2e", "a", "DeletionDate=",
      "2020-01-01T00:00:00",
    ]
    for number in 0..<20 {
      let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      try scene.folder.write(
        Array("[Trash Info]\n\(text)".utf8), to: "home/data/Trash/info/\(number).trashinfo")
      try scene.folder.write([1], to: "home/data/Trash/files/\(number)")
    }
    for file in scene.trash.list() {
      #expect(!file.original.bytes.contains(0))
      #expect(!file.original.components.contains { $0.string == ".." })
      #expect(file.original.lastComponent != nil)
    }
  }
}

/// Files that other programs moved to the trash, and their view of this one's.
@Suite(.serialized) struct TrashCounterpartTests {
  private static func isThere(_ program: String) -> Bool { access("/usr/bin/\(program)", X_OK) == 0 }

  private static let names =
    ["a b%.jpg", "line\nbreak.jpg", "é.jpg"].map { Array($0.utf8) } + [
      Array("x".utf8) + [0xFF] + Array(".jpg".utf8)
    ]

  private func run(_ scene: TrashScene, _ command: String) throws {
    try scene.folder.run(
      "env", "HOME=\(scene.folder.path)/home", "XDG_DATA_HOME=\(scene.folder.path)/home/data",
      "LC_ALL=C.UTF-8", "sh",
      "-c", command)
  }

  @Test(.enabled(if: isThere("gio"), "gio is not installed (libglib2.0-bin)"))
  func `Files deleted by gio are listed and can be restored`() throws {
    let scene = try TrashScene()
    try scene.write(Self.names)
    try scene.folder.makeFolder("home/data")
    try run(scene, "gio trash *.jpg")
    let listed = scene.trash.list()
    #expect(Set(listed.map(\.original)) == Set(Self.names.map { scene.path($0) }))
    try scene.trash.restore(listed)
    for name in Self.names { #expect(scene.bytes(scene.path(name)) == TrashScene.content(name)) }
  }

  @Test(.enabled(if: isThere("trash-put"), "trash-cli is not installed"))
  func `Files deleted by trash-cli are listed and can be restored`() throws {
    let scene = try TrashScene()
    // trash-cli is written in Python and accepts only names in UTF-8.
    let names = Array(Self.names.prefix(3))
    try scene.write(names)
    try scene.folder.makeFolder("home/data")
    try run(scene, "trash-put *.jpg")
    let listed = scene.trash.list()
    #expect(Set(listed.map(\.original)) == Set(names.map { scene.path($0) }))
    try scene.trash.restore(listed)
    for name in names { #expect(scene.bytes(scene.path(name)) == TrashScene.content(name)) }
  }

  @Test(.enabled(if: isThere("trash-list"), "trash-cli is not installed"))
  func `trash-cli lists, restores and erases files deleted here`() throws {
    let scene = try TrashScene()
    let names = ["a b%.jpg", "é.jpg", "1.jpg"].map { Array($0.utf8) }
    try scene.write(names)
    let put = try scene.trash.put(names.map { scene.path($0) })
    try run(scene, "trash-list > listed")
    let lines = String(decoding: try scene.folder.bytes(of: "listed"), as: UTF8.self).split(separator: "\n")
    let wanted = put.map { "\(($0.deleted ?? "").replacing("T", with: " ")) \($0.original.string)" }
    #expect(Set(lines.map(String.init)).isSuperset(of: wanted))
    try run(scene, "echo 0 | trash-restore \"$PWD/1.jpg\" > /dev/null")
    #expect(scene.bytes(scene.path("1.jpg")) == TrashScene.content(names[2]))
    #expect(scene.trash.list().count == 2)
    try run(scene, "trash-rm '*é.jpg'")
    #expect(scene.trash.list().map(\.original) == [scene.path("a b%.jpg")])
  }
}

/// Trash folders on other disks than that of the home folder.
@Suite(.serialized) struct VolumeTrashTests {
  private static let user = geteuid()

  @Test func `A file of another disk is moved to that disk's trash, with a relative path`() throws {
    // Shared memory is a separate file system almost everywhere.
    var template = Array("/dev/shm/tpick-trash.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let place = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = try TemporaryFolder()
    let home = FilePath(bytes: folder.path(of: "Trash"))
    let trash = DesktopTrash(home: home)
    let photo = FilePath("\(place)/a b.jpg")
    try PrivateFile.check(photo)
    let file = try #require(try trash.put([photo]).first)
    #expect(file.trash.starts(with: "/dev/shm") && file.original == photo)
    #expect((try? home.stat()) == nil)
    let info = file.trash.appending("info").appending("\(file.file.lastComponent?.string ?? "").trashinfo")
    let text = String(decoding: PrivateFile.read(info, limit: 4096) ?? [], as: UTF8.self)
    #expect(text.contains("Path=\(place.dropFirst("/dev/shm/".count))/a%20b.jpg\n"))
    #expect(trash.list().contains(file))
    try trash.restore([file])
    #expect(PrivateFile.read(photo, limit: 10) == [1, 2, 3])
    #expect(trash.erase(try trash.put([photo])) == [nil])
    #expect(!trash.list().contains { $0.original == photo })
    #expect(rmdir(place) == 0)
  }

  @Test(.enabled(if: MountedDisk.isAllowed, "mounting is not allowed here"))
  func `A shared trash is used if it has the sticky bit and is not a link; otherwise, the user's own one`()
    throws
  {
    for (command, isShared) in [
      ("mkdir -m 1777 .Trash", true), ("mkdir -m 777 .Trash", false),
      ("mkdir -m 1777 other; ln -s other .Trash", false), ("true", false),
    ] {
      let scene = try TrashScene()
      let volume = try #require(MountedDisk(in: scene.folder, "size=1m"))
      try scene.folder.run("sh", "-c", "cd disk; \(command)")
      try scene.write([Array("disk/a/1.jpg".utf8)])
      let file = try #require(try scene.trash.put([scene.path("disk/a/1.jpg")]).first)
      let wanted = isShared ? ".Trash/\(Self.user)" : ".Trash-\(Self.user)"
      #expect(file.trash == FilePath("\(volume.place)/\(wanted)"), "\(command)")
      #expect(try file.trash.stat().permissions.rawValue == 0o700)
      #expect(scene.trash.list() == [file])
      try scene.trash.restore([file])
      #expect(scene.names("disk/a") == ["1.jpg"])
    }
  }

  @Test(.enabled(if: MountedDisk.isAllowed, "mounting is not allowed here"))
  func `The files of a disk that is mounted twice are found by their paths at both places`() throws {
    let scene = try TrashScene()
    let volume = try #require(MountedDisk(in: scene.folder, "size=1m"))
    try scene.folder.makeFolder("again")
    try scene.folder.run("mount", "--bind", volume.place, "\(scene.folder.path)/again")
    defer { umount("\(scene.folder.path)/again") }
    for name in ["disk", "again"] {
      try scene.write([Array("disk/a/1.jpg".utf8)])
      let photo = scene.path("\(name)/a/1.jpg")
      let put = try #require(try scene.trash.put([photo]).first)
      let listed = try #require(scene.trash.list().first)
      #expect(scene.trash.list().count == 1)
      #expect(scene.trash.spellings(of: photo).contains(listed.original))
      #expect(scene.trash.listedPaths()(put.file) == listed.file)
      // What `put` returned can be restored, whichever place the list names.
      try scene.trash.restore([put])
      #expect(scene.names("disk/a") == ["1.jpg"] && scene.names("again/a") == ["1.jpg"])
      #expect(scene.trash.list().isEmpty)
    }
  }

  @Test(.enabled(if: MountedDisk.isAllowed, "mounting is not allowed here"))
  func `A disk's trash that is a link, or another user's, is not used, and the photo stays`() throws {
    for command in [
      "mkdir x; ln -s x .Trash-\(Self.user)", "mkdir .Trash-\(Self.user); chown 12345 .Trash-\(Self.user)",
    ] {
      let scene = try TrashScene()
      let volume = try #require(MountedDisk(in: scene.folder, "size=1m"))
      try scene.folder.run("sh", "-c", "cd disk; \(command)")
      try scene.write([Array("disk/1.jpg".utf8)])
      let photo = scene.path("disk/1.jpg")
      #expect(throws: TrashError.untrusted(photo, trash: FilePath("\(volume.place)/.Trash-\(Self.user)"))) {
        try scene.trash.put([photo])
      }
      #expect(scene.names("disk").contains("1.jpg"))
    }
  }

  @Test(.enabled(if: MountedDisk.isAllowed, "mounting is not allowed here"))
  func `A full or read-only disk is reported, and the photos stay in place`() throws {
    let scene = try TrashScene()
    let volume = try #require(MountedDisk(in: scene.folder, "size=64k"))
    try scene.write([Array("disk/1.jpg".utf8), Array("disk/2.jpg".utf8)])
    try volume.fill(scene.folder)
    let photos = [scene.path("disk/1.jpg"), scene.path("disk/2.jpg")]
    #expect(throws: TrashError.full(photos[0])) { try scene.trash.put(photos) }
    #expect(scene.names("disk").isSuperset(of: ["1.jpg", "2.jpg"]))
    #expect(scene.trash.list().isEmpty)
    #expect(unlink("\(volume.place)/filler") == 0)
    try volume.remount(scene.folder, "ro")
    #expect(throws: TrashError.readOnly(photos[0])) { try scene.trash.put(photos) }
    try volume.remount(scene.folder, "rw")
    let put = try scene.trash.put(photos)
    try volume.remount(scene.folder, "ro")
    #expect(Set(scene.trash.list()) == Set(put))
    #expect(throws: TrashError.readOnly(photos[0])) { try scene.trash.restore(put) }
    #expect(scene.trash.erase(put).first == .readOnly(photos[0]))
    #expect(Set(scene.trash.list()) == Set(put))
  }

  @Test(.enabled(if: MountedDisk.isAllowed, "mounting is not allowed here"))
  func `Info files of a disk lead only to paths on it`() throws {
    let scene = try TrashScene()
    let volume = try #require(MountedDisk(in: scene.folder, "size=1m"))
    for (name, path) in [("absolute", "/etc/x"), ("up", "../x"), ("link", "out/x"), ("good", "a/x")] {
      try scene.folder.write([1], to: "disk/.Trash-\(Self.user)/files/\(name)")
      try scene.folder.write(
        Array("[Trash Info]\nPath=\(path)\n".utf8), to: "disk/.Trash-\(Self.user)/info/\(name).trashinfo")
    }
    try scene.folder.makeFolder("outside")
    #expect(symlink("\(scene.folder.path)/outside", "\(volume.place)/out") == 0)
    let listed = scene.trash.list()
    #expect(Set(listed.map(\.original.string)) == ["\(volume.place)/out/x", "\(volume.place)/a/x"])
    #expect(throws: TrashError.self) { try scene.trash.restore(listed) }
    #expect(scene.names("outside").isEmpty && !scene.names("disk").contains("a"))
    try scene.trash.restore(listed.filter { $0.original.string.hasSuffix("a/x") })
    #expect(scene.names("disk/a") == ["x"])
  }
}

extension PrivateFile {
  /// Makes a small file.
  fileprivate static func check(_ path: FilePath) throws { try write([1, 2, 3], to: path) }
}
