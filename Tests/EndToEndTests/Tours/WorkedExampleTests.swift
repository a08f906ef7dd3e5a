import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  /// Tasks of a new user, with the keys that the manual gives for them.
  @Suite(.timeLimit(.minutes(120))) struct WorkedExampleTests {
    /// Keys, and the expected text on the screen before the next are pressed.
    struct Step: Sendable {
      var keys: String
      var shows: String?
    }

    struct Example: Sendable, CustomTestStringConvertible {
      var task: String
      var steps: [Step]
      /// The expected output, relative to the library.
      var results: [String]
      var status = TestTerminal.ExitStatus.exited(0)
      /// Whether all keys are pressed before the terminal has answered the first query.
      var isLate = false

      var testDescription: String { task }

      init(
        _ task: String, _ steps: (String, String?)..., gives results: [String],
        status: TestTerminal.ExitStatus = .exited(0), isLate: Bool = false
      ) {
        self.task = task
        self.steps = steps.map { Step(keys: $0.0, shows: $0.1) }
        (self.results, self.status, self.isLate) = (results, status, isLate)
      }
    }

    /// Nine photos and videos of three years, and a hidden one.
    private static let library = Result {
      let folder = try SharedFolders.make()
      let photos = [
        ("Garden/rose.jpg", 1, 6, 2023), ("Garden/tulip.jpg", 20, 4, 2023),
        ("Lisbon/Sintra/gate.jpg", 11, 5, 2022),
        ("Lisbon/Sintra/palace.jpg", 10, 5, 2022), ("Lisbon/Alfama/roof.jpg", 9, 5, 2022),
        ("Lisbon/Alfama/tram.jpg", 8, 5, 2022), ("Christmas/candles.jpg", 25, 12, 2021),
        ("Christmas/tree.jpg", 24, 12, 2021), ("private/letter.jpg", 2, 1, 2020),
      ]
      for (name, day, month, year) in photos {
        let photo = TestPhoto(width: 160, height: 120, date: .day(day, month: month, year: year))
        try folder.write(try photo.bytes(), to: name)
      }
      try folder.write([], to: "private/.nomedia")
      try folder.run([
        "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=64x48:r=10:d=1", "-c:v", "mpeg4", "-metadata",
        "creation_time=2023-06-20T12:00:00Z", "Garden/bees.mp4",
      ])
      return folder
    }

    static let examples: [Example] = [
      Example("take the newest", ("Enter", nil), gives: ["Garden/bees.mp4"]),
      Example(
        "pick three, in the order you want",
        ("Space Right Space Right Space", "3 of 3 picked"),
        ("Enter", nil), gives: ["Garden/bees.mp4", "Garden/rose.jpg", "Garden/tulip.jpg"]),
      Example(
        "find three photos of a trip by a word", ("`/lisbon`", "4 found"), ("Enter", "“lisbon” ✕"),
        ("`a`", "3 of 3 picked"), ("Enter", nil),
        gives: ["Lisbon/Sintra/gate.jpg", "Lisbon/Sintra/palace.jpg", "Lisbon/Alfama/roof.jpg"]),
      Example(
        "all of a month", ("`/dec 2021`", "2 found"), ("Enter", "“dec 2021” ✕"), ("`a`", "2 of 3 picked"),
        ("Enter", nil), gives: ["Christmas/candles.jpg", "Christmas/tree.jpg"]),
      Example(
        "go to a month", ("`202205`", "May"), ("Enter", "gate.jpg"), ("Enter", nil),
        gives: ["Lisbon/Sintra/gate.jpg"]),
      Example(
        "change the order of the picks", ("Space Right Space", "2 of 3 picked"),
        ("`r` Right `<`", nil), ("Enter", nil), gives: ["Garden/rose.jpg", "Garden/bees.mp4"]),
      Example(
        "undo", ("Space Right Space", "2 of 3 picked"), ("`u`", "0 of 3 picked"),
        ("`U`", "Undone: 2 picked"), ("Enter", nil), gives: ["Garden/bees.mp4", "Garden/rose.jpg"]),
      Example(
        "only videos", ("`f` `vid`", "vid▏"), ("Space", "1 video  "), ("Esc", "Type to filter"),
        ("Esc", "Enter use this"),
        ("Enter", nil),
        gives: ["Garden/bees.mp4"]),
      Example(
        "no videos", ("`f` `vid` Space Space", "not videos"), ("Esc", "Type to filter"),
        ("Esc", "Enter use this"), ("Enter", nil),
        gives: ["Garden/rose.jpg"]),
      Example(
        "correct a mistyped word", ("`/porot`", "0 found"), ("Ctrl-W `alfama`", "2 found"),
        ("Enter", "“alfama” ✕"),
        ("Enter", nil), gives: ["Lisbon/Alfama/roof.jpg"]),
      Example(
        "take a suggestion", ("`/sin`", "album  2"), ("Tab", "album:Sintra"), ("Enter", "2 photos"),
        ("`a`", "2 of 3 picked"), ("Enter", nil),
        gives: ["Lisbon/Sintra/gate.jpg", "Lisbon/Sintra/palace.jpg"]),
      Example(
        "clear the search and return to the photo from before", ("`/tree`", "1 found"), ("Enter", "“tree” ✕"),
        ("Backspace", "8 photos"), ("Right Enter", nil), gives: ["Garden/rose.jpg"]),
      Example(
        "find an album by its name", ("Tab `/chr`", "1 found"), ("Enter", "2 photos"),
        ("Enter Enter", nil), gives: ["Christmas/candles.jpg"]),
      Example(
        "the oldest first", ("`s` `old` Enter", "oldest ▾"), ("Home Enter", nil),
        gives: ["Christmas/tree.jpg"]),
      Example(
        "open a photo in full screen and pick it there", ("Right `o`", "rose.jpg"), ("Right", "tulip.jpg"),
        ("Space", "1 of 3 picked"), ("`o`", "Library"), ("Enter", nil), gives: ["Garden/tulip.jpg"]),
      Example(
        "check the sharpness at 100 %", ("Right `oz`", "Esc zoom out"), ("`z`", nil), ("Enter", nil),
        gives: ["Garden/rose.jpg"]),
      Example(
        "a range", ("`v` Right Right `v`", "3 of 3 picked"), ("Enter", nil),
        gives: ["Garden/bees.mp4", "Garden/rose.jpg", "Garden/tulip.jpg"]),
      Example(
        "show the metadata of a photo", ("Right `i`", "Kind      photo"), ("`i` Enter", nil),
        gives: ["Garden/rose.jpg"]),
      Example(
        "a hidden photo", ("`.`", "9 photos"), ("End", "letter.jpg"), ("Enter", nil),
        gives: ["private/letter.jpg"]),
      Example(
        "which key undoes?", ("`?` `undo`", "undo, redo"), ("Esc", "Type to filter"),
        ("Esc", "Enter use this"),
        ("Enter", nil),
        gives: ["Garden/bees.mp4"]),
      Example(
        "cancel although something is picked", ("Space", "1 of 3 picked"),
        ("Esc", "Esc again to discard 1 pick"), ("Esc", nil), gives: [], status: .exited(130)),
      Example(
        "type before a slow terminal answers", ("Right Space Right Space Enter", nil),
        gives: ["Garden/rose.jpg", "Garden/tulip.jpg"], isLate: true),
    ]

    @Test func `The manual has exactly these examples`() throws {
      #expect(try WorkedExamples.rows.get().map(\.task) == Self.examples.map(\.task))
    }

    @Test(arguments: examples)
    func `The keys of the manual work`(example: Example) throws {
      let row = try #require(try WorkedExamples.rows.get().first { $0.task == example.task })
      let presses = try WorkedExamples.presses(row.keys)
      #expect(presses.count == row.count)
      #expect(try example.steps.flatMap { try WorkedExamples.presses($0.keys) } == presses)

      let library = try Self.library.get()
      let session = try Program.pick(["--limit", "3", library.path])
      if example.isLate {
        session.holdAnswers = true
        try session.waitUntil("the questions") { _ in session.heldAnswerCount > 0 }
        session.send(presses.joined())
        session.releaseAnswers()
      } else {
        try session.waitForLibrary("8 photos · 1 video")
        for step in example.steps {
          for press in try WorkedExamples.presses(step.keys) { session.send(press) }
          if let text = step.shows { try session.waitForText(text) }
        }
      }
      try session.expectExit(example.status)
      #expect(session.outputLines == example.results.map { "\(library.path)/\($0)" })
      #expect(session.isGivenBack)
    }
  }
}
