import Fixtures
import Foundation
import TestTerminal

/// Photos in a folder, and tpick's files for a sandbox, separate from other tests.
struct SandboxFolder {
  let folder: TemporaryFolder
  var path: String { folder.path }
  var photos: String { "\(path)/library/trip" }

  /// Whether users may create namespaces here; without them there are no sandboxes to test.
  static let hasNamespaces: Bool = {
    let limits = [
      "user/max_user_namespaces": "0", "kernel/unprivileged_userns_clone": "0",
      "kernel/apparmor_restrict_unprivileged_userns": "1",
    ]
    return limits.allSatisfy { name, forbidding in
      (try? String(contentsOfFile: "/proc/sys/\(name)", encoding: .utf8))?.hasPrefix("\(forbidding)\n")
        != true
    }
  }()

  static let skipReason = "this machine forbids user namespaces, which sandboxes are made of"

  init(_ names: [String] = ["a.jpg", "b.jpg", "c.jpg"]) throws {
    folder = try TemporaryFolder()
    for (index, name) in names.enumerated() {
      let photo = TestPhoto(width: 40 + index, height: 30, date: .day(28 - index))
      try folder.write(try photo.bytes(), to: "library/trip/\(name)")
    }
  }

  func photo(_ name: String) -> String { "\(photos)/\(name)" }

  func environment(_ more: [String: String] = [:]) -> [String: String] {
    [
      "XDG_CACHE_HOME": "\(path)/cache", "XDG_DATA_HOME": "\(path)/data", "TPICK_TEST_SECRET": "secret",
    ].merging(more) { $1 }
  }

  /// Runs a command that is granted some photos, without a screen.
  func run(
    _ command: [String], _ options: [String] = [], granting names: [String] = ["a.jpg"],
    environment more: [String: String] = [:]
  ) throws -> Program.Output {
    try Program.run(arguments(options, granting: names, command), environment: environment(more))
  }

  func arguments(_ options: [String], granting names: [String], _ command: [String]) -> [String] {
    ["run", "--authorize", "limited"] + names.flatMap { ["--allow", photo($0)] } + options + [photos, "--"]
      + command
  }

  /// Runs a shell script inside.
  func script(
    _ script: String, _ options: [String] = [], granting names: [String] = ["a.jpg"]
  ) throws
    -> Program.Output
  {
    try run(["sh", "-c", script, "sh", "{}"], options, granting: names)
  }

  /// Leftovers of sandboxes.
  var stages: [String] {
    let found = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/cache/tpick/sandbox")) ?? []
    return found.filter { $0 != ".lock" }
  }
}
