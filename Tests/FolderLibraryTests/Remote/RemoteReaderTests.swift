import AssetLibrary
import Dispatch
import Fixtures
import Synchronization
import TestScheduling
import Testing

@testable import FolderLibrary

/// The order in which remote files are read.
@Suite(.onOwnThreads) struct RemoteReaderTests {
  private let source: ScriptedSource
  private let model = LibraryModel()
  private let scan: LibraryScan
  private let ended = DispatchGroup()
  private var reader: RemoteReader { scan.remoteReader }

  init() throws {
    source = try ScriptedSource()
    scan = LibraryScan(
      model: model, storage: nil, watch: nil, helper: nil, isInteractive: true, remotes: [source])
  }

  /// Writes `count` photos to the source, "100.jpg" and following; the newest has the highest number.
  private func writePhotos(_ count: Int, in folder: String = "") throws {
    for number in 100..<100 + count {
      let photo = TestPhoto(width: 16, height: 12, date: .day(1, year: 1900 + number))
      source.write(try photo.bytes(), to: "\(folder)\(number).jpg")
    }
  }

  /// Lists and reads in the background, as for a screen.
  private func start() {
    var sources = LibrarySources([])
    sources.remotes = [source]
    ended.enter()
    DispatchQueue.global().async { [scan, ended, sources] in
      scan.run(sources)
      ended.leave()
    }
  }

  /// Lists `count` photos and keeps listing until `source.listing` is opened; reads nothing until `source.reading` is.
  private func startWhileAFolderIsListed(withPhotos count: Int) throws {
    try writePhotos(count)
    source.listing.close { !$0.isEmpty }
    source.write([], to: "late/nothing.txt")
    source.reading.close()
    start()
    #expect(eventually { assets.count == count })
  }

  /// Waits until everything has been listed and read.
  private func finish() {
    ended.wait()
    reader.wait()
  }

  /// Waits as clients do whose files come later; false after a timeout that no machine reaches.
  private func isReached(_ reads: AwaitedReads) -> Bool {
    let end = ContinuousClock.now + .seconds(600)
    var isLate = false
    reader.wait(for: reads, atMost: .seconds(3600)) {
      isLate = ContinuousClock.now > end
      return isLate
    }
    return !isLate
  }

  private var assets: [Asset] { Array(model.table.assets(in: nil, options: FetchOptions())) }

  /// Asset identifiers of the named photos.
  private func identifiers(_ names: [String]) -> [UInt64] {
    let known = Dictionary(assets.map { ($0.name, $0.localIdentifier.number) }) { first, _ in first }
    return names.compactMap { known[$0] ?? nil }
  }

  private func isRead(_ name: String) -> Bool {
    assets.contains { $0.name == name && $0.pixelSize.width == 16 }
  }

  @Test func `Everything is read in the end, also photos that are never visible`() throws {
    try writePhotos(120)
    start()
    finish()
    #expect(assets.count == 120 && assets.allSatisfy { $0.pixelSize.width == 16 })
    #expect(source.asked.count == 120 && source.brought.isEmpty)
  }

  @Test func `While folders are listed only visible photos are read`() throws {
    try writePhotos(30)
    try writePhotos(3, in: "late/")
    source.listing.close { $0 == "late" }
    start()
    #expect(eventually { assets.count == 30 && source.listing.count > 0 })
    reader.want(identifiers(["107.jpg"]))
    reader.wait()
    #expect(isRead("107.jpg"))
    #expect(source.asked == ["107.jpg"])
    source.listing.open()
    finish()
    #expect(assets.count == 33 && source.asked.count == 33)
  }

  @Test func `Visible photos go before those being read`() throws {
    try writePhotos(300)
    source.reading.close()
    start()
    ended.wait()
    // Three threads with eight connections each.
    #expect(eventually { source.reading.count == 24 })
    let before = source.asked.count
    reader.want(identifiers(["101.jpg"]))
    source.reading.close { $0 != "101.jpg" && !self.isRead("101.jpg") }
    source.reading.open()
    finish()
    #expect(source.asked.count == 300)
    #expect(source.asked[before] == "101.jpg")
    #expect(assets.allSatisfy { $0.pixelSize.width == 16 })
  }

