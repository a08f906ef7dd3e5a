package import AssetLibrary
import Synchronization
package import SystemPackage

/// Checks whether files and folders on unreliable mounts respond, before this process accesses them.
///
/// A thread that is blocked by a dead file system can't be stopped, and a process can't exit before its
/// threads do. Probe processes therefore make such calls first. Paths on other mounts cost only a lookup in
/// the mount table. Any thread may call; calls block until the result is known.
package final class MountProbes: Sendable {
  /// A request that was not answered in time.
  private struct Stuck {
    var mount: MountTable.Mount
    var path: FilePath
    var probe: any Probe
    var asked: ContinuousClock.Instant
  }

  private struct State {
    var table: MountTable
    /// Resolved paths of folders on reliable mounts, by their spelling; most paths share their folder with
    /// others.
    var folders: [ArraySlice<UInt8>: [UInt8]] = [:]
    var idle: [any Probe] = []
    var stuck: [Stuck] = []
  }

  /// How to handle a path.
  private enum Turn {
    case ask((any Probe)?, patience: Duration)
    case wait(Stuck, patience: Duration)
    case silent
  }

  /// The mounts and probes of this process.
  package static let shared = MountProbes()

  /// Longer than a sleeping disk takes to wake up.
  static let usualPatience: Duration = .seconds(10)
  /// The timeout of callers that only decide what to read first.
  package static let shortPatience: Duration = .seconds(1)
  /// The maximum number of blocked requests per mount; no further ones are sent while it is reached.
  static let mostStuckOnMount = 8
  /// The maximum number of blocked requests on all mounts.
  private static let mostStuck = 32

  private let patience: Duration
  private let readTable: @Sendable () -> MountTable
  private let start: @Sendable () -> (any Probe)?
  private let state: Mutex<State>

  /// - Parameters:
  ///   - patience: the timeout; a fifth of it applies while another request is blocked on the mount.
  ///   - readTable: reads the current mounts.
  ///   - start: starts a probe; nil if that fails.
  init(
    patience: Duration = usualPatience, readTable: @escaping @Sendable () -> MountTable = MountTable.current,
    start: @escaping @Sendable () -> (any Probe)? = { ProbeProcess() }
  ) {
    self.patience = patience
    self.readTable = readTable
    self.start = start
    state = Mutex(State(table: readTable()))
  }

  /// Reads the mount table again.
  func refresh() {
    let table = readTable()
    state.withLock { ($0.table, $0.folders) = (table, [:]) }
  }

  /// The maximum number of cached folders.
  private static let mostFolders = 512

  /// Returns the unreliable mount that a path is on; nil = none.
  func mount(of path: FilePath) -> MountTable.Mount? {
    let table = state.withLock { $0.table }
    if table.isEmpty { return nil }
    let bytes = path.bytes
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let (folder, name) = (bytes[..<(slash ?? 0)], bytes[(slash.map { $0 + 1 } ?? 0)...])
    // "/" needs no lookup, and "." and ".." are not names.
    guard slash != 0, let first = name.first, first != UInt8(ascii: ".") else { return table.mount(of: path) }
    switch resolution(ofFolder: folder, table) {
    case .mount(let mount): return mount
    case .path(nil): return nil
    case .path(let resolved?):
      return (table.resolution(of: name, in: resolved) ?? table.resolution(of: path)).mount
    }
  }

  /// Resolves a folder, starting from its parent if that is cached.
  ///
  /// Without this, a walk of a deep tree would examine every component of each folder's path again.
  private func resolution(ofFolder folder: ArraySlice<UInt8>, _ table: MountTable) -> MountTable.Resolution {
    if let known = state.withLock({ $0.folders[folder] }) { return .path(known) }
    let slash = folder.lastIndex(of: UInt8(ascii: "/"))
    let name = folder[(slash.map { $0 + 1 } ?? folder.startIndex)...]
    let around = folder[..<(slash ?? folder.startIndex)]
    var found: MountTable.Resolution?
    if let slash, slash > folder.startIndex, let first = name.first, first != UInt8(ascii: "."),
      let known = state.withLock({ $0.folders[around] })
    {
      found = table.resolution(of: name, in: known)
    }
    let resolution =
      found ?? table.resolution(of: folder.isEmpty ? FilePath(".") : FilePath(bytes: folder))
    if case .path(let path?) = resolution {
      state.withLock { state in
        if state.folders.count >= Self.mostFolders { state.folders = [:] }
        state.folders[folder] = path
      }
    }
    return resolution
  }

  /// Whether a path may be accessed: it responds, or is not on an unreliable mount.
  /// - Parameter time: the timeout, counted from the first request about the path; nil = the default.
  package func answers(_ path: FilePath, within time: Duration? = nil) -> Bool {
    mount(of: path).map { answers(path, on: $0, .content, within: time) } ?? true
  }

  /// - Throws: a transient `AssetError` if the path does not respond.
  package func check(_ path: FilePath) throws(AssetError) {
    if !answers(path) { throw Self.silence(of: path) }
  }

  /// Checks whether a path responds that is to be written to; the file or folder need not exist.
  /// - Parameter isCancelled: called often while waiting.
  /// - Throws: a transient `AssetError` if the path does not respond or the check is cancelled.
  package func checkWriting(
    _ path: FilePath, isCancelled: () -> Bool = { false }
  ) throws(AssetError) {
    guard let mount = mount(of: path) else { return }
    var time = Self.cancellationInterval
    while !answers(path, on: mount, .room, within: min(time, patience)) {
      if time >= patience || isCancelled() { throw Self.silence(of: path) }
      time += Self.cancellationInterval
    }
  }

  private static let cancellationInterval: Duration = .milliseconds(100)

  /// - Parameter mount: the mount of the path; nil = not on an unreliable mount.
  /// - Throws: a transient `AssetError` if the path does not respond.
  func check(
    _ path: @autoclosure () -> FilePath, on mount: MountTable.Mount?, _ question: ProbeQuestion = .content
  ) throws(AssetError) {
    guard let mount else { return }
    let path = path()
    if !answers(path, on: mount, question) { throw Self.silence(of: path) }
  }

  static func silence(of path: FilePath) -> AssetError {
    AssetError(path.displayString, "does not answer", isTransient: true)
  }

  private func answers(
    _ path: FilePath, on mount: MountTable.Mount, _ question: ProbeQuestion, within time: Duration? = nil
  ) -> Bool {
    switch turn(of: path, on: mount, within: time) {
    case .silent: return false
    case .wait(let stuck, let patience): return wait(for: stuck, patience)
    case .ask(let idle, let patience):
      guard let probe = idle ?? start() else { return true }
      let asked = ContinuousClock.now
      if probe.ask(question, about: path) {
        return wait(for: Stuck(mount: mount, path: path, probe: probe, asked: asked), patience)
      }
      // A probe that was killed from outside tells nothing about the path.
      return idle == nil ? true : answers(path, on: mount, question, within: time)
    }
  }

  private func turn(of path: FilePath, on mount: MountTable.Mount, within time: Duration?) -> Turn {
    state.withLock { state in
      for index in state.stuck.indices.reversed() {
        switch state.stuck[index].probe.wait(for: .zero) {
        case .silent: continue
        case .answered: state.idle.append(state.stuck.remove(at: index).probe)
        case .gone: state.stuck.remove(at: index)
        }
      }
      let stuck = state.stuck.count { $0.mount == mount }
      if let index = state.stuck.firstIndex(where: { $0.path == path }) {
        let left = (time ?? patience) - state.stuck[index].asked.duration(to: .now)
        return left > .zero ? .wait(state.stuck.remove(at: index), patience: left) : .silent
      }
      if stuck >= Self.mostStuckOnMount || state.stuck.count >= Self.mostStuck { return .silent }
      return .ask(state.idle.popLast(), patience: time ?? (stuck > 0 ? patience / 5 : patience))
    }
  }

  private func wait(for question: Stuck, _ patience: Duration) -> Bool {
    switch question.probe.wait(for: patience) {
    case .answered:
      state.withLock { $0.idle.append(question.probe) }
      return true
    case .gone: return true
    case .silent:
      state.withLock { $0.stuck.append(question) }
      return false
    }
  }
}
