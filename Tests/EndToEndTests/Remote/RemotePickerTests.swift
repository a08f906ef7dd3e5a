import Fixtures
import Foundation
import RemoteServers
import TestTerminal
import Testing

extension EndToEnd {
  /// The picker with a server.
  @Suite(.enabled(if: RemoteServer.Kind.hasRclone, RemoteServer.Kind.rcloneIsMissing))
  struct RemotePickerTests {
    @Test(arguments: RemoteServer.Kind.here)
    func `Thumbnails arrive without originals, and picks with them`(kind: RemoteServer.Kind) throws {
      let library = try ServedLibrary(kind) { try RemotePhotos.writeLarge(to: $0) }
      let bytes = try (1...6).map { try library.bytes("\($0).jpg") }
      let session = try library.home.pick("--limit", "2", library.source)
      try session.waitForGrid(6)
      // Until all headers are read photos are sorted by file date, and may move.
      for day in ["Mon 27 May", "Sun 26", "Sat 25", "Fri 24", "Thu 23", "Wed 22"] {
        try session.waitForText(day)
      }
      // The current preview is made from its original; for others there are only thumbnails.
      #expect(Set(library.home.wholeFiles).isSubset(of: [library.kept("1.jpg")]))
      if let proxy = library.proxy {
        let seen = proxy.counters
        // Over SFTP rclone reads far ahead, and a proxy can't see requests.
        if kind != .sftp {
          #expect(seen.bytesToClient < 4 * bytes[0].count, "\(seen) of \(bytes[0].count) each")
          #expect(seen.requests < 100, "\(seen)")
        }
      }
      session.press(.right)
      try session.waitForCursor(on: "2.jpg")
      session.press(.space)
      try session.waitForText("1 of 2 picked")
      session.press(.right, times: 2)
      try session.waitForCursor(on: "4.jpg")
      session.press(.space)
      try session.waitForText("2 of 2 picked")
      session.press(.enter)
      try session.expectExit(.exited(0), timeout: 120)
      #expect(session.outputLines == [2, 4].map { library.original("\($0).jpg") })
      for number in [2, 4] {
        #expect(
          try library.home.folder.bytes(
            of: String(library.original("\(number).jpg").dropFirst(library.home.folder.path.count + 1)))
            == bytes[number - 1])
      }
      #expect(session.isGivenBack)
      // Later without the server: a downloaded photo is picked at once, and others show the reason.
      try library.end()
      let later = try library.home.pick("--offline", library.source)
      try later.waitForGrid(6)
      // Where the cursor never was.
      later.press(.right, times: 5)
      try later.waitForCursor(on: "6.jpg")
      later.press(.enter)
      try later.waitForText("not downloaded (--offline)")
      later.press(.left, times: 4)
      try later.waitForCursor(on: "2.jpg")
      later.press(.enter)
      try later.expectExit(.exited(0))
      #expect(later.outputLines == [library.original("2.jpg")])
    }

    @Test(arguments: [RemoteServer.Kind.webdav, .sftp].filter(\.isAvailable), [false, true])
    func `Thumbnails are made from parts of files that have none`(
      kind: RemoteServer.Kind, wasListed: Bool
    ) throws {
      let library = try ServedLibrary(kind) { try RemotePhotos.writeWithoutThumbnails(to: $0) }
      if wasListed {
        // Everything is known about them except their pictures, which were not visible.
        #expect(try library.home.run("list", library.source).lines.count == 4)
      }
      let before = library.proxy?.counters.bytesToClient ?? 0
      let session = try library.home.pick(library.source, columns: 80)
      try session.waitUntil("all pictures") { $0.pictureAreas.count == 4 }
      #expect(library.home.wholeFiles.isEmpty)
      if let proxy = library.proxy {
        let bytes = proxy.counters.bytesToClient - before
        #expect(bytes < RemotePhotos.padding / 2, "\(bytes) of 4 times \(RemotePhotos.padding)")
      }
      try session.waitForLibrary()
      session.press(.escape)
      try session.expectExit(.exited(130))
      // They are local from then on.
      try library.end()
      let later = try library.home.pick("--offline", library.source, columns: 80)
      try later.waitUntil("all pictures") { $0.pictureAreas.count == 4 }
      try later.waitForLibrary()
      later.press(.escape)
      try later.expectExit(.exited(130))
    }
  }
}
