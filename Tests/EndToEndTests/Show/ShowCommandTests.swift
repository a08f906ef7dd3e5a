import Fixtures
import Glibc
import Pixels
import TestTerminal
import Testing

extension Commands {
  /// `tpick show`: pictures on standard output, without a screen.
  @Suite struct ShowCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func writePhotos(_ count: Int) throws {
      for number in 1...count {
        try folder.write(
          try TestPhoto(TestPicture.make(width: 320, height: 240), date: .day(number)).bytes(),
          to: "\(number).jpg")
      }
    }

    /// The decoded sixel sequences of an output.
    private static func sixels(in output: [UInt8]) throws -> [SixelImage] {
      let text = output.split(separator: 0x1B, omittingEmptySubsequences: false)
      return try text.filter { $0.first == UInt8(ascii: "P") }.map { part in
        try #require(SixelImage(payload: Array(part.dropFirst())))
      }
    }

    /// The number of characters in a line without its control sequences.
    private static func cells(in line: Substring) -> Int {
      let parts = line.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
      return parts.enumerated().reduce(0) { sum, part in
        sum + (part.offset == 0 ? part.element : part.element.drop { $0 != "m" }.dropFirst()).count
      }
    }

    @Test func `A sixel shows the picture in its aspect ratio within the box`() throws {
      try writePhotos(1)
      let result = try Program.run(
        ["show", "--graphics", "sixel", "--size", "20x10", "--cell-size", "10x20", "\(folder.path)/1.jpg"])
      #expect(result.status == .exited(0))
      #expect(result.errors.isEmpty)
      let image = try #require(try Self.sixels(in: result.output).first)
      #expect(image.width == 200 && image.height == 150)
      #expect(result.output.last == 0x0A)
      // No cursor movements: fzf places it where it likes.
      #expect(!result.output.contains(7) && result.output.count { $0 == 0x1B } == 2)
      let red = try #require(image.color(x: 4, y: 4))
      #expect(red.red > 180 && red.green < 90 && red.blue < 90)
    }

    @Test(arguments: ["own", "libsixel"])
    func `An icon keeps every row`(encoder: String) throws {
      try folder.write(
        try TestPhoto(TestPicture.make(width: 35, height: 35), date: .day(1)).bytes(), to: "a.jpg")
      let result = try Program.run(
        ["show", "--graphics", "sixel", "--sixel-encoder", encoder, "--cell-size", "10x20"]
          + ["\(folder.path)/a.jpg"])
      #expect(result.status == .exited(0))
      let image = try #require(try Self.sixels(in: result.output).first)
      #expect(image.width == 35 && image.height == 35)
      #expect(image.isSet(x: 0, y: 34) && image.isSet(x: 34, y: 34))
    }

