import Fixtures
import TestTerminal
import Testing

extension EndToEnd {
  @Suite struct RememberedOrderTests {
    /// Opens the picker, sorts by name if requested, and leaves.
    /// - Returns: The title line when the picker started.
    private func run(
      _ arguments: [String], _ state: String, sorting: Bool = false, output: StandardOutput
    ) throws -> String {
      let session = try Program.pick(
        ["--demo"] + arguments, environment: ["XDG_STATE_HOME": state, "XDG_RUNTIME_DIR": state],
        standardOutput: output)
      try session.waitUntil("the title") { $0.line(0).contains("▾") }
      let title = session.virtual.line(0)
      if sorting {
        session.send("s")
        try session.waitUntil("the menu") { $0.contains("Order") || $0.contains("name") }
        session.send("name\r")
        try session.waitUntil("the order") { $0.line(0).contains("name ▾") }
      }
      session.send("q")
      _ = try session.waitForExit()
      return title
    }

    @Test func `A sort order chosen for one caller does not affect another`() throws {
      let folder = try TemporaryFolder()
      let state = folder.path
      _ = try run([], state, sorting: true, output: .pipe)
      #expect(try run([], state, output: .pipe).contains("newest ▾"))
      #expect(try run([], state, output: .terminal).contains("newest ▾"))
      // The user's own order is kept.
      _ = try run([], state, sorting: true, output: .terminal)
      #expect(try run([], state, output: .terminal).contains("name ▾"))
      #expect(try run([], state, output: .pipe).contains("newest ▾"))
      #expect(try run(["--sort", "oldest"], state, output: .terminal).contains("oldest ▾"))
    }
  }
}
