import AssetLibrary
import Fixtures
import Metadata
import Pixels
import Synchronization
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// A library that grows with the paths that arrive through a pipe.
@Suite(.onOwnThreads) struct CandidateIntakeTests {
  private let photos: TemporaryFolder
  private let pipe: InputPipe

  init() throws {
    photos = try TemporaryFolder()
    pipe = try InputPipe()
  }

  private func open(_ sources: [FilePath] = [], _ stream: CandidateStream? = nil) -> FolderAssetStore {
    let store = FolderAssetStore(sources: sources, candidates: stream ?? pipe.stream())
    store.start()
    return store
  }

  private func feed(_ names: [String]) throws {
    try pipe.write(names.map { "\(photos.path)/\($0)\n" }.joined())
  }

  private func waitForNames(_ names: [String], in store: FolderAssetStore) -> Bool {
    eventually { store.names == names }
  }

  /// Paths of the assets relative to the folder, in the given sort order.
  private func paths(_ store: FolderAssetStore, sort: AssetSort = .given) -> [String] {
    store.all(FetchOptions(sort: sort)).map {
      String(decoding: $0.pathBytes.dropFirst(photos.path.utf8.count + 1), as: UTF8.self)
    }
  }

  @Test func `Photos appear before the input ends, and the library is complete afterwards`() throws {
    for day in 1...3 { try photos.writePhoto("\(day).jpg", day: day) }
    let store = open()
    try feed(["2.jpg"])
    #expect(waitForNames(["2.jpg"], in: store))
    #expect(!store.status.isComplete)
    // The total is unknown.
    #expect(store.status.progress == nil)
    try feed(["1.jpg", "3.jpg"])
    #expect(waitForNames(["3.jpg", "2.jpg", "1.jpg"], in: store))
    #expect(paths(store) == ["2.jpg", "1.jpg", "3.jpg"])
    #expect(!store.status.isComplete)
    pipe.end()
    store.waitUntilComplete()
    #expect(store.status.isComplete && !store.status.isStopped)
    #expect(store.status.unavailabilityReason == nil)
    #expect(store.names == ["3.jpg", "2.jpg", "1.jpg"])
  }

  @Test func `Observers are notified of every photo, however quickly photos follow each other`() throws {
    for day in 1...6 { try photos.writePhoto("\(day).jpg", day: day) }
    let store = open()
    let counts = Counts()
    store.observeChanges { [weak store] _ in if let store { counts.add(store.status.assetCount) } }
    for day in 1...6 {
      try feed(["\(day).jpg"])
      #expect(eventually { counts.last == day })
    }
    pipe.end()
    store.waitUntilComplete()
  }

