import Fixtures
import Foundation
import Glibc
import TestTerminal
import Testing

extension Outputs {
  /// tpick-portal on a session bus, called like xdg-desktop-portal calls it.
  @Suite(
    .enabled(if: PortalHome.isPossible, "dbus-daemon or python3-gi is not installed"),
    .timeLimit(.minutes(120)))
  struct PortalServiceTests {
    @Test func `The picked files are the answer, with the filter and the choices`() throws {
      let home = try PortalHome()
      let caller = try home.call(
        "OpenFile",
        """
        {'multiple': <true>, 'accept_label': <'_Send'>, 'current_filter': <('JPEG', [(uint32 0, '*.jpg'), (1, 'image/jpeg')])>,
         'choices': <[('size', 'Size', [('s', 'Small'), ('l', 'Large')], 'l'), ('all', 'All', @a(ss) [], '')]>}
        """)
      let window = try home.openWindow(while: caller)
      try window.waitForText("3 photos")
      #expect(String(decoding: window.rawOutput, as: UTF8.self).contains("\u{1B}]2;Upload · Send\u{1B}\\"))
      window.press(.right)
      try window.waitForCursor(on: "2.jpg")
      window.press(.space)
      window.press(.right)
      window.press(.space)
      try window.waitForText("2 picked")
      window.press(.enter)
      try window.expectExit(.exited(0))
      let answer = try home.answer(of: caller, after: window)
      let filter = "('JPEG', [(uint32 0, '*.jpg'), (1, 'image/jpeg')])"
      #expect(
        answer
          == "(0, {'choices': <[('size', 'l'), ('all', 'false')]>, 'current_filter': <\(filter)>, 'uris': <['\(home.photo(2))', '\(home.photo(3))']>})"
      )
      #expect(eventually { home.requestFolders.isEmpty })
    }

    @Test func `Types that the program does not accept are converted`() throws {
      let home = try PortalHome()
      let caller = try home.call("OpenFile", "{'filters': <[('PNG', [(uint32 1, 'image/png')])]>}")
      let window = try home.openWindow(while: caller)
      try window.waitForText("3 photos")
      window.press(.enter)
      let answer = try home.answer(of: caller, after: window)
      let uri = try #require(answer.split(separator: "'").first { $0.hasPrefix("file://") })
      #expect(uri.hasSuffix("/1.png"))
      let made = try Data(contentsOf: try #require(URL(string: String(uri))))
      #expect(made.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func `Esc, a closed window and an empty folder count as canceled`() throws {
      let home = try PortalHome()
      let first = try home.call("OpenFile")
      let picker = try home.openWindow(while: first)
      try picker.waitForLibrary("3 photos")
      picker.press(.escape)
      #expect(try home.answer(of: first, after: picker) == "(1, {})")

      let second = try home.call("OpenFile")
      let closed = try home.openWindow(while: second)
      try closed.waitForText("3 photos")
      closed.hangUp()
      #expect(try home.answer(of: second, after: closed) == "(1, {})")

      // The message stays until a key is pressed.
      try home.folder.makeFolder("empty")
      let third = try home.call("OpenFile")
      home.folder.remove("Pictures")
      let empty = try home.openWindow(while: third)
      try empty.waitForText("Press Enter to close this window.")
      empty.send("\r")
      #expect(try home.answer(of: third, after: empty) == "(2, {})")
      #expect(eventually { home.requestFolders.isEmpty })
    }

    @Test(.enabled(if: DeadDisk.isAvailable, "FUSE can't be used here"))
    func `A folder that does not answer blocks no dialog, not even its own`() throws {
      let home = try PortalHome()
      let disk = try DeadDisk(isDead: true)
      defer { disk.end() }
      let stuck = try home.call(
        "OpenFile", "{'current_folder': <b'\(disk.path)/photos'>}", handle: "/r/1")
      let other = try home.call("OpenFile", handle: "/r/2")
      let windows = try [home.openWindow(while: other), home.openWindow(while: stuck)]
      for window in windows {
        // The user's pictures, in place of the unreachable folder.
        try window.waitForLibrary("3 photos")
        window.press(.escape)
        try window.waitForExit()
      }
      #expect(try home.answer(of: other) == "(1, {})")
      #expect(try home.answer(of: stuck) == "(1, {})")
    }

    @Test func `Only the caller closes its request, and others continue`() throws {
      let home = try PortalHome()
      let first = try home.call("OpenFile", handle: "/r/1")
      let closed = try home.openWindow(while: first)
      try closed.waitForText("3 photos")
      let second = try home.call("OpenFile", handle: "/r/2")
      let other = try home.openWindow(while: second)
      try other.waitForText("3 photos")

      let again = try home.call("OpenFile", handle: "/r/2")
      #expect(try home.answer(of: again) == "org.freedesktop.DBus.Error.InvalidArgs")
      let stranger = try home.call("Close", handle: "/r/2")
      #expect(try home.answer(of: stranger) == "org.freedesktop.DBus.Error.AccessDenied")

      first.feed("close\n")
      #expect(try home.answer(of: first) == "(1, {})")
      try closed.waitForExit()
      #expect(closed.isGivenBack)

      try other.waitForCursor(on: "1.jpg")
      other.press(.enter)
      #expect(try home.answer(of: second, after: other) == "(0, {'uris': <['\(home.photo(1))']>})")
    }

    @Test func `A suggested folder is shown if it has matching files`() throws {
      let home = try PortalHome()
      let name = Array("a 'b'\n\u{1B}[31m --c".utf8) + [0xFF]
      try home.folder.write(try home.folder.bytes(of: "Pictures/1.jpg"), to: name + Array("/x.jpg".utf8))
      try home.folder.write([], to: "documents/x.pdf")
      func folder(_ path: [UInt8]) -> String {
        "{'current_folder': <[\((path + [0]).map { "byte \($0)" }.joined(separator: ", "))]>}"
      }
      let first = try home.call("OpenFile", folder(home.folder.path(of: name)))
      let window = try home.openWindow(while: first)
      try window.waitForText("1 photo ")
      window.press(.enter)
      #expect(
        try home.answer(of: first, after: window)
          == "(0, {'uris': <['file://\(home.path)/a%20%27b%27%0A%1B%5B31m%20--c%FF/x.jpg']>})")

      for path in ["\(home.path)/documents", home.path, "/", "\(home.path)/gone", "relative"] {
        let caller = try home.call("OpenFile", folder(Array(path.utf8)))
        let window = try home.openWindow(while: caller)
        try window.waitForLibrary("3 photos")
        window.press(.escape)
        #expect(try home.answer(of: caller, after: window) == "(1, {})", "\(path)")
      }
    }

