import Fixtures
import Synchronization
import SystemPackage

@testable import FolderLibrary

/// A simulated mount whose paths stop and resume answering on a test's command.
final class DeadDisk: Sendable {
  /// Answers at once or never.
  private final class DiskProbe: Probe {
    private let disk: DeadDisk
    private let path = Mutex<FilePath?>(nil)

    init(_ disk: DeadDisk) { self.disk = disk }

    func ask(_ question: ProbeQuestion, about path: FilePath) -> Bool {
      if disk.state.withLock({ $0.killsProbes }) { return false }
      let hook = disk.state.withLock { state in
        state.asked.append(path)
        return state.hook
      }
      hook?(path)
      self.path.withLock { $0 = path }
      return true
    }

    func wait(for time: Duration) -> ProbeOutcome {
      path.withLock { path in path.map(disk.isDead) ?? false } ? .silent : .answered
    }
  }

  private struct State {
    var dead: Set<FilePath> = []
    var asked: [FilePath] = []
    var probes = 0
    var killsProbes = false
    var hook: (@Sendable (FilePath) -> Void)?
  }

  private let state = Mutex(State())
  private let mount: FilePath

  /// - Parameter mount: The simulated mount point.
  init(at mount: FilePath) {
    self.mount = mount.resolved ?? mount
  }

  func setDead(_ paths: [FilePath]) { state.withLock { $0.dead = Set(paths) } }
  /// Runs a hook during each probe of a path.
  func whileAsking(_ hook: @escaping @Sendable (FilePath) -> Void) { state.withLock { $0.hook = hook } }
  func killProbes(_ kills: Bool) { state.withLock { $0.killsProbes = kills } }

  /// Returns the paths probed since the last call.
  func takeAsked() -> [FilePath] {
    state.withLock { state in
      defer { state.asked = [] }
      return state.asked
    }
  }
  var probeCount: Int { state.withLock { $0.probes } }

  private func isDead(_ path: FilePath) -> Bool {
    // Everything below a folder that does not answer does not answer either.
    state.withLock { state in state.dead.contains { path.starts(with: $0) } }
  }

  /// Probes that consider only this disk.
  var probes: MountProbes {
    let line = "36 35 0:50 / \(mount.string) rw,nosuid - fuse.sshfs nas:/ rw\n"
    return MountProbes(
      readTable: { MountTable(mountInfo: Array(line.utf8)) },
      start: {
        self.state.withLock { $0.probes += 1 }
        return DiskProbe(self)
      })
  }
}
