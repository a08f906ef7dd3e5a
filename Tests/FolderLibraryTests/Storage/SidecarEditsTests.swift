import AssetLibrary
import Fixtures
import FoundationEssentials
import Glibc
import SystemPackage
import TestScheduling
import Testing

@testable import FolderLibrary

/// `favorites = "sidecar"`: favorites are stored as five stars in XMP files, for other programs.
@Suite(.onOwnThreads) struct SidecarEditsTests {
  private let library: TestLibrary
  private var photos: TemporaryFolder { library.photos }

  init() throws {
    library = try TestLibrary()
    for name in ["a.jpg", "b.jpg", "c.jpg"] { try photos.writePhoto(name, day: 1) }
  }

  private func asset(_ name: String, in store: FolderAssetStore) throws -> Asset {
    try #require(store.all().first { $0.nameBytes.elementsEqual(name.utf8) })
  }

  private func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(photos.path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns what ExifTool prints for a file.
  private func exiftool(_ tags: String, _ name: String) throws -> String {
    try photos.run(["sh", "-c", "exiftool -s3 \(tags) '\(name)' > out.txt"])
    return text("out.txt") ?? ""
  }

  @Test func `A favorite is five stars in a sidecar, readable by others and without the ledger`()
    throws
  {
    var store = library.open(writesSidecars: true)
    let undo = try store.perform([.setFavorite(try asset("a.jpg", in: store).id, true)])
    #expect(try asset("a.jpg", in: store).isFavorite)
    #expect(try exiftool("-XMP-xmp:Rating", "a.jpg.xmp") == "5\n")
    photos.remove("out.txt")
    #expect(text("b.jpg.xmp") == nil)
    try FileManager.default.removeItem(atPath: library.ledger)
    store = library.open(writesSidecars: true)
    #expect(try asset("a.jpg", in: store).isFavorite)
    _ = try store.perform(undo)
    #expect(try !asset("a.jpg", in: library.open(writesSidecars: true)).isFavorite)
    #expect(try exiftool("-XMP-xmp:Rating", "a.jpg.xmp") == "0\n")
  }

  /// A sidecar as digiKam 8 writes it.
  private static let digiKam = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:digiKam="http://www.digikam.org/ns/1.0/"
        xmlns:darktable="http://darktable.sf.net/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/"
       digiKam:PickLabel="3" darktable:history_end="7" xmp:Rating="3">
       <digiKam:TagsList><rdf:Seq><rdf:li>People/Ann</rdf:li></rdf:Seq></digiKam:TagsList>
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """

  @Test(arguments: ["a.xmp", "a.jpg.xmp"])
  func `Removing a favorite restores the stars and all other fields of another program`(
    name: String
  ) throws {
    try photos.write(Array(Self.digiKam.utf8), to: name)
    chmod("\(photos.path)/\(name)", 0o640)
    let store = library.open(writesSidecars: true)
    #expect(try asset("a.jpg", in: store).rating == 3)
    let undo = try store.perform([.setFavorite(try asset("a.jpg", in: store).id, true)])
    #expect(text(name) == Self.digiKam.replacing("xmp:Rating=\"3\"", with: "xmp:Rating=\"5\""))
    #expect(
      try exiftool("-XMP-digiKam:PickLabel -XMP-darktable:all -XMP-digiKam:TagsList", name).split(
        separator: "\n"
      )
      .contains("3"))
    photos.remove("out.txt")
    #expect(try photos.filePath(of: name).stat().permissions.rawValue == 0o640)
    let again = library.open(writesSidecars: true)
    #expect(try asset("a.jpg", in: again).isFavorite)
    _ = try again.perform(undo)
    #expect(text(name) == Self.digiKam)
    #expect(try !asset("a.jpg", in: again).isFavorite)
    // Toggle it before the library has read the sidecar again.
    for isFavorite in [true, false, true, false] {
      _ = try again.perform([.setFavorite(try asset("a.jpg", in: again).id, isFavorite)])
    }
    #expect(text(name) == Self.digiKam)
  }

  @Test func `Stars that another program sets later replace the favorite`() throws {
    let store = library.open(writesSidecars: true)
    _ = try store.perform([.setFavorite(try asset("a.jpg", in: store).id, true)])
    try photos.run(["exiftool", "-XMP-xmp:Rating=2", "a.jpg.xmp"])
    let again = library.open(writesSidecars: true)
    #expect(try !asset("a.jpg", in: again).isFavorite)
    #expect(try asset("a.jpg", in: again).rating == 2)
  }

  @Test func `If one sidecar can't be written, no favorite is added and no file changes`() throws {
    try photos.write(Array(Self.digiKam.utf8), to: "a.xmp")
    try photos.write(Array("no XML".utf8), to: "c.xmp")
    let store = library.open(writesSidecars: true)
    let assets = store.all()
    let error = #expect(throws: AssetError.self) {
      try store.perform(assets.map { .setFavorite($0.id, true) })
    }
    #expect(error?.subject.hasSuffix("/c.xmp") == true)
    #expect(text("a.xmp") == Self.digiKam)
    #expect(text("b.jpg.xmp") == nil)
    #expect(text("c.xmp") == "no XML")
    for store in [store, library.open()] { #expect(store.all().allSatisfy { !$0.isFavorite }) }
    // A folder has the name of the sidecar.
    photos.remove("c.xmp")
    let after = library.open(writesSidecars: true)
    try FileManager.default.createDirectory(
      atPath: "\(photos.path)/c.jpg.xmp", withIntermediateDirectories: false)
    #expect(throws: AssetError.self) {
      try after.perform([.setFavorite(try asset("c.jpg", in: after).id, true)])
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: photos.path)
    #expect(names.sorted() == ["a.jpg", "a.xmp", "b.jpg", "c.jpg", "c.jpg.xmp"])
  }

  @Test func `A sidecar that changes while favorites are written is not overwritten`() throws {
    try photos.write(Array(Self.digiKam.utf8), to: "a.jpg.xmp")
    _ = try {
      let store = library.open(writesSidecars: true)
      return try store.perform([.setFavorite(try asset("a.jpg", in: store).id, true)])
    }()
    let favorite = text("a.jpg.xmp")
    // The same file for two photos: what is written for one of them is another program's change for the other.
    try photos.link("b.jpg.xmp", to: "a.jpg.xmp")
    let store = library.open(writesSidecars: true)
    let both = try ["a.jpg", "b.jpg"].map { try asset($0, in: store).id }
    let error = #expect(throws: AssetError.self) {
      try store.perform(both.map { .setFavorite($0, false) })
    }
    #expect(error?.reason == "is being changed by another program")
    #expect(text("a.jpg.xmp") == favorite && favorite?.contains("xmp:Rating=\"5\"") == true)
  }

  @Test func `In a library that is watched, quick changes and stars of other programs lose nothing`() throws {
    try photos.write(Array(Self.digiKam.utf8), to: "a.xmp")
    var locations = library.locations
    locations.writesSidecars = true
    let store = FolderAssetStore(sources: [photos.filePath], locations: locations, following: .quick)
    store.start()
    store.waitUntilComplete()
    store.allowBackgroundWork()
    let photo = try asset("a.jpg", in: store).id
    for isFavorite in [true, false, true, false, true] {
      try store.perform([.setFavorite(photo, isFavorite)])
    }
    #expect(text("a.xmp")?.contains("xmp:Rating=\"5\"") == true)
    try store.perform([.setFavorite(photo, false)])
    #expect(text("a.xmp") == Self.digiKam)
    let undo = try store.perform([.setFavorite(photo, true)])
    // Another program gives other stars: the favorite is gone, and taking it back changes nothing.
    let other = Self.digiKam.replacing("xmp:Rating=\"3\"", with: "xmp:Rating=\"2\"")
    try photos.write(Array(other.utf8), to: "a.xmp")
    #expect(eventually { (try? asset("a.jpg", in: store))?.rating == 2 })
    #expect(try !asset("a.jpg", in: store).isFavorite)
    try store.perform(undo)
    #expect(text("a.xmp") == other)
  }

  @Test func `Stars inside a photo are taken back in the ledger, without a sidecar`() throws {
    try photos.run(["exiftool", "-XMP-xmp:Rating=5", "a.jpg"])
    let store = library.open(writesSidecars: true)
    #expect(try asset("a.jpg", in: store).isFavorite)
    let undo = try store.perform([.setFavorite(try asset("a.jpg", in: store).id, false)])
    #expect(text("a.jpg.xmp") == nil)
    #expect(try !asset("a.jpg", in: library.open(writesSidecars: true)).isFavorite)
    try store.perform(undo)
    #expect(try asset("a.jpg", in: library.open(writesSidecars: true)).isFavorite)
  }

  @Test func `An empty sidecar, and a link that leads nowhere, are left alone`() throws {
    try photos.write([], to: "a.xmp")
    try FileManager.default.createSymbolicLink(
      atPath: "\(photos.path)/b.jpg.xmp", withDestinationPath: "/nowhere/real")
    let store = library.open(writesSidecars: true)
    for name in ["a.jpg", "b.jpg"] {
      #expect(throws: AssetError.self) {
        try store.perform([.setFavorite(try asset(name, in: store).id, true)])
      }
      #expect(try !asset(name, in: store).isFavorite)
    }
    #expect(text("a.xmp") == "")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(photos.path)/b.jpg.xmp") == "/nowhere/real"
    )
  }

  @Test func `A pipe, and a sidecar of more than 16 MiB, are refused, and another user's keeps its owner`()
    throws
  {
    #expect(mkfifo("\(photos.path)/a.jpg.xmp", 0o600) == 0)
    try photos.write(Array(Self.digiKam.utf8), to: "b.jpg.xmp")
    #expect(truncate("\(photos.path)/b.jpg.xmp", 17 << 20) == 0)
    try photos.write(Array(Self.digiKam.utf8), to: "c.xmp")
    let isRoot = geteuid() == 0 && chown("\(photos.path)/c.xmp", 4321, 4322) == 0
    let store = library.open(writesSidecars: true)
    for name in ["a.jpg", "b.jpg"] {
      let photo = try asset(name, in: store).id
      let error = #expect(throws: AssetError.self) { try store.perform([.setFavorite(photo, true)]) }
      #expect(error?.subject.hasSuffix("/\(name).xmp") == true)
      #expect(error?.reason == "not a file of at most 16 MiB")
      #expect(try !asset(name, in: store).isFavorite)
    }
    var facts = stat()
    #expect(lstat("\(photos.path)/a.jpg.xmp", &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO)
    #expect(lstat("\(photos.path)/b.jpg.xmp", &facts) == 0 && facts.st_size > 16 << 20)
    // Only root can replace the file of another user.
    if isRoot {
      _ = try store.perform([.setFavorite(try asset("c.jpg", in: store).id, true)])
      #expect(text("c.xmp")?.contains("xmp:Rating=\"5\"") == true)
      #expect(lstat("\(photos.path)/c.xmp", &facts) == 0 && facts.st_uid == 4321 && facts.st_gid == 4322)
    }
  }

  @Test func `The target of a linked sidecar is written, and the link remains`() throws {
    try photos.write(Array(Self.digiKam.utf8), to: "kept/real")
    try FileManager.default.createSymbolicLink(
      atPath: "\(photos.path)/a.xmp", withDestinationPath: "kept/real")
    let store = library.open(writesSidecars: true)
    _ = try store.perform([.setFavorite(try asset("a.jpg", in: store).id, true)])
    #expect(text("kept/real")?.contains("xmp:Rating=\"5\"") == true)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(photos.path)/a.xmp") == "kept/real")
  }

  @Test func `Without the option nothing is written to the photos' folder`() throws {
    let store = library.open()
    _ = try store.perform([.setFavorite(try asset("a.jpg", in: store).id, true)])
    #expect(try FileManager.default.contentsOfDirectory(atPath: photos.path).count == 3)
    // A favorite in the ledger counts until it is changed.
    let other = library.open(writesSidecars: true)
    #expect(try asset("a.jpg", in: other).isFavorite)
    _ = try other.perform([.setFavorite(try asset("a.jpg", in: other).id, false)])
    #expect(try !asset("a.jpg", in: library.open()).isFavorite)
  }

  @Test(.enabled(if: MountedDisk.isAllowed, "mounting is not allowed here"), arguments: [false, true])
  func `On a full or read-only disk no favorite is added, and no sidecar is written or half written`(
    isFull: Bool
  ) throws {
    let disk = try #require(MountedDisk(in: photos, "size=128k"))
    try photos.write(Array(Self.digiKam.utf8), to: "a.xmp")
    for name in ["new", "old"] { try photos.writePhoto("disk/\(name).jpg", day: 2) }
    try photos.write(Array(Self.digiKam.utf8), to: "disk/old.xmp")
    if isFull { try disk.fill(photos) } else { try disk.remount(photos, "ro") }
    let names = try FileManager.default.contentsOfDirectory(atPath: disk.place).sorted()
    let store = library.open(writesSidecars: true)
    let reason = isFull ? "No space left on device" : "Read-only file system"
    for (name, sidecar) in [("new.jpg", "new.jpg.xmp"), ("old.jpg", "old.xmp")] {
      let assets = try ["a.jpg", "b.jpg", name].map { try asset($0, in: store).id }
      let before = store.all()
      let error = #expect(throws: AssetError.self) {
        try store.perform(assets.map { .setFavorite($0, true) } + [.setHidden(assets[1], true)])
      }
      #expect(error?.subject.hasSuffix("/disk/\(sidecar)") == true && error?.reason == reason, "\(name)")
      #expect(store.all() == before)
      #expect(text("a.xmp") == Self.digiKam && text("disk/old.xmp") == Self.digiKam)
      #expect(text("b.jpg.xmp") == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.place).sorted() == names)
      #expect(
        !(try FileManager.default.contentsOfDirectory(atPath: photos.path)).contains { $0.hasPrefix(".") })
      #expect(library.open(writesSidecars: true).all().allSatisfy { !$0.isFavorite })
    }
    // With room again, the same change succeeds.
    if isFull { photos.remove("disk/filler") } else { try disk.remount(photos, "rw") }
    let undo = try store.perform([.setFavorite(try asset("old.jpg", in: store).id, true)])
    #expect(text("disk/old.xmp")?.contains("xmp:Rating=\"5\"") == true)
    try store.perform(undo)
    #expect(text("disk/old.xmp") == Self.digiKam)
    extendLifetime(disk)
  }
}
