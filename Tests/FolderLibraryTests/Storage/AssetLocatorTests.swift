import AssetLibrary
import Fixtures
import Glibc
import SystemPackage
import Testing

@testable import FolderLibrary

@Suite struct AssetLocatorTests {
  private let library: TestLibrary
  private let elsewhere: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    elsewhere = try TemporaryFolder()
    for name in ["a.jpg", "sub/b.jpg", "sub/deep/c.jpg"] { try library.photos.writePhoto(name) }
  }

  /// The identifiers of the photos, by file name.
  private func identifiers() -> [String: LocalIdentifier] {
    Dictionary(uniqueKeysWithValues: library.open().all().map { ($0.name, $0.id) })
  }

  private func locator(_ folders: [FilePath] = []) -> AssetLocator {
    AssetLocator(library.locations, library: folders)
  }

  private func path(_ name: String) -> FilePath {
    (library.photos.filePath.resolved ?? library.photos.filePath).pushing(FilePath(name))
  }

  @Test(arguments: [
    ("1a2b3c", true), ("z", true), ("0", true), ("3w5e11264sgsf", true), ("3w5e11264sgsg", false),
    ("zzzzzzzzzzzzz", false), ("", false), ("01", false), ("1A", false), ("+1", false), ("-1", false),
    ("a.jpg", false), ("a b", false), ("ü", false), ("12345678901234", false), ("1\n", false),
  ])
  func `A possible identifier is recognized by its characters`(word: String, isOne: Bool) {
    #expect((AssetLocator.identifier(Array(word.utf8)) != nil) == isOne)
  }

  @Test func `Bytes that are no text are no identifier`() {
    #expect(AssetLocator.identifier([0xFF]) == nil)
    #expect(AssetLocator.identifier([0]) == nil)
  }

  @Test func `Every identifier is valid by its characters, and most are plausible`() {
    for number in [0, 35, 36, 1 << 32, .max - 1, .max] as [UInt64] {
      let identifier = LocalIdentifier(number: number)
      #expect(AssetLocator.identifier(Array(identifier.rawValue.utf8)) == identifier)
    }
    #expect(AssetLocator.isPlausible(LocalIdentifier(number: .max / 2)))
    #expect(!AssetLocator.isPlausible(LocalIdentifier("vacation")))
  }

  @Test func `An asset is found by its identifier alone, in any folder of the library`() {
    let known = identifiers()
    let found = locator().files(of: Array(known.values) + [LocalIdentifier("1nosuchphoto")])
    #expect(found.count == 3)
    for (name, file) in [("a.jpg", "a.jpg"), ("b.jpg", "sub/b.jpg"), ("c.jpg", "sub/deep/c.jpg")] {
      #expect(known[name].flatMap { found[$0] } == [path(file)])
    }
  }

  @Test func `All files of an asset are found, the primary one first`() throws {
    try library.photos.write(HandmadeHEIC().bytes, to: "IMG_1.heic")
    try library.photos.write(HandmadeMovie().bytes, to: "IMG_1.mov")
    try library.photos.write(MetadataSegments.xmp(attributes: "xmp:Rating=\"3\""), to: "IMG_1.xmp")
    try library.photos.writePhoto("IMG_2.jpg")
    try library.photos.writePhoto("IMG_E2.jpg")
    let known = identifiers()
    let live = try #require(known["IMG_1.heic"])
    let edited = try #require(known["IMG_E2.jpg"] ?? known["IMG_2.jpg"])
    for isIndexed in [true, false] {
      if !isIndexed { library.clearCache() }
      let found = locator().files(of: [live, edited])
      #expect(found[live] == [path("IMG_1.heic"), path("IMG_1.mov")])
      #expect(found[edited] == [path("IMG_E2.jpg"), path("IMG_2.jpg")])
    }
  }

  @Test func `If the index was cleared, the folder is read`() {
    let known = identifiers()
    library.clearCache()
    let found = locator().files(of: Array(known.values))
    #expect(Set(found.values.flatMap { $0 }) == Set(["a.jpg", "sub/b.jpg", "sub/deep/c.jpg"].map(path)))
  }

  @Test(arguments: ["sub/renamed.jpg", "sub/deep/b.jpg", "b.jpg", "other/b.jpg"])
  func `A file that moved within a completely read source is found`(name: String) throws {
    let identifier = try #require(identifiers()["b.jpg"])
    try library.photos.makeFolder("other")
    try library.photos.rename("sub/b.jpg", to: name)
    #expect(locator().files(of: [identifier]) == [identifier: [path(name)]])
  }

  @Test func `A file that moved elsewhere is searched for in the named library`() throws {
    let identifier = try #require(identifiers()["b.jpg"])
    let target = "\(elsewhere.path)/b.jpg"
    #expect(rename("\(library.photos.path)/sub/b.jpg", target) == 0)
    #expect(locator().files(of: [identifier]).isEmpty)
    #expect(locator([elsewhere.filePath]).files(of: [identifier]) == [identifier: [FilePath(target)]])
  }

  @Test func `Without a ledger long identifiers are searched for in the library`() throws {
    let known = identifiers()
    let other = try TestLibrary()
    let locator = AssetLocator(other.locations, library: [library.photos.filePath])
    let long = known.values.filter(AssetLocator.isPlausible)
    #expect(Set(locator.files(of: Array(known.values)).keys) == Set(long))
  }

  @Test func `A missing asset is not found, and one locator serves many lookups`() throws {
    let known = identifiers()
    let locator = locator()
    let (a, b) = (try #require(known["a.jpg"]), try #require(known["b.jpg"]))
    #expect(locator.files(of: [a]) == [a: [path("a.jpg")]])
    library.photos.remove("sub/b.jpg")
    #expect(locator.files(of: [b, a]) == [a: [path("a.jpg")]])
    #expect(locator.files(of: []).isEmpty)
  }

  // Takes seconds: with a few files, quadratic time is fast as well.
  @Test func `Looking up many identifiers takes linear time`() throws {
    let photo = try TestPhoto(width: 16, height: 12).bytes()
    for number in 0..<3000 { try library.photos.write(photo, to: "many/\(number).jpg") }
    let known = library.open().all().filter { $0.primaryResource?.path.string.contains("/many/") ?? false }
      .map(\.id)
    #expect(known.count == 3000)
    func time(_ count: Int, batch: Int) -> Duration {
      let locator = locator()
      return ProcessorTime.ofThread {
        for first in stride(from: 0, to: count, by: batch) {
          let found = locator.files(of: Array(known[first..<min(first + batch, count)]))
          #expect(found.count == min(batch, count - first))
        }
      }
    }
    // All in one call, and one by one as through a pipe. Thirty times the number may take a hundred times as long;
    // quadratic time would take nine hundred times.
    for batch in [3000, 1] {
      let few = min(time(100, batch: batch), time(100, batch: batch))
      let many = min(time(3000, batch: batch), time(3000, batch: batch))
      #expect(many < few * 100, "\(few) for 100, \(many) for 3,000")
    }
  }
}
