import Testing

@testable import Completion

/// The output for the shells' completion scripts.
@Suite struct AnswerLinesTests {
  private func lines(
    _ text: String, _ shell: Shell, region: String? = nil, albums: [String] = []
  ) throws -> [String] {
    let line = CompletionLine(text, shell: shell) { _ in nil }
    return try ProgramTable.completer(albums: albums).answer(for: line).lines(for: line, replacing: region)
  }

  @Test(arguments: [
    ("tpick --sort ne", "ne", ["words closed ", "newest"]),
    ("tpick --sort=ne", "ne", ["words closed ", "newest"]),
    ("tpick --sort=ne", "=ne", ["words closed ", "=newest"]),
    ("tpick --filter 'all(vid", "all(vid", ["words closed ", "all(videos)", "all(videos,"]),
    ("tpick --filter='all(vid", "all(vid", ["words closed ", "all(videos)", "all(videos,"]),
    (#"tpick --filter all\(vid"#, #"all\(vid"#, ["words closed ", #"all\(videos\)"#, #"all\(videos,"#]),
    ("tpick --query cam", "cam", ["words open ", "camera:"]),
    ("tpick --query 'cam", "cam", ["words open ", "camera:", "camera:…"]),
    ("tpick --query camera:x", "x", ["words closed "]),
    ("tpick --bind 'x=execute-s", "x=execute-s", ["words open ", "x=execute-silent(", "x=execute-silent(…"]),
    ("tpick --bind 'x=ign", "x=ign", ["words closed ", "x=ignore"]),
    ("tpick li", "li", ["files closed ", "list"]),
  ])
  func `bash gets replacements for the part of the word that it found`(
    text: String, region: String, expected: [String]
  ) throws {
    #expect(try lines(text, .bash, region: region) == expected)
  }

  @Test(arguments: [
    ("tpick --album ", "", #"it\'s\ \"a:b\"\ \$1"#), ("tpick --album 'it", "it", #"it'\''s "a:b" $1"#),
    ("tpick --album \"it", "it", #"it's \"a:b\" \$1"#), (#"tpick --album it\'s\ \"a:"#, "", #"b\"\ \$1"#),
    ("tpick --album=it", "it", #"it\'s\ \"a:b\"\ \$1"#),
  ])
  func `Blanks, quotes and colons survive in bash`(text: String, region: String, expected: String) throws {
    #expect(
      try lines(text, .bash, region: region, albums: [#"it's "a:b" $1"#]) == ["words closed ", expected])
  }

  @Test func `zsh gets the words and their list display`() throws {
    #expect(
      try lines("tpick --sort=n", .zsh) == ["words closed ", "--sort=newest\tnewest", "--sort=name\tname"])
    #expect(
      try lines("tpick li", .zsh)[1]
        == "list\tlist  -- Print the paths of the matching assets, without a screen.")
  }

  @Test func `fish gets the words and their descriptions`() throws {
    #expect(try lines("tpick --sort=ne", .fish) == ["words closed ", "--sort=newest\t"])
    #expect(try lines("tpick --config=a", .fish) == ["files closed --config="])
    #expect(try lines("tpick --exec mutt 'a b' -", .fish) == ["command closed mutt 'a b' -"])
    // The second line would be offered as a word.
    #expect(try lines("tpick --exec mutt 'a\nb' -", .fish) == ["words closed "])
    #expect(try lines("tpick --exec mutt 'a\r\nb", .fish) == ["words closed "])
    #expect(
      try lines("tpick --format '{stem", .fish)
        == ["words open ", "{stem}\tthe file's name without its extension", "{stem}…\t"])
  }
}