  @Test func `Photos that are known already delay nothing`() throws {
    try writePhotos(5)
    start()
    finish()
    // Their thumbnails are cached as well.
    haveThumbnails()
    reader.want(identifiers(["101.jpg", "102.jpg"]))
    reader.wait()
    #expect(source.asked.count == 5 && source.brought.isEmpty)
    #expect(isReached(.readAndListed))
  }

  @Test func `Originals of photos without a thumbnail are downloaded once all visible headers are read`()
    throws
  {
    try startWhileAFolderIsListed(withPhotos: 40)
    let wanted = (100..<120).map { "\($0).jpg" }
    // Like a picker, which asks again whenever it knows more about the assets it shows.
    let observer = model.observers.add { [reader, identifiers = identifiers(wanted)] _ in
      reader.want(identifiers)
    }
    defer { model.observers.remove(observer) }
    reader.want(identifiers(wanted))
    #expect(eventually { source.reading.count > 0 })
    #expect(source.brought.isEmpty)
    // The last visible photo; no original is downloaded while it waits.
    source.reading.close { $0 == "100.jpg" }
    #expect(eventually { wanted.dropFirst().count(where: { isRead($0) }) >= 16 })
    #expect(source.brought.isEmpty)
    source.reading.open()
    #expect(eventually { Set(source.brought) == Set(wanted) })
    source.listing.open()
    finish()
    // For photos that are not visible the header is enough.
    #expect(Set(source.brought) == Set(wanted) && source.asked.count == 40)
  }

  /// Reports a cached thumbnail for every photo.
  private func haveThumbnails() {
    let versions = assets.compactMap { $0.primaryResource?.remoteVersion }
    model.changeCopies { $0.madeThumbnails = Set(versions) }
  }

  @Test func `A photo that was read while not visible gets its thumbnail once it is visible`() throws {
    try writePhotos(6)
    start()
    finish()
    #expect(source.brought.isEmpty)
    reader.want(identifiers(["103.jpg", "104.jpg"]))
    reader.wait()
    #expect(Set(source.brought) == ["103.jpg", "104.jpg"])
  }

  @Test func `A photo without a usable thumbnail is tried once`() throws {
    try writePhotos(3)
    source.setLongestShort(10)
    start()
    finish()
    for _ in 0..<3 {
      reader.want(identifiers(["101.jpg"]))
      reader.wait()
    }
    #expect(source.brought == ["101.jpg"])
  }

  @Test func `A postponed thumbnail is read later, and nothing else of its file`() throws {
    var photo = TestPhoto(width: 640, height: 480, date: .day(3))
    photo.embedThumbnail()
    source.write(try photo.bytes(), to: "a.jpg")
    start()
    finish()
    let first = try #require(source.thumbnails.first)
    #expect(source.thumbnails == [.init(name: "a.jpg", count: first.count, isWanted: false)])
    let version = try #require(assets.first?.primaryResource?.remoteVersion)
    reader.want(identifiers(["a.jpg"]))
    reader.wait()
    #expect(source.thumbnails.count == 1)
    model.changeCopies { $0.lostThumbnails = [version] }
    #expect(assets.first?.primaryResource?.hasLocalThumbnail == false)
    reader.want(identifiers(["a.jpg"]))
    reader.wait()
    #expect(source.thumbnails.last == .init(name: "a.jpg", count: first.count, isWanted: true))
    #expect(source.brought.isEmpty)
    model.changeCopies { $0.lostThumbnails = [] }
    #expect(assets.first?.primaryResource?.hasLocalThumbnail == true)
  }

  @Test func `A photo that is cached in full needs no thumbnail`() throws {
    try writePhotos(2)
    start()
    finish()
    let versions = assets.compactMap { $0.primaryResource?.remoteVersion }
    model.changeCopies { $0.originals = Set(versions) }
    reader.want(identifiers(["100.jpg", "101.jpg"]))
    reader.wait()
    #expect(source.brought.isEmpty)
  }

  @Test func `Thumbnails are retried when the server is back`() throws {
    try writePhotos(4)
    start()
    finish()
    source.isGone = true
    reader.want(identifiers(["101.jpg", "102.jpg"]))
    reader.wait()
    #expect(source.brought.isEmpty)
    #expect(eventually { model.status.issues.contains { $0.description.contains("nas:Photos") } })
    source.isGone = false
    #expect(eventually { Set(source.brought) == ["101.jpg", "102.jpg"] })
  }

