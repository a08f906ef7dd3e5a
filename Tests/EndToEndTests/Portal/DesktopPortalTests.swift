import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// A complete upload: a GTK program, xdg-desktop-portal, tpick-portal, a terminal, and back.
  @Suite(
    .enabled(
      if: PortalHome.hasPortal,
      "dbus-daemon, xdg-desktop-portal, Xvfb, python3-gi or gir1.2-gtk-3.0 is not installed"),
    .timeLimit(.minutes(120)))
  struct DesktopPortalTests {
    @Test func `A GTK program gets the picked files`() throws {
      let display = try VirtualDisplay(size: "1280x1024")
      defer { display.end() }
      let home = try PortalHome(display: display.name)
      let program = try home.start(PortalPrograms.uploader, after: Recipes.text("Upload from a browser"))
      let window = try home.openWindow(while: program)
      try window.waitForText("3 photos")
      window.send("a")
      try window.waitForText("3 picked")
      window.press(.enter)
      let answer = try home.answer(of: program, after: window)
      // GTK has them in an order of its own.
      #expect(answer.split(separator: " ").sorted() == ["True"] + (1...3).map { home.photo($0)[...] })
    }

    @Test func `A GTK program gets the cancellation`() throws {
      let display = try VirtualDisplay(size: "1280x1024")
      defer { display.end() }
      let home = try PortalHome(display: display.name)
      let program = try home.start(PortalPrograms.uploader, after: Recipes.text("Upload from a browser"))
      let window = try home.openWindow(while: program)
      try window.waitForLibrary("3 photos")
      window.press(.escape)
      #expect(try home.answer(of: program, after: window) == "False")
    }

    @Test(
      .enabled(
        if: Recipes.has("lximage-qt", "xdotool") && PortalHome.hasQtTheme,
        "lximage-qt, qt5-xdgdesktopportal-platformtheme or xdotool is not installed"))
    func `An unmodified viewer from Debian opens the picked file`() throws {
      let display = try VirtualDisplay(size: "1280x1024")
      defer { display.end() }
      let home = try PortalHome(display: display.name)
      let viewer = try Server(
        ["sh", "-c", "echo up; exec lximage-qt"],
        environment: home.environment.merging(["QT_QPA_PLATFORMTHEME": "xdgdesktopportal"]) { $1 })
      defer { viewer.end() }
      func xdotool(_ words: String...) -> String {
        (try? Consumer.text(["env", "DISPLAY=\(display.name)", "xdotool"] + words, readsErrors: true)) ?? ""
      }
      // Waits for others; ended with the test.
      let asker = try home.start("import signal; signal.pause()")
      // It asks for a file when Ctrl-O is pressed, which works once its window exists.
      var window: TerminalSession?
      try asker.waitUntil("the window of the picker") { _ in
        let found = xdotool("search", "--onlyvisible", "--name", "Image Viewer")
        guard let name = found.split(separator: "\n").last.map(String.init) else { return false }
        // A second time would request a second file.
        if home.requestFolders.isEmpty { _ = xdotool("windowfocus", name, "key", "ctrl+o") }
        guard home.hasWindow else { return false }
        window = try home.openWindow(while: asker)
        return true
      }
      let picker = try #require(window)
      try picker.waitForText("3 photos")
      picker.press(.right)
      try picker.waitForText("2.jpg")
      picker.press(.enter)
      try picker.waitForExit()
      try asker.waitUntil("the photo in the viewer") { _ in
        xdotool("search", "--onlyvisible", "--name", "2.jpg").contains { $0.isNumber }
      }
    }

    @Test(.enabled(if: Recipes.has("xterm", "xdotool"), "xterm or xdotool is not installed"))
    func `Keys typed into an xterm window work`() throws {
      let display = try VirtualDisplay(size: "1280x1024")
      defer { display.end() }
      let home = try PortalHome(terminal: "xterm", display: display.name)
      let program = try home.start(PortalPrograms.uploader, after: Recipes.text("Upload from a browser"))
      let script = "exec xdotool \"$@\" 2> /dev/null"
      let xdotool = ["env", "DISPLAY=\(display.name)", "sh", "-c", script, "xdotool"]
      var window = ""
      try program.waitUntil("the window") { _ in
        // By its class: its title is the picker's as soon as that is running.
        let found = try? Consumer.run(xdotool + ["search", "--onlyvisible", "--class", "xterm"])
        window =
          String(decoding: found ?? [], as: UTF8.self).split(separator: "\n").last.map(String.init) ?? ""
        return !window.isEmpty
      }
      // Keys work once the picker shows photos: repeated until there is an answer.
      try program.waitUntil("the answer") { _ in
        _ = try? Consumer.run(xdotool + ["windowfocus", window, "key", "Return"])
        return !program.standardOutputBytes.isEmpty
      }
      #expect(try home.answer(of: program) == "True \(home.photo(1))")
    }
  }
}