    @Test func `Unsupported requests go to another file chooser, which D-Bus starts`() throws {
      let home = try PortalHome(hasBackend: true)
      let documents = "{'filters': <[('PDF', [(uint32 0, '*.pdf')])]>}"
      for (method, options, answer) in [
        ("SaveFile", "{'current_name': <'a'>}", "SaveFile app Upload current_name"),
        ("OpenFile", documents, "OpenFile app Upload filters"),
        ("OpenFile", "{'directory': <true>}", "OpenFile app Upload directory"),
      ] {
        let caller = try home.call(method, options)
        #expect(try home.answer(of: caller) == "(0, {'uris': <['file:///\(answer)']>})")
      }
      let caller = try home.call("SaveFiles")
      try caller.waitUntil("the other file chooser") { _ in
        FileManager.default.fileExists(atPath: "\(home.path)/waiting")
      }
      caller.feed("close\n")
      #expect(try home.answer(of: caller) == "(1, {})")
      let bystander = try home.call("OpenFile")
      try bystander.waitUntil("the other one to be closed") { _ in
        (try? home.folder.bytes(of: "closed")) == Array("/r/1".utf8)
      }
    }

    @Test func `Requests for any file go to another one if the settings say so`() throws {
      let home = try PortalHome(hasBackend: true)
      let recipe = try home.start("", after: Recipes.text("Upload from a browser", 1))
      try recipe.expectExit(.exited(0))
      let documents = try home.call("OpenFile")
      #expect(try home.answer(of: documents) == "(0, {'uris': <['file:///OpenFile app Upload']>})")
      let photos = try home.call("OpenFile", "{'filters': <[('JPEG', [(uint32 0, '*.jpg')])]>}")
      let window = try home.openWindow(while: photos)
      try window.waitForLibrary("3 photos")
      window.press(.escape)
      #expect(try home.answer(of: photos, after: window) == "(1, {})")
    }

    @Test func `Without another file chooser paths are typed`() throws {
      let home = try PortalHome()
      try home.folder.makeFolder("Downloads")
      let first = try home.call("SaveFile", "{'current_name': <'../a b.txt'>}")
      let window = try home.openWindow(while: first)
      try window.waitForText("Folder [\(home.path)/Downloads]:")
      window.send("~/gone\n")
      try window.waitForText("there is no such folder")
      window.send("~/Pictures\n")
      try window.waitForText("Name [a b.txt]:")
      window.send("1.jpg\n")
      try window.waitForText("Replace it? y/n [n]:")
      window.send("\n")
      try window.waitUntil("the name again") { $0.text.ranges(of: "Name [a b.txt]:").count == 2 }
      window.send("\n")
      #expect(
        try home.answer(of: first, after: window)
          == "(0, {'uris': <['file://\(home.path)/Pictures/a%20b.txt']>})")

      let second = try home.call(
        "SaveFiles",
        "{'current_folder': <b'\(home.path)/Pictures'>, 'files': <[b'1.jpg', b'1.jpg', b'new']>}")
      let several = try home.openWindow(while: second)
      try several.waitForText("Folder [\(home.path)/Pictures]:")
      several.send("\n")
      let names = ["1%20%282%29.jpg", "1%20%283%29.jpg", "new"]
      #expect(
        try home.answer(of: second, after: several)
          == "(0, {'uris': <[\(names.map { "'file://\(home.path)/Pictures/\($0)'" }.joined(separator: ", "))]>})"
      )

      let third = try home.call("OpenFile", "{'directory': <true>}")
      let cancelled = try home.openWindow(while: third)
      try cancelled.waitForText("Folder [")
      cancelled.pressControl("c")
      #expect(try home.answer(of: third, after: cancelled) == "(1, {})")
    }

    @Test func `A terminal that does not start, or is missing, is an error`() throws {
      for terminal in ["/nonexistent/terminal", "false", "'"] {
        let home = try PortalHome(terminal: terminal)
        let caller = try home.call("OpenFile")
        // "false" counts as one whose process may end while its window stays, but not with this status.
        #expect(try home.answer(of: caller) == "(2, {})", "\(terminal)")
        #expect(eventually { home.requestFolders.isEmpty })
      }
    }

    @Test func `It ends when idle, and D-Bus starts it again`() throws {
      let home = try PortalHome(idle: 0)
      for _ in 1...3 {
        let caller = try home.call("OpenFile")
        let window = try home.openWindow(while: caller)
        try window.waitForLibrary("3 photos")
        window.press(.escape)
        #expect(try home.answer(of: caller, after: window) == "(1, {})")
      }
    }
  }
}