    @Test func `Sixels are written by the encoder chosen on the command line or in the configuration`() throws
    {
      try writePhotos(1)
      try folder.write(Array("sixel.encoder = 'libsixel'".utf8), to: "config.toml")
      func show(_ options: String...) throws -> Program.Output {
        try Program.run(["show", "--graphics", "sixel", "--size", "20x10", "\(folder.path)/1.jpg"] + options)
      }
      let own = try show("--sixel-encoder", "own")
      let libsixel = try show("--sixel-encoder", "libsixel")
      #expect(own.status == .exited(0) && libsixel.status == .exited(0))
      #expect(own.output != libsixel.output)
      let (first, second) = (try Self.sixels(in: own.output), try Self.sixels(in: libsixel.output))
      #expect(first.count == 1 && second.count == 1)
      #expect(first.map(\.width) == second.map(\.width) && first.map(\.height) == second.map(\.height))
      #expect(try show().output == own.output)
      #expect(try show("--config", "\(folder.path)/config.toml").output == libsixel.output)
      #expect(
        try show("--config", "\(folder.path)/config.toml", "--sixel-encoder", "auto").output == own.output)
      let wrong = try show("--sixel-encoder", "chafa")
      #expect(wrong.status == .exited(64))
      #expect(
        wrong.errors.contains("--sixel-encoder: unknown value 'chafa'; values are auto, own, libsixel"))
    }

    @Test(arguments: [("40x12", 32, 12), ("10x40", 10, 4), ("20", 0, 0)])
    func `Blocks fill the box in lines of text`(size: String, columns: Int, lines: Int) throws {
      try writePhotos(1)
      let result = try Program.run(["show", "--graphics", "blocks", "--size", size, "\(folder.path)/1.jpg"])
      guard columns > 0 else {
        #expect(result.status == .exited(64))
        #expect(result.errors.contains("'20' is not a number of columns and rows"))
        return
      }
      #expect(result.status == .exited(0))
      let rows = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      #expect(rows.count == lines)
      #expect(rows.allSatisfy { row in Self.cells(in: row) == columns })
    }

    @Test(arguments: [("half", "▀▄"), ("quadrant", "▘▝▀▖▌▞▛▗▚▐▜▄▙▟"), ("none", "")])
    func `Blocks are drawn with the requested symbols`(symbols: String, characters: String) throws {
      let scene = TestScene.make(PixelSize(width: 160, height: 120))
      try folder.write(try TestPhoto(scene).bytes(), to: "a.jpg")
      let result = try Program.run(
        ["show", "--graphics", "blocks", "--symbols", symbols, "--size", "20x10", "\(folder.path)/a.jpg"])
      guard !characters.isEmpty else {
        #expect(result.status == .exited(64))
        #expect(result.errors.contains("unknown value 'none'"))
        return
      }
      #expect(result.status == .exited(0))
      let drawn = Set(String(decoding: result.output, as: UTF8.self).filter { !$0.isASCII })
      #expect(!drawn.isEmpty && drawn.isSubset(of: Set(characters)))
      #expect(symbols == "half" || drawn.contains("▌"))
    }

    @Test func `Transparency shows the background, or a checkerboard on request`() throws {
      try folder.run(["convert", "-size", "80x80", "xc:none", "PNG32:clear.png"])
      let arguments = ["show", "--graphics", "blocks", "--size", "20x10", "\(folder.path)/clear.png"]
      let plain = try Program.run(arguments)
      let line = "\u{1B}[48;2;0;0;0m" + String(repeating: " ", count: 20) + "\u{1B}[m\n"
      #expect(String(decoding: plain.output, as: UTF8.self) == String(repeating: line, count: 10))
      let light = try Program.run(arguments, environment: ["COLORFGBG": "0;15"])
      #expect(String(decoding: light.output, as: UTF8.self).contains("[48;2;255;255;255m"))
      let checkered = try Program.run(arguments + ["--checker"])
      let text = String(decoding: checkered.output, as: UTF8.self)
      #expect(text.hasPrefix("\u{1B}[38;2;102;102;102;48;2;153;153;153m▀▄▀▄"))
    }

    @Test func `A grid fills its boxes in name order`() throws {
      try writePhotos(5)
      let files = (1...5).map { "\(folder.path)/\($0).jpg" }
      let sixels = try Program.run(
        ["show", "--graphics", "sixel", "--grid", "3x2", "--size", "33x12", "--cell-size", "10x20"] + files)
      #expect(sixels.status == .exited(0))
      let images = try Self.sixels(in: sixels.output)
      #expect(images.count == 5)
      #expect(images.allSatisfy { $0.width == 100 && $0.height == 96 })
      let blocks = try Program.run(
        ["show", "--graphics", "blocks", "--grid", "3x2", "--size", "33x12"] + files)
      let rows = String(decoding: blocks.output, as: UTF8.self).split(separator: "\n")
      // A blank line below each row of five lines is not among these.
      #expect(rows.count == 10 && blocks.output.count { $0 == UInt8(ascii: "\n") } == 12)
      #expect(rows.prefix(5).allSatisfy { row in Self.cells(in: row) == 3 * 10 + 2 })
      #expect(rows.suffix(5).allSatisfy { row in Self.cells(in: row) == 2 * 10 + 1 })
    }

    @Test(arguments: ["", "2x40"])
    func `More pictures than are processed at once arrive in order`(grid: String) throws {
      // Each is flatter than the previous one.
      let files = try (1...75).map { number in
        let photo = TestPhoto(TestPicture.make(width: 60 + 4 * number, height: 60))
        try folder.write(try photo.bytes(), to: "\(number).jpg")
        return "\(folder.path)/\(number).jpg"
      }
      let way = grid.isEmpty ? ["--size", "20x10"] : ["--grid", grid, "--fit", "--size", "40x400"]
      let result = try Program.run(
        ["show", "--graphics", "sixel", "--cell-size", "10x20"] + way + files)
      #expect(result.status == .exited(0))
      let flatness = try Self.sixels(in: result.output).map { Double($0.width) / Double($0.height) }
      #expect(flatness.count == 75)
      #expect(zip(flatness, flatness.dropFirst()).allSatisfy { $0 <= $1 + 0.05 })
      #expect(flatness.first.map { $0 < 1.3 } == true && flatness.last.map { $0 > 4.5 } == true)
    }

    @Test func `Pictures beyond the grid's size are reported and left out`() throws {
      try writePhotos(3)
      let files = (1...3).map { "\(folder.path)/\($0).jpg" }
      let result = try Program.run(
        ["show", "--graphics", "blocks", "--grid", "2x1", "--size", "20x4"] + files)
      #expect(result.status == .exited(0))
      #expect(result.errors.contains("the grid has room for 2 of 3"))
    }

    @Test func `A file that can't be shown is named, and the others are shown`() throws {
      try writePhotos(1)
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

    @Test func `A truncated picture is shown as far as it goes, with a message`() throws {
      let photo = try TestPhoto(TestPicture.make(width: 320, height: 240)).bytes()
      try folder.write(Array(photo.prefix(photo.count / 2)), to: "cut.jpg")
      let result = try Program.run([
        "show", "--graphics", "ascii", "--size", "20x6", "\(folder.path)/cut.jpg",
      ])
      #expect(result.status == .exited(0))
      #expect(result.errors.contains("the file ends in the middle"))
      #expect(String(decoding: result.output, as: UTF8.self).split(separator: "\n").count == 6)
    }

    /// The mean difference of a channel between the sent picture and its source.
    private static func difference(
      _ size: PixelSize, of source: PixelBuffer, _ color: (Int, Int) -> Color
    ) -> Double {
      let expected = source.resampled(to: size)
      var sum = 0
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (seen, meant) = (color(x, y), expected[x, y])
          sum += abs(Int(seen.red) - Int(meant.red)) + abs(Int(seen.green) - Int(meant.green))
          sum += abs(Int(seen.blue) - Int(meant.blue))
        }
      }
      return Double(sum) / Double(size.area * 3)
    }

    /// The pixels of a file, as sent to kitty.
    private static func pixels(of file: [UInt8], in folder: TemporaryFolder) throws -> KittyPixels {
      try folder.write(file, to: "sent.jpg")
      let result = try Program.run(
        ["show", "--graphics", "kitty", "--size", "99x99", "--cell-size", "10x20", "\(folder.path)/sent.jpg"])
      let terminal = VirtualTerminal(profile: .kitty)
      terminal.feed(result.output)
      return try #require(terminal.kittyPlacements.first).pixels
    }

    @Test func `kitty gets the picture's pixels, and a pipe nothing else`() throws {
      try writePhotos(1)
      let result = try Program.run(
        ["show", "--graphics", "kitty", "--size", "20x10", "--cell-size", "10x20", "\(folder.path)/1.jpg"])
      #expect(result.status == .exited(0))
      #expect(!String(decoding: result.output, as: UTF8.self).contains("\u{1B}["))
      let terminal = VirtualTerminal(profile: .kitty)
      terminal.feed(result.output)
      let shown = try #require(terminal.kittyPlacements.first)
      #expect(shown.pixels.width == 200 && shown.pixels.height == 150 && shown.pixels.depth == 3)
      let source = TestPicture.make(width: 320, height: 240)
      let difference = Self.difference(PixelSize(width: 200, height: 150), of: source) { x, y in
        let color = shown.pixels.color(x: x, y: y)
        return Color(red: color.red, green: color.green, blue: color.blue)
      }
      #expect(difference < 4)
      #expect(terminal.cursor.row == 8)
      #expect(terminal.kittyFaults.isEmpty)
    }

    @Test func `iTerm2 gets a JPEG of the picture`() throws {
      try writePhotos(1)
      let result = try Program.run(
        ["show", "--graphics", "iterm", "--size", "20x10", "--cell-size", "10x20", "\(folder.path)/1.jpg"])
      let terminal = VirtualTerminal(profile: .iterm)
      terminal.feed(result.output)
      let file = try #require(terminal.inlineFiles.first)
      #expect(file.width == 200 && file.height == 150)
      let pixels = try Self.pixels(of: file.bytes, in: folder)
      #expect(pixels.width == 200 && pixels.height == 150)
      let difference = Self.difference(
        PixelSize(width: 200, height: 150), of: TestPicture.make(width: 320, height: 240)
      ) { x, y in
        let color = pixels.color(x: x, y: y)
        return Color(red: color.red, green: color.green, blue: color.blue)
      }
      #expect(difference < 5)
    }

    @Test func `A JPEG that fits its box is sent to iTerm2 unchanged`() throws {
      let bytes = try TestPhoto(TestPicture.make(width: 100, height: 80), date: .day(1)).bytes()
      try folder.write(bytes, to: "small.jpg")
      var turned = TestPhoto(TestPicture.make(width: 100, height: 80), date: .day(2))
      turned.orientation = .rightTop
      let turnedBytes = try turned.bytes()
      try folder.write(turnedBytes, to: "turned.jpg")
      func file(_ name: String, _ options: [String] = []) throws -> InlineFile? {
        let result = try Program.run(
          ["show", "--graphics", "iterm", "--size", "20x10", "--cell-size", "10x20"] + options
            + ["\(folder.path)/\(name)"])
        let terminal = VirtualTerminal(profile: .iterm)
        terminal.feed(result.output)
        return terminal.inlineFiles.first
      }
      let whole = try #require(try file("small.jpg"))
      #expect(whole.bytes == bytes)
      #expect(whole.width == 100 && whole.height == 80)
      // Not every terminal applies the orientation.
      let upright = try #require(try file("turned.jpg"))
      #expect(upright.bytes != turnedBytes)
      #expect(upright.width == 100 && upright.height == 80)
      let pixels = try Self.pixels(of: upright.bytes, in: folder)
      #expect(pixels.width == 100 && pixels.height == 80)
      #expect(try file("small.jpg", ["--fill"])?.bytes != bytes)
    }

    @Test(arguments: [TerminalProfile.kitty, .iterm, .sixel])
    func `A terminal gets its confirmed protocol, in a grid with the cursor below it`(
      profile: TerminalProfile
    ) throws {
      try writePhotos(5)
      let files = (1...5).map { "\(folder.path)/\($0).jpg" }
      let session = try TerminalSession(
        Program.path, ["show", "--grid", "3x2", "--size", "33x12"] + files,
        environment: Program.environment(), profile: profile, standardOutput: .terminal)
      try session.expectExit(.exited(0))
      let areas = session.virtual.pictureAreas
      #expect(areas.count == 5)
      #expect(Set(areas.map(\.row)) == [0, 6] && Set(areas.map(\.column)) == [0, 11, 22])
      #expect(areas.allSatisfy { $0.rows == 5 && $0.columns == 10 })
      #expect(session.virtual.cursor == TerminalPosition(row: 12, column: 0))
      #expect(session.virtual.picturesNotUnderstood == 0 && session.virtual.kittyFaults.isEmpty)
      #expect(session.isGivenBack && session.takeUnreadInput().isEmpty)
    }

    @Test func `Without drawing the files are still read`() throws {
      try writePhotos(1)
      let good = try Program.run(["show", "--graphics", "none", "\(folder.path)/1.jpg"])
      #expect(good.status == .exited(0) && good.output.isEmpty)
      let bad = try Program.run(["show", "--graphics", "none", "\(folder.path)/2.jpg"])
      #expect(bad.status == .exited(2))
    }

    static let probed: [(TerminalProfile, String)] = [
      (.kitty, "pictures: kitty, because the terminal answered kitty's query with OK"),
      (.iterm, "pictures: iterm, because iTerm2 3.4.23 is known to draw inline images"),
      (.sixel, "pictures: sixel, because DA1 has the parameter 4"),
      (.trueColor, "pictures: blocks, because the terminal confirmed nothing better"),
      (.dumb, "DA1             none → no answer: nothing assumed"),
    ]

    @Test(arguments: probed)
    func `The terminal's answers are reported, and the conclusions`(
      profile: TerminalProfile, words: String
    ) throws {
      let session = try TerminalSession(
        Program.path, ["show", "--probe"], environment: Program.environment(), profile: profile)
      try session.expectExit(.exited(0))
      let lines = session.outputLines
      #expect(lines.contains { $0.hasSuffix(words) }, "\(lines)")
      #expect(!session.standardOutputBytes.contains(0x1B))
      #expect(session.isGivenBack && session.takeUnreadInput().isEmpty)
    }

    @Test(arguments: [("kitty(0.35.2)", "kitty"), ("kitty(0.26.5)", "blocks"), ("XTerm(379)", "blocks")])
    func `Inside tmux, tmux names the outer terminal`(name: String, graphics: String) throws {
      try writePhotos(1)
      let script = "#!/bin/sh\n[ \"$1 $2\" = 'display-message -p' ] && printf '\(name)\\non\\n'\n"
      try folder.write(Array(script.utf8), to: "tmux")
      try folder.setPermissions(0o755, of: "tmux")
      var profile = TerminalProfile(name: "tmux", term: "tmux-256color", version: "tmux 3.3a")
      profile.environment.merge(["TMUX": "/tmp/none,1,0", "TMUX_PANE": "%0"]) { $1 }
      var environment = try Program.environment()
      environment["PATH"] = "\(folder.path):/usr/bin:/bin"
      let session = try TerminalSession(
        Program.path, ["show", "--probe"], environment: environment, profile: profile)
      try session.expectExit(.exited(0))
      #expect(session.outputLines.contains { $0.hasPrefix("pictures: \(graphics),") })
      #expect(session.virtual.kittyCommands.isEmpty)
      guard graphics == "kitty" else { return }
      let shown = try TerminalSession(
        Program.path, ["show", "--size", "8x4", "\(folder.path)/1.jpg"], environment: environment,
        profile: profile, standardOutput: .terminal)
      try shown.expectExit(.exited(0))
      #expect(shown.virtual.kittyCommands.isEmpty)
      let rows = shown.virtual.text.split(separator: "\n")
      #expect(rows.count == 3 && rows.allSatisfy { $0.unicodeScalars.count { $0 == "\u{10EEEE}" } == 8 })
      #expect(
        String(decoding: shown.rawOutput, as: UTF8.self).unicodeScalars.contains(
          Array("\u{10EEEE}\u{30D}\u{33F}".unicodeScalars)))
    }

    @Test(arguments: [
      (["--size", "8x4"], 3, 3), (["--size", "8x4"], 6, 0), ([], 1, 1), ([], 2, 0),
      (["--grid", "3x3"], 9, 9),
      (["--grid", "5x2"], 10, 0),
    ])
    func `In tmux with sixels no picture is lost, and none is drawn that would be`(
      options: [String], count: Int, pictures: Int
    ) throws {
      try writePhotos(count)
      let names = (1...count).map { "\(folder.path)/\($0).jpg" }
      let script =
        "#!/bin/sh\n[ \"$1 $2\" = 'display-message -p' ] && printf 'foot(1.13)\\noff\\n3.5a\\nsixel\\n10x20\\n'\n"
      try folder.write(Array(script.utf8), to: "tmux")
      try folder.setPermissions(0o755, of: "tmux")
      var profile = TerminalProfile.tmux("3.5a", mostPictures: 9)
      profile.environment.merge(["TMUX": "/tmp/none,1,0", "TMUX_PANE": "%0"]) { $1 }
      var environment = try Program.environment()
      environment["PATH"] = "\(folder.path):/usr/bin:/bin"
      let session = try TerminalSession(
        Program.path, ["show"] + options + names, environment: environment, columns: 80, rows: 24,
        profile: profile, standardOutput: .terminal)
      try session.expectExit(.exited(0))
      #expect(session.virtual.pictures.count == pictures)
      #expect(session.virtual.pictureHistory.count == pictures)
      #expect(session.virtual.text.allSatisfy(\.isWhitespace) == (pictures > 0))
      // Nothing has scrolled, and what the shell writes next touches no picture.
      #expect(pictures == 0 || session.virtual.scrollCount == 0)
      #expect(session.virtual.pictures.allSatisfy { $0.row + $0.rowsCovered <= session.virtual.cursor.row })
    }

    static let wrong: [(arguments: [String], words: String)] = [
      ([], "expected a picture"), (["--fit", "--fill", "a.jpg"], "can't be used together"),
      (["--graphics", "oil", "a.jpg"], "unknown value 'oil'"), (["--grid", "0x3", "a.jpg"], "'0x3'"),
      (["--cell-size", "1x1", "a.jpg"], "'1x1'"),
      (["--animate", "--grid", "2x2", "a.jpg"], "can't be used with --grid"),
    ]

    @Test(arguments: wrong)
    func `Usage errors are reported`(arguments: [String], words: String) throws {
      let result = try Program.run(["show"] + arguments)
      #expect(result.status == .exited(64))
      #expect(result.errors.contains(words))
      #expect(result.errors.contains("tpick show --help"))
      #expect(result.output.isEmpty)
    }
  }
}
