import Fixtures
import Glibc
import Pixels
import TestTerminal
import Testing

extension Commands {
  /// `tpick show -`: a picture on standard input.
  @Suite struct ShowInputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func show(
      _ arguments: [String] = [], _ input: StandardInput, environment: [String: String] = [:]
    ) throws -> Program.Output {
      try Program.run(
        rawArguments: (["show", "--size", "12x6", "-"] + arguments).map { Array($0.utf8) },
        environment: environment, input: input)
    }

    /// A file of each format that has an encoder here.
    private static let pictures = Result {
      let workshop = try SharedFolders.make()
      try workshop.write(try TestPhoto(TestPicture.make(width: 96, height: 64)).bytes(), to: "a.jpg")
      for name in ["png", "gif", "webp", "tiff", "bmp"] {
        try workshop.run("convert", "a.jpg", "a.\(name)")
      }
      try workshop.run("heif-enc", "a.jpg", "-o", "a.heic")
      try workshop.run("heif-enc", "-A", "a.jpg", "-o", "a.avif")
      try workshop.run("cjxl", "a.jpg", "a.jxl")
      for name in ["jp2", "j2k", "ppm", "pgm", "pbm", "pam", "qoi"] {
        try workshop.run(["ffmpeg", "-i", "a.png", "a.\(name)"])
      }
      try workshop.write(HandmadeDNG().bytes, to: "a.dng")
      let source = ["-f", "lavfi", "-i", "testsrc=s=64x48:r=5:d=1"]
      for name in ["mp4", "mov", "mkv", "avi"] {
        try workshop.run(["ffmpeg"] + source + ["-c:v", "mpeg4", "a.\(name)"])
      }
      return workshop.path
    }

    @Test(arguments: [
      "jpg", "png", "gif", "webp", "tiff", "bmp", "heic", "avif", "jxl", "dng", "mp4", "mov", "mkv", "avi",
      "jp2", "j2k", "ppm", "pgm", "pbm", "pam", "qoi",
    ])
    func `Every format is recognized by its bytes and drawn like a file`(format: String) throws {
      let file = "\(try Self.pictures.get())/a.\(format)"
      let bytes = try Consumer.run(["cat", file])
      let expected = try Program.run(["show", "--size", "12x6", file])
      let result = try show([], .bytes(bytes))
      #expect(result.status == .exited(0) && result.errors.isEmpty, "\(result.errors)")
      #expect(result.output == expected.output && !result.output.isEmpty)
    }

    @Test func `It can be combined with files, any number of times`() throws {
      let file = "\(try Self.pictures.get())/a.png"
      let one = try Program.run(["show", "--size", "12x6", file]).output
      let result = try show([file, "-"], .bytes(try Consumer.run(["cat", file])))
      #expect(result.status == .exited(0))
      #expect(result.output == one + one + one)
    }

    @Test func `An animation plays until a key of the terminal`() throws {
      let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]
      let size = PixelSize(width: 80, height: 60)
      let animation = HandmadeAnimation(
        size: size, plays: 0, colors.map { .init($0, size: size, delay: 60) })
      let session = try TerminalSession(
        Program.path, ["show", "--animate", "--size", "8x3", "-"], environment: Program.environment(),
        columns: 40, rows: 12, profile: .sixel, standardInput: .bytes(animation.gif),
        standardOutput: .terminal)
      for color in colors {
        try session.waitUntil("a color") { screen in
          guard
            let seen = screen.picture(atRow: 0, column: 0)?.meanColor(
              at: TerminalPosition(row: 0, column: 0))
          else { return false }
          return zip(color, [seen.red, seen.green, seen.blue]).allSatisfy { abs(Int($0) - Int($1)) < 20 }
        }
      }
      session.send("x")
      try session.expectExit(.exited(0))
      #expect(session.isGivenBack && session.takeUnreadInput().isEmpty)
    }

    @Test func `Empty input, other data, a truncated picture and a terminal are reported`() throws {
      let cases: [(StandardInput, String)] = [
        (.null, "is empty; a picture is expected"),
        (.bytes(Array("<!DOCTYPE html>404".utf8)), "not a picture or video"),
        (.bytes([0xFF, 0xD8, 0xFF, 0xE0]), "the file ends before the picture begins"),
        (.terminal, "is a terminal; "),
      ]
      for (input, reason) in cases {
        let result = try show([], input)
        #expect(result.status == .exited(2))
        #expect(result.errors.hasPrefix("tpick: standard input: \(reason)"), "\(result.errors)")
        #expect(!result.errors.contains("/proc"))
        #expect(result.output.isEmpty)
      }
      let photo = try TestPhoto(TestPicture.make(width: 320, height: 240)).bytes()
      let cut = try show([], .bytes(Array(photo.prefix(photo.count / 2))))
      #expect(cut.status == .exited(0) && !cut.output.isEmpty)
      #expect(!cut.errors.contains("/proc") && cut.errors.split(separator: "\n").count <= 1, "\(cut.errors)")
    }

    @Test func `If TMPDIR is unusable another folder is used with a message, and files are unaffected`()
      throws
    {
      let file = try Consumer.run(["cat", "\(try Self.pictures.get())/a.png"])
      let whole = try show([], .bytes(file))
      for (place, reason) in [
        ("\(folder.path)/none", "No such file or directory"), ("/dev/null", "Not a directory"),
      ] {
        let result = try show([], .bytes(file), environment: ["TMPDIR": place])
        #expect(result.status == .exited(0))
        #expect(result.output == whole.output)
        #expect(result.errors.hasPrefix("tpick: \(place): \(reason) (TMPDIR "))
      }
      let place = try Program.run(["list", folder.path])
      #expect(place.lines.isEmpty)
      let kept = try show([], .bytes(file), environment: ["TMPDIR": folder.path])
      #expect(kept.status == .exited(0))
      #expect(try Consumer.run(["ls", "-A", folder.path]).isEmpty)
    }

    /// Whether a private file system can be mounted.
    private static let mounts = (try? Consumer.run(["unshare", "-m", "true"])) != nil

    @Test(.enabled(if: mounts, "mounting a small file system requires root"))
    func `If TMPDIR is full the picture continues in another folder`() throws {
      let photo = try TestPhoto(TestPicture.make(width: 96, height: 64)).bytes()
      // After the end of the picture: what is read of it stays the same.
      try folder.write(photo + [UInt8](repeating: 0, count: 3_000_000), to: "large.jpg")
      try folder.makeFolder("small")
      let command = """
        mount -t tmpfs -o size=1m none "$1/small" && TMPDIR="$1/small" exec "$0" show --size 12x6 - < "$1/large.jpg"
        """
      let session = try TerminalSession(
        "/usr/bin/unshare", ["-m", "sh", "-c", command, Program.path, folder.path],
        environment: Program.environment(), standardInput: .null)
      try session.expectExit(.exited(0))
      let errors = String(decoding: session.standardErrorBytes, as: UTF8.self)
      #expect(errors.hasPrefix("tpick: \(folder.path)/small: No space left on device (TMPDIR "))
      #expect(session.standardOutputBytes == (try show([], .bytes(photo)).output))
    }
  }
}
