import Fixtures
import Pixels
import TestTerminal
import Testing

extension EndToEnd {
  /// `tpick show`: pictures on standard output, without a screen.
  @Suite struct ShowCommandTests {
    private static func folder(_ count: Int) throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      for number in 1...count {
        try folder.write(
          try TestPhoto(TestPicture.make(width: 320, height: 240), date: .day(number)).bytes(),
          to: "\(number).jpg")
      }
      return folder
    }

    /// The sixel sequences in an output, decoded.
    private static func sixels(in output: [UInt8]) throws -> [SixelImage] {
      let text = output.split(separator: 0x1B, omittingEmptySubsequences: false)
      return try text.filter { $0.first == UInt8(ascii: "P") }.map { part in
        try #require(SixelImage(payload: Array(part.dropFirst())))
      }
    }

    @Test func `A picture as a sixel is the picture, in its shape, within the box`() throws {
      let folder = try Self.folder(1)
      defer { withExtendedLifetime(folder) {} }
      let result = try Program.run(
        ["show", "--graphics", "sixel", "--size", "20x10", "--cell-size", "10x20", "\(folder.path)/1.jpg"])
      #expect(result.status == .exited(0))
      #expect(result.errors.isEmpty)
      let image = try #require(try Self.sixels(in: result.output).first)
      #expect(image.width == 200 && image.height == 150)
      #expect(result.output.last == 0x0A)
      // No cursor is moved: fzf shows it where it likes.
      #expect(!result.output.contains(7) && result.output.count { $0 == 0x1B } == 2)
      let red = try #require(image.color(x: 4, y: 4))
      #expect(red.red > 180 && red.green < 90 && red.blue < 90)
    }

    @Test(arguments: [("40x12", 32, 12), ("10x40", 10, 4), ("20", 0, 0)])
    func `Blocks fill the box in lines of text`(size: String, columns: Int, lines: Int) throws {
      let folder = try Self.folder(1)
      defer { withExtendedLifetime(folder) {} }
      let result = try Program.run(["show", "--graphics", "blocks", "--size", size, "\(folder.path)/1.jpg"])
      guard columns > 0 else {
        #expect(result.status == .exited(64))
        #expect(result.errors.contains("'20' is not a number of columns and rows"))
        return
      }
      #expect(result.status == .exited(0))
      let rows = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      #expect(rows.count == lines)
      #expect(rows.allSatisfy { row in row.count { $0 == "▀" } == columns })
    }

    @Test func `A grid fills its boxes in the order of the names`() throws {
      let folder = try Self.folder(5)
      defer { withExtendedLifetime(folder) {} }
      let files = (1...5).map { "\(folder.path)/\($0).jpg" }
      let sixels = try Program.run(
        ["show", "--graphics", "sixel", "--grid", "3x2", "--size", "33x12", "--cell-size", "10x20"] + files)
      #expect(sixels.status == .exited(0))
      let images = try Self.sixels(in: sixels.output)
      #expect(images.count == 5)
      #expect(images.allSatisfy { $0.width == 100 && $0.height == 120 })
      let blocks = try Program.run(
        ["show", "--graphics", "blocks", "--grid", "3x2", "--size", "33x12"] + files)
      let rows = String(decoding: blocks.output, as: UTF8.self).split(separator: "\n")
      #expect(rows.count == 12)
      #expect(rows.prefix(6).allSatisfy { row in row.count { $0 == "▀" } == 30 })
      #expect(rows.suffix(6).allSatisfy { row in row.count { $0 == "▀" } == 20 })
    }

    @Test func `More pictures than a grid holds are told, and left out`() throws {
      let folder = try Self.folder(3)
      defer { withExtendedLifetime(folder) {} }
      let files = (1...3).map { "\(folder.path)/\($0).jpg" }
      let result = try Program.run(
        ["show", "--graphics", "blocks", "--grid", "2x1", "--size", "20x4"] + files)
      #expect(result.status == .exited(0))
      #expect(result.errors.contains("the grid has room for 2 of 3"))
    }

    @Test func `What can't be shown is named, and the others are shown`() throws {
      let folder = try Self.folder(1)
      defer { withExtendedLifetime(folder) {} }
      try folder.write(Array("a letter".utf8), to: "letter.txt")
      try folder.write(Array("no picture".utf8), to: "broken.jpg")
      let result = try Program.run(
        [
          "show", "--graphics", "ascii", "--size", "20x6", "\(folder.path)/gone.jpg",
          "\(folder.path)/letter.txt",
          "\(folder.path)/broken.jpg", "\(folder.path)/1.jpg",
        ])
      #expect(result.status == .exited(2))
      #expect(result.errors.contains("gone.jpg: No such file"))
      #expect(result.errors.contains("letter.txt: not a picture or video"))
      #expect(result.errors.contains("broken.jpg: its content is no picture or video"))
      #expect(String(decoding: result.output, as: UTF8.self).split(separator: "\n").count == 6)
    }

    static let wrong: [(arguments: [String], words: String)] = [
      ([], "name a picture"), (["--fit", "--fill", "a.jpg"], "can't do both"),
      (["--graphics", "oil", "a.jpg"], "unknown way 'oil'"), (["--grid", "0x3", "a.jpg"], "'0x3'"),
      (["--cell-size", "1x1", "a.jpg"], "'1x1'"),
    ]

    @Test(arguments: wrong)
    func `Wrong usage is told`(arguments: [String], words: String) throws {
      let result = try Program.run(["show"] + arguments)
      #expect(result.status == .exited(64))
      #expect(result.errors.contains(words))
      #expect(result.errors.contains("tpick show --help"))
      #expect(result.output.isEmpty)
    }

    @Test func `fzf's preview is filled`() throws {
      let folder = try Self.folder(1)
      defer { withExtendedLifetime(folder) {} }
      let result = try Program.run(
        ["show", "\(folder.path)/1.jpg"],
        environment: ["FZF_PREVIEW_COLUMNS": "16", "FZF_PREVIEW_LINES": "30"])
      let rows = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      #expect(rows.count == 6)
      #expect(rows.allSatisfy { row in row.count { $0 == "▀" } == 16 })
    }
  }
}
