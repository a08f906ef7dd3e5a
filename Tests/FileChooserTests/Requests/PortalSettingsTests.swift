import Testing

@testable import FileChooser

@Suite struct PortalSettingsTests {
  @Test func `Every setting`() {
    let settings = PortalSettings(
      Array(
        """
        # a comment

        terminal = foot --title="a = b"
          size=80x24\t\r
        backends = kde  gnome
        any-file = backend
        """.utf8))
    var expected = PortalSettings()
    expected.terminal = Array("foot --title=\"a = b\"".utf8)
    expected.size = TerminalCommand.Size(columns: 80, rows: 24)
    expected.backends = ["kde", "gnome"]
    expected.leavesAnyFile = true
    #expect(settings == expected)
    #expect(PortalSettings([]) == PortalSettings())
  }

  @Test(arguments: [
    ("x", "line 1: expected key = value"),
    ("\nx = 1", "line 2: x: unknown key; known keys are any-file, backends, size, terminal"),
    ("terminal =", "line 1: terminal: expected a program"),
    ("size = 80", "line 1: size: expected columns and rows such as 120x36, not '80'"),
    ("size = 80x0", "line 1: size: expected columns and rows such as 120x36, not '80x0'"),
    ("size = 80x24x1", "line 1: size: expected columns and rows such as 120x36, not '80x24x1'"),
    ("backends = a.b", "line 1: backends: expected names such as gtk kde, not 'a.b'"),
    ("backends = tpick", "line 1: backends: expected names such as gtk kde, not 'tpick'"),
    ("any-file = yes", "line 1: any-file: expected tpick or backend, not 'yes'"),
  ]) func `An invalid setting is reported and ignored`(_ text: String, _ problem: String) {
    let settings = PortalSettings(Array(text.utf8))
    #expect(settings.problems == [problem])
    #expect(settings.terminal == nil)
    #expect(settings.size == PortalSettings().size)
    #expect(settings.backends == PortalSettings().backends)
    #expect(!settings.leavesAnyFile)
  }

  @Test func `Without another file chooser`() {
    #expect(PortalSettings(Array("backends =".utf8)).backends.isEmpty)
  }
}