  @Test func `A download waits for visible headers, but not forever`() throws {
    try writePhotos(3)
    source.reading.close()
    start()
    ended.wait()
    // No asset is visible.
    #expect(isReached(.readAndListed))
    reader.want(identifiers(["101.jpg", "100.jpg"]))
    let looks = Atomic(0)
    reader.wait(for: .readAndListed, atMost: .seconds(600)) { looks.add(1, ordering: .relaxed).newValue == 3 }
    #expect(looks.load(ordering: .relaxed) == 3)
    reader.wait(for: .readAndListed, atMost: .milliseconds(1)) { false }
    source.reading.open()
    #expect(isReached(.readAndListed))
    finish()
  }

  @Test func `Listing folders waits for visible photos, and for no others`() throws {
    try writePhotos(3)
    source.reading.close()
    start()
    ended.wait()
    let looks = Atomic(0)
    // No asset is visible.
    #expect(isReached(.read))
    reader.wait(for: .firstLook, atMost: .seconds(600)) { looks.add(1, ordering: .relaxed).newValue == 3 }
    #expect(looks.load(ordering: .relaxed) == 3)
    reader.want(identifiers(["101.jpg"]))
    #expect(isReached(.firstLook))
    reader.wait(for: .read, atMost: .seconds(600)) { looks.add(1, ordering: .relaxed).newValue == 6 }
    #expect(looks.load(ordering: .relaxed) == 6)
    source.reading.open()
    #expect(isReached(.read))
    finish()
    // The first screen is complete: nothing is waited for.
    reader.wait(for: .firstLook, atMost: .seconds(600)) { looks.add(1, ordering: .relaxed).newValue == 9 }
    #expect(looks.load(ordering: .relaxed) == 6)
  }

  @Test func `The first visible batch does not share the connection with others`() throws {
    try startWhileAFolderIsListed(withPhotos: 40)
    reader.want(identifiers((100..<140).map { "\($0).jpg" }))
    // Four at once, then three times as many.
    #expect(eventually { source.reading.count == 4 })
    source.reading.close { [source] _ in source.asked.count > 4 }
    #expect(eventually { source.reading.count == 12 })
    source.reading.open()
    source.listing.open()
    finish()
    #expect(assets.allSatisfy { $0.pixelSize.width == 16 })
  }

  @Test func `Details of a photo wait for the first screen, and for none later`() throws {
    try startWhileAFolderIsListed(withPhotos: 8)
    let looks = Atomic(0)
    // No asset is visible.
    reader.wait(for: .firstRead, atMost: .seconds(600)) { looks.add(1, ordering: .relaxed).newValue == 3 }
    #expect(looks.load(ordering: .relaxed) == 0)
    reader.want(identifiers(["107.jpg"]))
    reader.wait(for: .firstRead, atMost: .seconds(600)) { looks.add(1, ordering: .relaxed).newValue == 3 }
    #expect(looks.load(ordering: .relaxed) == 3)
    source.reading.close { $0 != "107.jpg" }
    #expect(isReached(.firstRead))
    #expect(isRead("107.jpg"))
    reader.want(identifiers(["105.jpg"]))
    reader.wait(for: .firstRead, atMost: .seconds(600)) { looks.add(1, ordering: .relaxed).newValue == 6 }
    #expect(looks.load(ordering: .relaxed) == 3)
    source.reading.open()
    source.listing.open()
    finish()
  }

  @Test func `An unreachable server is reported, and retried for visible photos first`() throws {
    try writePhotos(60)
    source.isGone = true
    start()
    finish()
    #expect(assets.count == 60 && !assets.contains { $0.pixelSize.width == 16 })
    #expect(model.status.issues.contains { $0.description.contains("nas:Photos") })
    reader.want(identifiers(["100.jpg"]))
    // Including those of an attempt that came before the request, for which a busy machine leaves time.
    let before = source.asked.count
    source.isGone = false
    #expect(eventually { assets.allSatisfy { $0.pixelSize.width == 16 } })
    let place = try #require(source.asked.firstIndex(of: "100.jpg"))
    #expect(source.asked.count == 60 && place <= before)
  }

  // MARK: Servers that lie

