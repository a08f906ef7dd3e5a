import Fixtures
import Foundation
import TestTerminal
import Testing

extension Outputs {
  /// Files installed beside the program: for D-Bus and xdg-desktop-portal, and the wrapper for
  /// xdg-desktop-portal-termfilechooser.
  @Suite struct ChooserInstallationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../..").standardizedFileURL.path

    private static func files(in folder: TemporaryFolder) throws -> [String] {
      try Consumer.run(["find", folder.path, "-type", "f", "-printf", "%P\\n"]).split(separator: 0x0A).map {
        String(decoding: $0, as: UTF8.self)
      }.sorted()
    }

    private static func install(_ folder: TemporaryFolder, _ arguments: String...) throws -> String {
      let tool = [
        "env", "XDG_DESKTOP_PORTAL_SYSTEM_DIR=\(folder.path)/system", "\(root)/Tests/Tools/install",
        "--prefix", "\(folder.path)/pre fix",
      ]
      return String(decoding: try Consumer.run(tool + arguments), as: UTF8.self)
    }

    private static func text(_ name: String, in folder: TemporaryFolder) throws -> String {
      String(decoding: try folder.bytes(of: "pre fix/share/\(name)"), as: UTF8.self)
    }

    @Test func `Files are installed and removed`() throws {
      let folder = try TemporaryFolder()
      let name = "a b|c&d\"e\\f"
      try folder.write([], to: name)
      try folder.setPermissions(0o755, of: name)
      try folder.write(
        Array(
          """
          [portal]
          DBusName=org.freedesktop.impl.portal.desktop.gtk
          Interfaces=org.freedesktop.impl.portal.FileChooser;org.freedesktop.impl.portal.Print;
          UseIn=gnome

          """.utf8), to: "system/portals/gtk.portal")
      try folder.write(
        Array("[preferred]\ndefault=a;b\norg.freedesktop.impl.portal.FileChooser=a\n".utf8),
        to: "system/sway-portals.conf")
      let before = try Self.files(in: folder)
      let said = try Self.install(folder, "--portal", "--program", "\(folder.path)/\(name)")
      #expect(said.contains("org.freedesktop.impl.portal.FileChooser=tpick"))
      #expect(said.contains("XDG_DESKTOP_PORTAL_DIR=\(folder.path)/pre fix/share/tpick/portals"))
      #expect(
        try Self.files(in: folder).filter { $0.hasPrefix("pre fix/") } == [
          "pre fix/bin/tpick-chooser",
          "pre fix/share/dbus-1/services/org.freedesktop.impl.portal.desktop.tpick.service",
          "pre fix/share/systemd/user/tpick-portal.service", "pre fix/share/tpick/manifest",
          "pre fix/share/tpick/portals/gtk.portal", "pre fix/share/tpick/portals/portals.conf",
          "pre fix/share/tpick/portals/sway-portals.conf", "pre fix/share/tpick/portals/tpick.portal",
          "pre fix/share/xdg-desktop-portal/portals/tpick.portal",
        ])
      let word = "\"\(folder.path)/a b|c&d\\\"e\\\\f\""
      #expect(
        try Self.text("dbus-1/services/org.freedesktop.impl.portal.desktop.tpick.service", in: folder)
          .contains(
            "\nExec=\(word)\n"))
      #expect(
        try Self.text("systemd/user/tpick-portal.service", in: folder).contains("\nExecStart=\(word)\n"))
      #expect(
        try Self.text("tpick/portals/gtk.portal", in: folder).contains(
          "\nInterfaces=org.freedesktop.impl.portal.Print;\n"))
      #expect(
        try Self.text("tpick/portals/sway-portals.conf", in: folder)
          == "[preferred]\norg.freedesktop.impl.portal.FileChooser=tpick\ndefault=a;b\n")
      _ = try Self.install(folder, "--remove")
      #expect(try Self.files(in: folder) == before)
    }

    @Test func `Without the program nothing is installed`() throws {
      let folder = try TemporaryFolder()
      #expect(throws: FixtureError.self) {
        try Self.install(folder, "--portal", "--program", "\(folder.path)/tpick-portal")
      }
      #expect(try Self.files(in: folder).isEmpty)
    }

    // MARK: The wrapper

    private func startWrapper(
      _ home: RecipeHome, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> TerminalSession {
      let wrapper = "\(Self.root)/Sources/tpick-portal/Installed/tpick-chooser"
      let words = arguments.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
      return try home.start(
        "exec \(wrapper) \(words.joined(separator: " "))", standardOutput: .terminal,
        environment: ["TERMCMD": "env IN=terminal"].merging(environment) { $1 })
    }

    @Test func `The wrapper writes the picked files`() throws {
      let home = try RecipeHome()
      let name = "a 'b' \"c\" $(d)"
      try home.folder.write(try home.folder.bytes(of: "Pictures/1.jpg"), to: "\(name)/x.jpg")
      for path in ["\(home.path)/\(name)", "\(home.path)/\(name)/some.file"] {
        let session = try startWrapper(home, ["1", "0", "0", path, "\(home.path)/out", "0"])
        try session.waitForText("1 photo ")
        session.press(.enter)
        try session.expectExit(.exited(0))
        #expect(try home.folder.bytes(of: "out") == Array("\(home.path)/\(name)/x.jpg\n".utf8))
        home.folder.remove("out")
      }
      for path in ["", home.path, "\(home.path)/gone/file", "relative"] {
        let session = try startWrapper(home, ["0", "0", "0", path, "\(home.path)/out"])
        try session.waitForLibrary("3 photos")
        session.press(.escape)
        try session.expectExit(.exited(130), "\(path)")
        #expect(throws: (any Error).self) { try home.folder.bytes(of: "out") }
      }
    }

    @Test func `Folders and saving are passed to another program`() throws {
      let home = try RecipeHome()
      try home.folder.write(Array("#!/bin/sh\nprintf '[%s]' \"$@\"\n".utf8), to: "bin/other")
      try home.folder.setPermissions(0o755, of: "bin/other")
      for arguments in [["0", "1", "0", "/a b", "/o", "0"], ["0", "0", "1", "/a b", "/o", "0"]] {
        let session = try startWrapper(
          home, arguments, environment: ["TPICK_CHOOSER_OTHER": "\(home.path)/bin/other"])
        try session.expectExit(.exited(0))
        #expect(session.virtual.text.contains(arguments.map { "[\($0)]" }.joined()))
        let alone = try startWrapper(home, arguments)
        try alone.expectExit(.exited(1))
        #expect(alone.virtual.text.contains("TPICK_CHOOSER_OTHER"))
      }
    }
  }
}
