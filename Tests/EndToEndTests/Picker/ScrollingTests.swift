import Fixtures
import Foundation
import TestTerminal
import Testing
import Glibc

extension EndToEnd {
  @Suite struct ScrollingTests {
    /// The counters written by `--debug-stats`.
    private struct Stats: Decodable {
      var images: [String: Int]
    }

    @Test func `Holding Page Down decodes only what is visible at the end`() throws {
      let folder = try TemporaryFolder()
      let bytes = try TestPhoto(width: 400, height: 300).bytes()
      try folder.write(bytes, to: "0001.jpg")
      // Hard links of one file are separate assets; thousands of copies would take longer than the test.
      for number in 2...2000 {
        let name = String(format: "%04d.jpg", number)
        #expect(link("\(folder.path)/0001.jpg", "\(folder.path)/\(name)") == 0)
      }
      let stats = "\(folder.path)/stats.json"
      let session = try Program.pick(["--sort", "name", "--debug-stats", stats], in: folder)
      try session.waitForText("2000 photos")
      try session.waitForCursor(on: "0001.jpg")
      for _ in 0..<60 { session.press(.pageDown) }
      session.press(.end)
      try session.waitForCursor(on: "2000.jpg")
      try session.waitUntil("the pictures at the end") { screen in
        screen.pictures.count >= 8 && !screen.text.contains("⋯")
      }
      try session.waitForLibrary()
      session.press(.escape)
      try session.expectExit(.exited(130))
      let counters = try JSONDecoder().decode(Stats.self, from: Data(contentsOf: .init(filePath: stats)))
        .images
      let decodes = try #require(counters["decodes"])
      // Sixty screens of two dozen were scrolled through: the first and the last are decoded with their surroundings,
      // and of those between only what a worker had begun.
      #expect(decodes > 8 && decodes < 750)
      #expect(counters["cancelled", default: 0] > 0)
    }
  }
}
