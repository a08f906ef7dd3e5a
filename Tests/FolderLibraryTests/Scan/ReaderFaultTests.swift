import AssetLibrary
import CodecProtocol
import Fixtures
import Glibc
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// A helper that crashes or hangs on files while a library is read.
@Suite(.onOwnThreads) struct ReaderFaultTests {
  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
  }

  /// Opens the library with a helper that executes the commands in a file.
  private func open(deadline: Duration = .seconds(60)) -> FolderAssetStore {
    library.open(reader: MetadataClient(program: Program.standIn, deadline: deadline))
  }

  private func write(_ words: String, to name: String) throws {
    try photos.write(Array(words.utf8), to: name)
  }

  private func broken(in store: FolderAssetStore) -> [String] {
    store.everything.filter(\.isBroken).map(\.name).sorted()
  }

  /// The files for which a stall is reported.
  private func stalls(in store: FolderAssetStore) -> [String] {
    store.status.issues.filter(\.isStall).map { String($0.subject.split(separator: "/").last ?? "") }.sorted()
  }

  /// The titles that the helper reported, by file name.
  private func titles(in store: FolderAssetStore) -> [String: String] {
    let found = store.everything.map { ($0.name, (try? store.details(of: $0))?.title ?? "") }
    return Dictionary(found) { first, _ in first }
  }

  @Test func `Files that crash the reader are broken after three runs, and all others are read`() throws {
    for number in 10..<80 { try write("photo \(number)", to: "\(number).jpg") }
    try write("die", to: "30.jpg")
    try write("nonsense", to: "50.jpg")
    for _ in 1...2 {
      let store = open()
      #expect(store.everything.count == 70)
      #expect(broken(in: store) == [])
      #expect(stalls(in: store) == ["30.jpg", "50.jpg"])
    }
    for _ in 3...4 {
      let store = open()
      #expect(store.everything.count == 70)
      #expect(broken(in: store) == ["30.jpg", "50.jpg"])
      #expect(stalls(in: store) == [])
    }
    try write("fine", to: "30.jpg")
    #expect(broken(in: open()) == ["50.jpg"])
  }

  @Test func `A file on which the reader hangs does not block the others`() throws {
    for number in 1...5 { try write("photo", to: "\(number).jpg") }
    try write("hang", to: "3.jpg")
    var deadline = Duration.milliseconds(1500)
    var store = open(deadline: deadline)
    // On a busy machine the others may take as long.
    while stalls(in: store) != ["3.jpg"], deadline < .seconds(100) {
      library.clearCache()
      deadline *= 4
      store = open(deadline: deadline)
    }
    #expect(store.everything.count == 5)
    #expect(stalls(in: store) == ["3.jpg"])
    photos.remove("3.jpg")
    #expect(titles(in: open()).values.filter { $0 == "photo" }.count == 4)
  }

  @Test func `A reader that is killed from outside loses nothing`() throws {
    let elsewhere = try TemporaryFolder()
    try write("die until \(elsewhere.path)/ready", to: "a.jpg")
    try write("photo", to: "b.jpg")
    let first = open()
    #expect(stalls(in: first) == ["a.jpg"])
    let identifiers = first.everything.map(\.id)
    try elsewhere.write([], to: "ready")
    let second = open()
    #expect(Set(second.everything.map(\.id)) == Set(identifiers))
    #expect(stalls(in: second) == [])
    #expect(broken(in: second) == [])
  }

  @Test func `Lack of memory is not blamed on the file`() throws {
    try write("out of memory", to: "a.jpg")
    let store = open()
    #expect(stalls(in: store) == ["a.jpg"])
    #expect(broken(in: store) == [])
  }

  @Test func `A file that can't be read is an issue and no asset`() throws {
    try write("unreadable", to: "a.jpg")
    try write("photo", to: "b.jpg")
    let store = open()
    #expect(store.everything.map(\.name) == ["b.jpg"])
    #expect(store.status.issues.map(\.reason) == ["as told"])
    #expect(store.status.issues.map(\.subject) == ["\(photos.path)/a.jpg"])
  }

  @Test func `A sidecar that crashes the reader leaves its photo listed`() throws {
    try write("photo", to: "a.jpg")
    try write("die", to: "a.jpg.xmp")
    let store = open()
    #expect(store.everything.map(\.name) == ["a.jpg"])
    #expect(store.everything.first?.isBroken == false)
    #expect(stalls(in: store) == ["a.jpg.xmp"])
  }

  @Test func `A missing reader is reported, and the metadata is read once it is available`() throws {
    for day in 1...70 { try photos.writePhoto("\(day).jpg", day: day) }
    try photos.write([1, 2, 3], to: "notes")
    let without = library.open(reader: MetadataClient(program: "/gone/tpick-reader"))
    #expect(without.status.notes.count == 1)
    #expect(without.status.notes.first?.contains("tpick-reader") ?? false)
    #expect(without.status.issues.isEmpty)
    #expect(without.everything.count == 70)
    #expect(without.everything.allSatisfy { $0.pixelSize == .zero && $0.mediaType == .image && !$0.isBroken })
    let with = library.open()
    #expect(with.status.notes.isEmpty)
    #expect(with.everything.allSatisfy { $0.pixelSize != .zero })
    #expect(Set(with.everything.map(\.id)) == Set(without.everything.map(\.id)))
  }

  @Test func `Stopping leaves the helper, and reading resumes where it stopped`() throws {
    for number in 1...5 { try write("photo", to: "\(number).jpg") }
    try write("hang", to: "3.jpg")
    let store = FolderAssetStore(
      sources: [photos.filePath], following: nil,
      reader: MetadataClient(program: Program.standIn, deadline: .seconds(600)))
    store.start()
    store.stopReading()
    store.waitUntilComplete()
    try write("photo", to: "3.jpg")
    store.resumeReading()
    store.waitUntilComplete()
    #expect(eventually { store.everything.filter { !$0.isBroken }.count == 5 })
  }
}
