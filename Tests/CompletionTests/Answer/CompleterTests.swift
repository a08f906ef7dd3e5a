import Testing

@testable import Completion

/// Completions at the end of a command line.
@Suite struct CompleterTests {
  private func answer(_ line: String, albums: [String] = []) throws -> CompletionAnswer {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return try ProgramTable.completer(albums: albums).answer(
      words: Array(words.dropLast()), current: words.last ?? "")
  }

  private func texts(_ line: String) throws -> [String] { try answer(line).candidates.map(\.text) }

  @Test(arguments: [
    ("li", ["list"]),
    (
      "",
      [
        "pick", "list", "run", "albums", "mark", "changes", "info", "show", "add", "trash", "access",
        "remote", "cache",
        "config",
        "completions",
      ]
    ),
    ("--reverse li", ["list"]), ("--sort newest li", ["list"]), ("-n5 li", ["list"]), ("list al", []),
    ("-- li", []),
    ("cache ", ["status", "clear", "warm"]), ("cache c", ["clear"]), ("cache warm c", []),
    ("help ca", ["cache"]),
    ("help cache w", ["warm"]), ("completions ", ["bash", "zsh", "fish"]), ("completions z", ["zsh"]),
    ("completions zsh ", []),
    ("--sort n", ["newest", "name"]), ("--sort=n", ["newest", "name"]),
    ("list --sort N", ["newest", "name"]),
    ("-fvid", ["videos", "videos,"]), ("-f vid", ["videos", "videos,"]), ("-1f vid", ["videos", "videos,"]),
    ("--graphics k", ["kitty"]),
    ("list --sor", ["--sort"]), ("list --graph", []), ("list --sort newest --sor", []),
    ("--filter raw --filt", ["--filter"]),
    ("list --sort=newest --sor", []), ("-- --sor", []), ("--debug", []), ("list -n", []),
    ("--nothing x --sor", ["--sort"]),
    ("cache status --format ", ["text", "json"]), ("albums --type f", ["folders", "folders,"]),
    ("info --format t", ["text"]),
    ("--exe", ["--exec"]), ("--exec mutt ; --exe", []), ("--tmu", ["--tmux"]), ("--tmux left --tmu", []),
    ("--tmux 50% list --graph", []), ("--tmux x list --graph", ["--graphics"]),
    // As the program reads them: these are folders.
    ("--tmux 2024 list --graph", ["--graphics"]), ("--tmux center,x list --graph", ["--graphics"]),
    ("--tmux 50%% list --graph", ["--graphics"]), ("--tmux 80,24 list --graph", []),
  ])
  func `Words are completed`(line: String, candidates: [String]) throws {
    #expect(try texts(line) == candidates)
  }

  @Test(arguments: [("-fvid", "-f"), ("--filter=vid", "--filter="), ("-f vid", ""), ("--filter vid", "")])
  func `A completed value includes the option typed before it in the same word`(
    line: String, prefix: String
  ) throws {
    let answer = try answer(line)
    #expect(answer.prefix == prefix && answer.candidates.map(\.text) == ["videos", "videos,"])
  }

  @Test func `Options are listed with descriptions, short ones after a single dash`() throws {
    let all = try answer("list -").candidates
    #expect(all.contains(Candidate("--reverse", "Reverse the sort order")))
    #expect(all.contains { $0.text == "-n" })
    #expect(try !texts("list --").contains("-n"))
    #expect(all.allSatisfy { ($0.detail?.count ?? 0) <= 61 })
    #expect(try !texts("--").contains("--debug-stats"))
  }

  @Test(arguments: [
    ("", CompletionAnswer.ShellsOwn.files), ("phot", .files), ("list ", .files), ("albums a ", .files),
    ("--config ", .files),
    ("--config=a", .files), ("-o ", .files), ("--preselect-from ", .files), ("--allow ", .files),
    ("--export ", .directories),
    ("--relative-to=", .directories), ("-- --x", .files), ("--exec ", .command(before: 0)),
    ("--exec mutt -a", .command(before: 1)),
    ("--exec mutt ; ", .files), ("cache warm ", .files), ("--exec a --sort ", .command(before: 2)),
  ])
  func `The shell completes file names and similar values itself`(
    line: String, own: CompletionAnswer.ShellsOwn
  ) throws {
    #expect(try answer(line).own == own)
  }

  @Test(arguments: ["cache status ", "config ", "--sort ", "completions ", "cache "])
  func `Elsewhere no file is expected`(line: String) throws {
    #expect(try answer(line).own == nil)
  }

  @Test func `info and show accept photos and videos`() throws {
    for command in ["info", "show"] {
      guard case .filesEnding(let suffixes) = try answer("\(command) ").own else {
        Issue.record("no files")
        continue
      }
      #expect(Set(["jpg", "heic", "cr3", "mp4"]).isSubset(of: suffixes))
    }
  }

  @Test func `Albums come from the library named on the command line`() throws {
    var asked: [Completer.Library] = []
    let completer = Completer(try ProgramTable.table.get(), standard: "pick") { library in
      asked.append(library)
      return ["Recents", "Two words", "it's", "a\nb"].map { Candidate($0) }
    }
    func texts(_ words: [String], _ current: String) -> [String] {
      completer.answer(words: words, current: current).candidates.map(\.text)
    }
    #expect(
      texts(["list", "a", "--sort", "newest", "-n", "3", "b", "--album"], "") == [
        "Recents", "Two words", "it's",
      ])
    #expect(texts(["--album"], "two") == ["Two words"])
    #expect(texts(["--demo", "--album"], "x") == [])
    #expect(texts(["-", "--album"], "") == [])
    #expect(
      asked == [
        .init(sources: ["a", "b"], isDemo: false), .init(sources: [], isDemo: false),
        .init(sources: [], isDemo: true),
      ])
    #expect(completer.answer(words: ["--album"], current: "x/").own == .directories)
  }
}
