import Fixtures
import TestTerminal
import Testing

extension Commands {
  /// The Tab key in real shells.
  @Suite struct ShellCompletionTests {
    /// The text typed before Tab, the resulting line, and the listed words; fish leaves out their common prefix.
    private static let steps: [(typed: String, line: String, listed: [String])] = [
      ("tpick phot", "tpick photos/", []),
      ("tpick --sort ", "tpick --sort", ["newest", "oldest", "name", "size", "added", "given"]),
      ("tpick --sort=ol", "tpick --sort=oldest", []),
      ("tpick --filter 'all(vid", "tpick --filter 'all(videos", ["ll(videos,"]),
      ("tpick --filter LIVEP", "tpick --filter livePhotos", ["Photos,"]),
      ("tpick li library/Two", "tpick li library/Two\\ words/", []),
      ("tpick alb", "tpick albums", []),
      ("tpick cache ", "tpick cache", ["status", "clear", "warm"]),
      ("tpick list library --album ", "tpick list library --album", ["Recents", "Two", "library"]),
      ("tpick list library --album Tw", "tpick list library --album Two\\ words", []),
      ("tpick list library --album 'Tw", "tpick list library --album 'Two words'", []),
      ("tpick --query cam", "tpick --query camera:", []),
      ("tpick --config no", "tpick --config notes.txt", []),
      ("tpick --relative-to li", "tpick --relative-to library/", []),
      ("tpick show ", "tpick show", ["library/", "photos/", "old.JPG", "z.jpg"]),
    ]

    @Test(arguments: CompletingShell.Kind.allCases.filter(\.isInstalled))
    func `Words are completed`(kind: CompletingShell.Kind) throws {
      let shell = try CompletingShell(kind)
      for step in Self.steps {
        try shell.complete(step.typed, to: step.line, listing: step.listed)
        if step.typed == "tpick show " { #expect(!shell.session.virtual.text.contains("notes.txt")) }
        for word in ["tpick:", "error", "not found"] { #expect(!shell.session.virtual.text.contains(word)) }
        try shell.clear()
      }
      #expect(!shell.hasRung)
    }

    @Test(arguments: CompletingShell.Kind.allCases.filter(\.isInstalled))
    func `A name with characters that represent bytes runs no command`(kind: CompletingShell.Kind) throws {
      let shell = try CompletingShell(kind)
      // Characters that represent bytes inside tpick.
      let name =
        "Zed"
        + String(
          String.UnicodeScalarView("; touch made #".utf8.compactMap { Unicode.Scalar(0x10FE00 + UInt32($0)) })
        )
      try shell.folder.makeFolder("library/\(name)")
      try shell.folder.write(try shell.folder.bytes(of: "old.JPG"), to: "library/\(name)/4.jpg")
      try shell.index()
      shell.session.send("tpick list --format '{stem}' library --album Z\t")
      try shell.session.waitForText("Zed")
      shell.session.send("\r")
      try shell.waitForRow("4")
      #expect((try? shell.folder.bytes(of: "made")) == nil)
    }

    @Test(arguments: [CompletingShell.Kind.bash, .bashCompletion].filter(\.isInstalled))
    func `A subcommand takes precedence over a folder, and an old command over an album`(
      kind: CompletingShell.Kind
    ) throws {
      let shell = try CompletingShell(kind)
      try shell.folder.makeFolder("albums")
      try shell.complete("tpick alb", to: "tpick alb", listing: ["albums", "./albums/"])
      try shell.clear()
      try shell.folder.makeFolder("library/O'Brien !ls")
      try shell.folder.write(try shell.folder.bytes(of: "old.JPG"), to: "library/O'Brien !ls/5.jpg")
      try shell.index()
      shell.session.send("tpick list --format '{stem}' library --album \"O\t")
      try shell.session.waitForText("Brien")
      shell.session.send("\r")
      try shell.waitForRow("5")
    }

    @Test(.enabled(if: Consumer.canTrace, "strace is not installed, or tracing is not allowed here"))
    func `Albums of a known library are completed although its index is loaded late`() throws {
      let (folder, home) = (try TemporaryFolder(), try TemporaryFolder())
      try folder.write(try TestPhoto(width: 16, height: 12).bytes(), to: "Two words/1.jpg")
      let environment = try Program.environment([
        "XDG_CACHE_HOME": "\(home.path)/cache", "XDG_DATA_HOME": "\(home.path)/data",
      ])
      #expect(try Program.run(["list", folder.path], environment: environment).lines.count == 1)
      // The first lock that it takes is that of the index.
      let late = "inject=flock:delay_enter=1000000:when=1"
      let answer = try Consumer.text(
        ["env"] + environment.map { "\($0.key)=\($0.value)" } + [
          "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=flock", "-e", late, Program.path,
          "__complete", "fish", "tpick list \(folder.path) --album T",
        ])
      #expect(answer.contains("Two words"), "\(answer)")
    }

    @Test(arguments: CompletingShell.Kind.allCases.filter(\.isInstalled))
    func `A name with blanks, quotes and colons reaches tpick unchanged`(kind: CompletingShell.Kind) throws {
      let shell = try CompletingShell(kind)
      shell.session.send("tpick list library --album it\t")
      try shell.session.waitForText("$1")
      shell.session.send("\r")
      try shell.session.waitForText("library/it's a:b $1/2.jpg")
    }
  }
}