  @Test func `Files of one asset are grouped in whatever order they arrive`() throws {
    try photos.writePhoto("IMG_0001.JPG")
    try photos.writePhoto("IMG_E0001.JPG")
    try photos.writePhoto("IMG_0002.JPG", day: 2)
    try photos.write(MetadataSegments.xmp(attributes: "xmp:Rating=\"5\""), to: "IMG_0001.xmp")
    for names in [["IMG_0001.JPG", "IMG_E0001.JPG"], ["IMG_E0001.JPG", "IMG_0001.JPG"]] {
      let pipe = try InputPipe()
      let store = open([], pipe.stream())
      try pipe.write("\(photos.path)/\(names[0])\n")
      #expect(eventually { store.all().first?.rating == 5 })
      let identifier = store.all().first?.id
      try pipe.write("\(photos.path)/IMG_0002.JPG\n\(photos.path)/IMG_0001.xmp\n\(photos.path)/\(names[1])\n")
      #expect(eventually { store.all().contains { $0.hasAdjustments } })
      pipe.end()
      store.waitUntilComplete()
      let assets = store.all()
      #expect(assets.map(\.name) == ["IMG_0002.JPG", "IMG_E0001.JPG"])
      #expect(assets.last?.resources.count == 3)
      // The asset that was picked first keeps its identifier.
      if names[0] == "IMG_0001.JPG" { #expect(assets.last?.id == identifier) }
    }
  }

  @Test func `An asset never disappears while another file is added to it`() throws {
    try photos.writePhoto("IMG_0001.JPG")
    try photos.writePhoto("IMG_E0001.JPG")
    let store = open()
    try feed(["IMG_0001.JPG"])
    #expect(eventually { store.names.count == 1 })
    let counts = Counts()
    store.observeChanges { [weak store] _ in if let store { counts.add(store.status.assetCount) } }
    try feed(["IMG_E0001.JPG"])
    pipe.end()
    store.waitUntilComplete()
    #expect(store.all().first?.hasAdjustments == true)
    #expect(counts.least == 1)
  }

  @Test func `Metadata from the helper is published while the input pauses`() throws {
    try photos.write(HandmadeHEIC().bytes, to: "a.heic")
    let store = FolderAssetStore(sources: [], codecs: Program.helper, candidates: pipe.stream())
    store.start()
    try feed(["a.heic"])
    #expect(eventually { store.all().first?.pixelSize == PixelSize(width: 640, height: 480) })
    #expect(!store.status.isComplete)
    #expect(store.status.progress == nil)
    pipe.end()
    store.waitUntilComplete()
  }

  @Test func `Each file is printed as it was given, and counts once`() throws {
    for day in 1...3 { try photos.writePhoto("in/\(day).jpg", day: day) }
    try photos.link("link", to: "\(photos.path)/in")
    let store = open()
    let first = ["in/1.jpg", "./in/1.jpg", "link/2.jpg", "in/2.jpg"]
    try feed(first)
    #expect(eventually { store.status.assetCount == 2 })
    try feed(["link/1.jpg", "in/./3.jpg"] + first)
    pipe.end()
    store.waitUntilComplete()
    #expect(paths(store) == ["in/1.jpg", "link/2.jpg", "in/./3.jpg"])
    #expect(store.status.issues.isEmpty)
  }

  @Test func `Sources named before the input come first, those named after it last`() throws {
    for day in 1...6 { try photos.writePhoto("\(day)/\(day).jpg", day: day) }
    let sources = [6, 2].map { photos.filePath(of: "\($0)/\($0).jpg") }
    let store = open(sources, pipe.stream(place: 1, standsAlone: false))
    try feed(["5/5.jpg", "1", "3/3.jpg"])
    pipe.end()
    store.waitUntilComplete()
    #expect(paths(store) == ["6/6.jpg", "5/5.jpg", "1/1.jpg", "3/3.jpg", "2/2.jpg"])
  }

  @Test func `Folders in the input are scanned once`() throws {
    for day in 1...3 { try photos.writePhoto("a/\(day)/\(day).jpg", day: day) }
    try photos.writePhoto("b/4.jpg", day: 4)
    let store = open()
    try feed(["a", "a/1", "a/1/1.jpg", "./a/2"])
    #expect(waitForNames(["3.jpg", "2.jpg", "1.jpg"], in: store))
    try feed(["b", "a/3/3.jpg"])
    pipe.end()
    store.waitUntilComplete()
    #expect(store.names == ["4.jpg", "3.jpg", "2.jpg", "1.jpg"])
    #expect(Set(paths(store)) == ["a/1/1.jpg", "a/2/2.jpg", "a/3/3.jpg", "b/4.jpg"])
  }

  @Test func `A file that is no picture is counted and not processed further`() throws {
    let stream = pipe.stream()
    let store = open([], stream)
    for number in 1...6 { try photos.write(Array("words".utf8), to: "\(number).txt") }
    try photos.writePhoto("a.jpg")
    try feed((1...6).map { "\($0).txt" } + ["a.jpg", "gone"])
    pipe.end()
    store.waitUntilComplete()
    #expect(store.names == ["a.jpg"])
    #expect(stream.skipped.counts == ["not a picture or video": 6])
    #expect(stream.missing.counts == ["No such file or directory": 1])
    #expect(store.status.issues.isEmpty)
  }

  @Test func `An input without any usable file makes the library unavailable`() throws {
    let store = open()
    try photos.writePhoto("a.jpg")
    try feed(["a.jpg"])
    #expect(waitForNames(["a.jpg"], in: store))
    try pipe.write("b\0c")
    #expect(eventually { store.status.unavailabilityReason != nil })
    #expect(store.status.unavailabilityReason?.subject == "standard input")
    store.waitUntilComplete()
  }

  @Test func `A stopped library does not wait for the end of its input, and can be resumed`() throws {
    for day in 1...2 { try photos.writePhoto("\(day).jpg", day: day) }
    let store = open()
    try feed(["1.jpg"])
    #expect(waitForNames(["1.jpg"], in: store))
    store.stopReading()
    store.waitUntilComplete()
    #expect(store.status.isStopped)
    store.resumeReading()
    try feed(["2.jpg"])
    #expect(waitForNames(["2.jpg", "1.jpg"], in: store))
    pipe.end()
    #expect(eventually { store.status.isComplete })
  }

  @Test func `A path that does not answer is reported, and the others are read`() throws {
    for name in ["nas/a.jpg", "nas/b.jpg", "c.jpg"] { try photos.writePhoto(name) }
    let disk = DeadDisk(at: photos.filePath(of: "nas"))
    disk.setDead([photos.filePath(of: "nas/a.jpg")])
    let stream = CandidateStream(reading: pipe.reading.rawValue, probes: disk.probes)
    let model = LibraryModel()
    let scan = LibraryScan(
      model: model, storage: nil, watch: nil, helper: nil, probes: disk.probes,
      candidates: CandidateIntake(stream))
    try feed(["nas/a.jpg", "nas/b.jpg", "c.jpg"])
    pipe.end()
    stream.start()
    let names = { Set(model.table.assets(in: nil, options: FetchOptions()).map(\.name)) }
    scan.run(LibrarySources([]))
    #expect(names() == ["b.jpg", "c.jpg"])
    let silence = AssetError("\(photos.path)/nas/a.jpg", "does not answer", isTransient: true)
    #expect(model.status.issues == [silence])
    #expect(model.status.notes == [silence.description])
    disk.setDead([])
    // It is a file, and the files beside it stay.
    for _ in 1...2 {
      scan.run(LibrarySources([]))
      #expect(names() == ["a.jpg", "b.jpg", "c.jpg"])
      #expect(model.status.issues.isEmpty)
    }
  }

  // Takes seconds: with a few files, quadratic time is fast as well.
  @Test func `Looking up names takes linear, not quadratic, time`() throws {
    // In a process of its own, whose processor time does not depend on what else runs.
    func time(_ count: Int) throws -> Int {
      var spellings = ""
      for number in 0..<count {
        // Missing files, and one file in many spellings.
        spellings += "\(photos.path)/gone\(number)\n"
        let folder = (0..<14).map { number >> $0 & 1 == 0 ? "." : "in/.." }.joined(separator: "/")
        spellings += "\(photos.path)/\(folder)/a.jpg\n"
      }
      try photos.write(Array(spellings.utf8), to: "spellings")
      return try photos.processorTime(
        of: "env -i PATH=\"$PATH\" HOME=\"$PWD/home\" \(Program.path(of: "tpick")) list - < spellings")
    }
    try photos.writePhoto("a.jpg")
    try photos.makeFolder("in")
    try photos.makeFolder("home")
    // The unoptimized program takes ten times as long.
    let share = Program.path(of: "tpick") == Program.debugPath(of: "tpick") ? 10 : 1
    let (few, many) = (try time(500 / share), try time(10_000 / share))
    #expect(many < few * 60, "\(few), and \(many) hundredths of a second for twenty times as many")
  }
}

/// The asset counts that observers saw.
private final class Counts: Sendable {
  private let counts = Mutex<[Int]>([])
  func add(_ count: Int) { counts.withLock { $0.append(count) } }
  var last: Int? { counts.withLock { $0.last } }
  var least: Int? { counts.withLock { $0.min() } }
}
