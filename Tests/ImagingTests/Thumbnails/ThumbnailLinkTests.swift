import Fixtures
import Pixels
import SystemPackage
import Testing

@testable import Imaging

/// Files behind symbolic links, and files of other programs, are never removed.
@Suite struct ThumbnailLinkTests {
  private let cache: TemporaryThumbnails

  init() throws {
    cache = try TemporaryThumbnails()
  }

  private func removeAll() throws {
    #expect(cache.directory().cleanUp(limit: 0, patience: .seconds(3600)))
    try cache.directory().clear()
  }

  /// A folder with files whose names look like tpick's.
  private func writeForeign(_ folder: String) throws -> [String] {
    let digest = try cache.subject().name.digest
    let names = ["letter.txt", "\(digest).png", ".tpick.0", ".tpick.ff"].map { "\(folder)/\($0)" }
    for name in names {
      try cache.folder.write(Array("foreign".utf8), to: name)
      try cache.folder.setModificationTime(1000, of: name)
    }
    return names
  }

  @Test(arguments: ["fail/tpick-0", "fail/tpick-1", "fail", "normal", "large"])
  func `Nothing is removed behind a symbolic link below the thumbnail folder`(name: String) throws {
    let names = try writeForeign("elsewhere") + writeForeign("elsewhere/tpick-0")
    try cache.folder.makeFolder("cache/thumbnails/fail")
    if name == "fail" { cache.folder.remove("cache/thumbnails/fail") }
    try cache.folder.link("cache/thumbnails/\(name)", to: "\(cache.folder.path)/elsewhere")
    try removeAll()
    for name in names { #expect(try cache.folder.bytes(of: name) == Array("foreign".utf8)) }
    #expect(cache.directory().status() == ThumbnailUsage())
  }

  @Test func `A thumbnail folder that is itself a link is cleaned up at its target`() throws {
    try cache.folder.makeFolder("elsewhere")
    try cache.folder.makeFolder("cache")
    try cache.folder.link("cache/thumbnails", to: "\(cache.folder.path)/elsewhere")
    try cache.directory(version: "0").recordFailure(of: cache.subject(), reason: "no JPEG")
    try cache.directory().clear()
    #expect(try cache.folder.names(below: "elsewhere").isEmpty)
  }

  @Test(arguments: ["0", "1"])
  func `Only failure records are removed from the failure folder`(version: String) throws {
    try cache.directory(version: version).recordFailure(of: cache.subject(), reason: "no JPEG")
    let folder = "cache/thumbnails/fail/tpick-\(version)"
    let digest = try cache.subject().name.digest
    let others = ["letter.txt", "\(digest).jpg", "\(digest.dropLast()).png", ".tpick.x", ".tpick.-1"]
    for name in others { try cache.folder.write([1], to: "\(folder)/\(name)") }
    try cache.folder.write([1], to: "\(folder)/inside/\(digest).png")
    try removeAll()
    let left = try cache.folder.names(below: folder)
    #expect(left == (others + ["inside/\(digest).png"]).sorted())
  }

  @Test func `A journal that is a link is not written to`() throws {
    let names = ["thumbnails.journal", "thumbnails.cleaned"]
    try cache.folder.makeFolder("cache/tpick")
    for name in names {
      try cache.folder.write(Array("foreign".utf8), to: "elsewhere/\(name)")
      try cache.folder.link("cache/tpick/\(name)", to: "\(cache.folder.path)/elsewhere/\(name)")
    }
    let size = PixelSize(width: 64, height: 48)
    #expect(throws: ThumbnailError.self) {
      try cache.directory().keep(
        PixelBuffer(size: size, filledWith: .white), of: cache.subject(), sourceSize: size, as: .normal)
    }
    cache.directory().cleanUp(limit: 0, patience: .seconds(3600))
    for name in names {
      #expect(try cache.folder.bytes(of: "elsewhere/\(name)") == Array("foreign".utf8))
    }
  }
}
