import Testing

@testable import Sandbox

/// The arguments for bubblewrap.
@Suite struct SandboxViewTests {
  private static func text(_ view: SandboxView) -> [String] {
    view.arguments.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func view() -> SandboxView {
    SandboxView(photos: Array("/stage/photos".utf8), session: Array("/stage/session".utf8))
  }

  /// The destinations of all bind mounts, each with its option and source.
  private static func bindings(_ words: [String]) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for index in words.indices where words[index].contains("bind") {
      found[words[index + 2]] = [words[index], words[index + 1]]
    }
    return found
  }

  @Test func `Every namespace is the sandbox's own, and nothing of the caller's remains`() {
    let words = Self.text(Self.view())
    for option in [
      "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--clearenv",
    ] {
      #expect(words.contains(option), "\(option)")
    }
    #expect(!words.contains("--share-net") && !words.contains("--new-session"))
    #expect(words.firstRange(of: ["--cap-drop", "ALL"]) != nil)
    #expect(words.firstRange(of: ["--chdir", "/home/user"]) != nil)
  }

  @Test func `Photos are in one folder, each as its file, and only the results folder is writable`() {
    var view = Self.view()
    view.granted = [SandboxView.Binding("/home/me/secret name/a.jpg", at: "/photos/a.jpg")]
    view.writable = Array("/home/me/out".utf8)
    let bound = Self.bindings(Self.text(view))
    #expect(bound["/photos"] == ["--ro-bind", "/stage/photos"])
    #expect(bound["/photos/a.jpg"] == ["--ro-bind", "/home/me/secret name/a.jpg"])
    #expect(bound["/results"] == ["--bind", "/home/me/out"])
    #expect(bound.values.filter { $0[0] == "--bind" }.count == 1)
    #expect(bound["/etc/passwd"] == ["--ro-bind", "/stage/session/passwd"])
  }

  @Test func `Of the machine only programs and a few settings are visible`() {
    var view = Self.view()
    view.system = [.link("/bin", target: Array("usr/bin".utf8)), .folder("/lib32")]
    view.programs = [SandboxView.Binding("/home/me/bin/tpick", at: "/tpick/bin/tpick")]
    let words = Self.text(view)
    let places = Self.bindings(words).keys.filter { !$0.hasPrefix("/etc/") && !$0.hasPrefix("/proc/") }
    #expect(places.sorted() == ["/lib32", "/photos", "/tpick/bin/tpick", "/tpick/session", "/usr"])
    #expect(Self.bindings(words)["/tpick/bin/tpick"] == ["--ro-bind", "/home/me/bin/tpick"])
    // Temporary files have room, under both of their names.
    #expect(words.firstRange(of: ["--perms", "1777", "--tmpfs", "/tmp"]) != nil)
    #expect(words.firstRange(of: ["--symlink", "../tmp", "/var/tmp"]) != nil)
    #expect(words.firstRange(of: ["--symlink", "usr/bin", "/bin"]) != nil)
    let settings = Self.bindings(words).keys.filter { $0.hasPrefix("/etc/") }
    #expect(!settings.contains { $0.contains("shadow") || $0.contains("ssh") || $0 == "/etc/hosts" })
  }

  @Test func `The kernel's settings become read-only after /proc is mounted, and the root at the end`() throws
  {
    let words = Self.text(Self.view())
    let proc = try #require(words.firstRange(of: ["--proc", "/proc"])).lowerBound
    let settings = try #require(words.firstRange(of: ["--ro-bind-try", "/proc/sys", "/proc/sys"])).lowerBound
    let root = try #require(words.firstRange(of: ["--remount-ro", "/"])).lowerBound
    #expect(proc < settings && settings < root)
    #expect(words.lastIndex { $0.contains("bind") || $0 == "--tmpfs" }.map { $0 < root } ?? false)
  }

  @Test func `A network comes only with what name resolution needs`() {
    var view = Self.view()
    view.hasNetwork = true
    let words = Self.text(view)
    #expect(words.contains("--share-net"))
    #expect(Self.bindings(words)["/etc/resolv.conf"] != nil && Self.bindings(words)["/etc/ssl/certs"] != nil)
    #expect(Self.bindings(Self.text(Self.view()))["/etc/resolv.conf"] == nil)
  }

  @Test func `The maximum number of files fits into bubblewrap's arguments`() {
    var view = Self.view()
    view.hasNetwork = true
    view.granted = (0..<SandboxView.maximumGranted).map {
      SandboxView.Binding("/p/\($0).jpg", at: "/photos/\($0).jpg")
    }
    view.environment = (0..<60).map { SandboxEnvironment.Variable("LC_\($0)", "C") }
    view.programs = (0..<40).map { SandboxView.Binding("/opt/\($0)", at: "/tpick/bin/\($0)") }
    // MAX_ARGS of bubblewrap.
    #expect(view.arguments.count < 9000)
  }
}
