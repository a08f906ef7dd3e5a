import Fixtures
import Foundation
import Glibc
import TestTerminal

/// A separate desktop: a home with three photos, a session bus, xdg-desktop-portal, and tpick's backend as installed by
/// `Tests/Tools/install`.
///
/// Unless a display is given the test acts as the terminal: it gets the command, and runs it where it wants.
final class PortalHome {
  let folder: TemporaryFolder
  private(set) var environment: [String: String]
  private var bus: Server?

  var path: String { folder.path }
  func photo(_ number: Int) -> String { "file://\(path)/Pictures/\(number).jpg" }

  /// - Parameters:
  ///   - terminal: The value of `TPICK_TERMINAL`.
  ///   - hasBackend: Whether there is another file chooser.
  ///   - idle: The seconds after which an idle tpick-portal ends.
  init(terminal: String? = nil, display: String? = nil, hasBackend: Bool = false, idle: Int = 60) throws {
    folder = try TemporaryFolder()
    let path = folder.path
    for number in 1...3 {
      let photo = TestPhoto(TestPicture.make(width: 160, height: 120), date: .day(28 - number, month: 6))
      try folder.write(try photo.bytes(), to: "Pictures/\(number).jpg")
    }
    for name in ["run", "windows", ".config"] { try folder.makeFolder(name) }
    try folder.setPermissions(0o700, of: "run")
    try folder.write(
      Array(
        "#!/bin/sh\nfor word; do printf '%s\\0' \"$word\"; done > \"$0.$$\"\nmv \"$0.$$\" \"${0%/*}/windows/$$\"\n"
          .utf8),
      to: "terminal")
    try folder.setPermissions(0o755, of: "terminal")
    let own = ProcessInfo.processInfo.environment
    environment = try Program.environment([
      "HOME": path, "PATH": own["PATH"] ?? "/usr/bin:/bin", "LANG": "C.UTF-8",
      "XDG_RUNTIME_DIR": "\(path)/run", "XDG_CONFIG_HOME": "\(path)/.config",
      "XDG_CACHE_HOME": "\(path)/.cache", "XDG_DATA_HOME": "\(path)/.local/share",
      "XDG_DESKTOP_PORTAL_DIR": "\(path)/.local/share/tpick/portals",
      "TPICK_CODECS": Program.sibling("tpick-codecs"), "TPICK_TERMINAL": terminal ?? "\(path)/terminal",
      "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
    ])
    for name in ["TPICK_MUTATION", "LD_LIBRARY_PATH"] { environment[name] = own[name] }
    if let display { environment["DISPLAY"] = display }
    try install(idle: idle)
    if hasBackend {
      try folder.write(Array(PortalPrograms.backend.utf8), to: "backend.py")
      try writeService("org.freedesktop.impl.portal.desktop.gtk", "/usr/bin/python3 \(path)/backend.py")
    }
    try startBus()
  }

  deinit { bus?.end() }

  private func install(idle: Int) throws {
    let tool = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Tools/install").standardizedFileURL.path
    // D-Bus starts it with an option through an intermediate program.
    try folder.write(
      Array("#!/bin/sh\nexec \(Program.sibling("tpick-portal")) --idle \(idle)\n".utf8), to: "portal")
    try folder.setPermissions(0o755, of: "portal")
    try folder.run(
      "env", "XDG_DESKTOP_PORTAL_SYSTEM_DIR=\(path)", tool, "--prefix", "\(path)/.local", "--portal",
      "--program",
      "\(path)/portal")
    try writeService("org.freedesktop.portal.Desktop", "/usr/libexec/xdg-desktop-portal")
  }

  private func writeService(_ name: String, _ program: String) throws {
    try folder.write(
      Array("[D-BUS Service]\nName=\(name)\nExec=\(program)\n".utf8),
      to: ".local/share/dbus-1/services/\(name).service")
  }

  private func startBus() throws {
    let settings = """
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(path)/bus</listen>
        <servicedir>\(path)/.local/share/dbus-1/services</servicedir>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
        </policy>
      </busconfig>
      """
    try folder.write(Array(settings.utf8), to: "bus.conf")
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(path)/bus"
    bus = try Server(
      ["dbus-daemon", "--config-file=\(path)/bus.conf", "--print-address", "--nofork"],
      environment: environment)
  }

  // MARK: Programs

  /// A Python program whose output lines can be waited for.
  /// - Parameter recipe: Shell commands to run first.
  func start(
    _ program: String, _ arguments: [String] = [], after recipe: String = ""
  ) throws -> TerminalSession {
    try TerminalSession(
      "/bin/sh",
      ["-c", "\(recipe)exec /usr/bin/python3 -c \"$@\"", "sh", program] + arguments, environment: environment,
      workingDirectory: path, standardInput: .open, owning: [folder])
  }

  /// Calls tpick's backend.
  /// - Parameter options: In GVariant's text format.
  func call(_ method: String, _ options: String = "{}", handle: String = "/r/1") throws -> TerminalSession {
    try start(PortalPrograms.caller, [method, handle, options])
  }

  /// Runs the command that the backend wants to run in a window, in a terminal of the test.
  func openWindow(while caller: TerminalSession) throws -> TerminalSession {
    var words: [[UInt8]] = []
    try caller.waitUntil("a window") { _ in
      guard let name = try FileManager.default.contentsOfDirectory(atPath: "\(path)/windows").first else {
        return false
      }
      words = try folder.bytes(of: "windows/\(name)").dropLast().split(
        separator: 0, omittingEmptySubsequences: false
      ).map { Array($0) }
      folder.remove("windows/\(name)")
      return true
    }
    return try TerminalSession(
      String(decoding: words[0], as: UTF8.self), rawArguments: Array(words[1...]), environment: environment,
      columns: 120, rows: 40, profile: .trueColor, standardOutput: .terminal, standardError: .terminal,
      owning: [folder])
  }

  /// Whether a window was requested that is not open yet.
  var hasWindow: Bool {
    !((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/windows")) ?? []).isEmpty
  }

  /// The output of a caller, once it has ended.
  /// - Parameter window: The window with the answer, which ends first.
  func answer(of caller: TerminalSession, after window: TerminalSession? = nil) throws -> String {
    try window?.waitForExit()
    try caller.waitForExit()
    return String(decoding: caller.standardOutputBytes, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The folders of open requests; that of an answered one goes after the answer.
  var requestFolders: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/run/tpick-portal")) ?? []
  }

  /// The requirements of the file chooser tests.
  static let isPossible = hasBindings("Gio") && Recipes.has("dbus-daemon")

  static let hasPortal =
    isPossible && hasBindings("Gtk") && Recipes.has("Xvfb")
    && access("/usr/libexec/xdg-desktop-portal", X_OK) == 0

  /// Whether Qt programs can be made to use the portal.
  static let hasQtTheme =
    (try? Consumer.run([
      "sh", "-c", "ls /usr/lib/*/qt5/plugins/platformthemes/libqxdgdesktopportal.so",
    ])) != nil

  private static func hasBindings(_ module: String) -> Bool {
    (try? Consumer.run(["/usr/bin/python3", "-W", "ignore", "-c", "from gi.repository import \(module)"]))
      != nil
  }
}
