import Fixtures
import Foundation
import TestTerminal
import Testing

extension EndToEnd {
  /// The whole way of an upload: a program of GTK, xdg-desktop-portal, tpick-portal, a terminal, and back.
  @Suite(
    .enabled(
      if: PortalHome.hasPortal,
      "dbus-daemon, xdg-desktop-portal, Xvfb, python3-gi or gir1.2-gtk-3.0 is not installed"),
    .timeLimit(.minutes(5)))
  struct DesktopPortalTests {
    @Test func `A program of GTK gets what was picked`() throws {
      let display = try VirtualDisplay(size: "1280x1024")
      defer { display.end() }
      let home = try PortalHome(display: display.name)
      let program = try home.start(PortalPrograms.uploader, after: Recipes.text("Upload from a browser"))
      let window = try home.openWindow(while: program)
      try window.waitForText("3 photos")
      window.send("a")
      try window.waitForText("3 selected")
      window.press(.enter)
      let answer = try home.answer(of: program, after: window)
      // GTK has them in an order of its own.
      #expect(answer.split(separator: " ").sorted() == ["True"] + (1...3).map { home.photo($0)[...] })
    }

    @Test func `A program of GTK is told that nothing was picked`() throws {
      let display = try VirtualDisplay(size: "1280x1024")
      defer { display.end() }
      let home = try PortalHome(display: display.name)
      let program = try home.start(PortalPrograms.uploader, after: Recipes.text("Upload from a browser"))
      let window = try home.openWindow(while: program)
      try window.waitForText("3 photos")
      window.press(.escape)
      #expect(try home.answer(of: program, after: window) == "False")
    }

    @Test(.enabled(if: Recipes.has("xterm", "xdotool"), "xterm or xdotool is not installed"))
    func `By keys that are typed into a window of xterm`() throws {
      let display = try VirtualDisplay(size: "1280x1024")
      defer { display.end() }
      let home = try PortalHome(terminal: "xterm", display: display.name)
      let program = try home.start(PortalPrograms.uploader, after: Recipes.text("Upload from a browser"))
      let script = "exec xdotool \"$@\" 2> /dev/null"
      let xdotool = ["env", "DISPLAY=\(display.name)", "sh", "-c", script, "xdotool"]
      var window = ""
      try program.waitUntil("the window") { _ in
        let found = try? Consumer.run(xdotool + ["search", "--name", "Upload · Send"])
        window =
          String(decoding: found ?? [], as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
        return !window.isEmpty
      }
      // Keys count from when the picker shows photos: again, until there is an answer.
      try program.waitUntil("the answer") { _ in
        _ = try? Consumer.run(xdotool + ["windowfocus", window, "key", "Return"])
        return !program.standardOutputBytes.isEmpty
      }
      #expect(try home.answer(of: program) == "True \(home.photo(1))")
    }
  }
}
