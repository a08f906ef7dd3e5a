import Fixtures
import TestTerminal
import Testing

extension Commands {
  /// Every filter of the command line, applied to files named after their properties.
  @Suite struct FilterTests {
    @Test(arguments: FactFolder.filters)
    func `A filter selects only files with its property`(filter: String) throws {
      let facts = try FactFolder.shared()
      let found = try facts.list("--filter", filter)
      #expect(!found.isEmpty)
      #expect(Set(found).subtracting(facts.matching(filter)) == [], "too many")
      #expect(facts.matching(filter).subtracting(found) == [], "too few")
      #expect(found.count == Set(found).count)
      let again = try facts.list("-f", filter.uppercased())
      #expect(again == found)
    }

    @Test func `Without a filter everything that is not hidden or broken is listed`() throws {
      let facts = try FactFolder.shared()
      let found = try facts.list()
      #expect(Set(found) == facts.everything)
      #expect(found.count == facts.everything.count)
    }

    @Test func `Filters combine with any, all and not`() throws {
      let facts = try FactFolder.shared()
      let of = facts.matching
      let compositions: [([String], Set<String>)] = [
        (["--filter", "hdr,selfies"], of("hdr").union(of("selfies"))),
        (["--filter", "any(hdr, selfies)"], of("hdr").union(of("selfies"))),
        (["--filter", "all(images,geotagged)"], of("images").intersection(of("geotagged"))),
        (["--filter", "not(images)"], of("videos")), (["--filter", "!VIDEOS"], of("images")),
        (["--filter", "!!videos"], of("videos")),
        (["--filter", "all(images,hidden)"], of("hidden")),
        (["--filter", "not(images,videos)"], []),
        (
          ["--filter", "all(images,not(any(edited,raw,!geotagged)))"],
          of("images").intersection(of("geotagged")).subtracting(of("edited")).subtracting(of("raw"))
        ),
        // Repeated options are combined with and.
        (["--filter", "images,animated", "-f", "geotagged,favorites", "-fraw"], ["raw.dng"]),
        (["--filter", "videos", "--filter", "images"], []),
      ]
      for (arguments, expected) in compositions {
        let result = try Program.run(["list"] + arguments + [facts.path])
        #expect(result.status == .exited(expected.isEmpty ? 1 : 0), "\(arguments)")
        #expect(
          Set(result.lines.map { String($0.dropFirst(facts.path.count + 1)) }) == expected, "\(arguments)")
      }
    }

    @Test(arguments: [
      ("images,cats", "unknown filter 'cats'"), ("all(images,!kittens)", "unknown filter 'kittens'"),
      ("not(dogs)", "unknown filter 'dogs'"), ("", "empty list"), ("any()", "empty list"),
      ("all(images,)", "empty list"), (",images", "empty list"), ("some(images)", "some("),
      ("any(images", "the end"), ("images)", "')'"), ("images videos", "'videos'"),
    ])
    func `An invalid expression is a usage error that names the word`(
      expression: String, words: String
    ) throws {
      for command in [["list"], ["albums"], []] {
        let result = try Program.run(command + ["--filter", expression])
        #expect(result.status == .exited(64))
        #expect(result.errors.contains("--filter: "))
        #expect(result.errors.contains(words))
        for filter in FactFolder.filters { #expect(result.errors.contains(filter)) }
        #expect(result.output.isEmpty)
      }
    }
  }
}