  @Test(arguments: [Int64.max, .max - 1, 1 << 62, -1, -2, .min, 0])
  func `An impossible file size counts as unknown, and the file is read to its end`(size: Int64) throws {
    try writePhotos(3)
    source.setSize(size, of: "101.jpg")
    start()
    finish()
    reader.want(identifiers(["101.jpg"]))
    reader.wait()
    #expect(assets.count == 3)
    let odd = try #require(assets.first { $0.name == "101.jpg" })
    // A reported size of zero is believed.
    #expect(odd.pixelSize.width == (size == 0 ? 0 : 16) && odd.byteCount == 0)
    #expect(isRead("100.jpg") && isRead("102.jpg"))
    #expect(model.status.issues.isEmpty)
    let folder = try #require(model.read { $0.folders.present.first })
    let page = model.read { FolderPage(of: folder, in: $0) }
    #expect(Set(page.files.map(\.size)).contains(size == 0 ? 0 : RemoteFile.unknownSize))
    // The folder's metadata is stored for later runs.
    let pool = StringPool()
    #expect(
      FolderPage(page.encoded(pool: model.pool), canonicalPath: page.canonicalPath, pool: pool)?.assets.count
        == 3)
  }

  @Test
  func `A photo of unknown size is read, wherever its end falls within a request`()
    throws
  {
    let photo = try TestPhoto(width: 16, height: 12, date: .day(1)).bytes()
    for (name, count) in [("a.jpg", HeaderFile.step), ("b.jpg", HeaderFile.step + 1), ("c.jpg", 5 << 20)] {
      source.write(photo + [UInt8](repeating: 0, count: count - photo.count), to: name)
      source.setSize(-1, of: name)
    }
    start()
    finish()
    #expect(assets.count == 3 && assets.allSatisfy { $0.pixelSize.width == 16 && !$0.isBroken })
    reader.want(identifiers(["a.jpg", "b.jpg", "c.jpg"]))
    reader.wait()
    // Files of unknown size are not downloaded.
    #expect(source.brought.isEmpty || source.bytesAsked < 1 << 20)
  }

  @Test(arguments: [300_000, 5_000_000, 1_500_000_000])
  func `A thumbnail that claims to be large is not read`(length: Int) throws {
    source.write(Self.tiff(thumbnailOf: length), to: "a.tif")
    source.setSize(Int64(length + 8192), of: "a.tif")
    source.setLongestShort(1 << 20)
    start()
    finish()
    #expect(assets.first?.pixelSize.width == 16)
    #expect(assets.first?.primaryResource?.hasLocalThumbnail == false)
    reader.want(identifiers(["a.tif"]))
    reader.wait()
    #expect(source.thumbnails.isEmpty)
    #expect(source.bytesAsked <= 2 * HeaderFile.step)
  }

  @Test func `No request reads more of a file than its limit`() throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    source.write(photo, to: "a.jpg")
    source.setSize(1 << 40, of: "a.jpg")
    let file = RemoteFile(path: Array("a.jpg".utf8), key: 1, size: 1 << 40, modified: 0)
    let header = try HeaderFile(file, of: source)
    try header.load(0..<4 << 20) { false }
    #expect(throws: AssetError.self) { try header.load(1 << 30..<5 << 30) { false } }
    #expect(throws: AssetError.self) { try header.load(0..<1 << 40) { false } }
    #expect(source.bytesAsked == 4 << 20)
  }

  /// A picture of 16 by 12 pixels, with a second directory that has a JPEG thumbnail of `length` bytes.
  private static func tiff(thumbnailOf length: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func directory(_ entries: [(tag: Int, value: Int)], next: Int) -> [UInt8] {
      number(entries.count, 2)
        + entries.flatMap { number($0.tag, 2) + number(4, 2) + number(1, 4) + number($0.value, 4) }
        + number(next, 4)
    }
    let main = [
      (256, 16), (257, 12), (258, 8), (259, 1), (262, 1), (273, 1024), (277, 1), (278, 12), (279, 192),
    ]
    var bytes = Array("II".utf8) + number(42, 2) + number(8, 4) + directory(main, next: 512)
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
    bytes += directory([(259, 6), (0x201, 4096), (0x202, length)], next: 0)
    bytes += [UInt8](repeating: 0, count: 4096 - bytes.count)
    return bytes + [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 100)
  }
}
