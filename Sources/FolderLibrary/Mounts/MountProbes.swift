package import AssetLibrary
import Synchronization
package import SystemPackage

/// Finds out which files and folders answer, on the mounts that may stop answering, before this process touches them.
///
/// A thread that waits for a dead file system can't be ended, and no process ends before its threads do: such calls are
/// made by probes first. Paths elsewhere cost a look at the list of mounts. Calls may come from any thread and wait for
/// the answer.
package final class MountProbes: Sendable {
  /// A question that was not answered in time.
  private struct Stuck {
    var mount: MountTable.Mount
    var path: FilePath
    var probe: any Probe
    var asked: ContinuousClock.Instant
  }

  private struct State {
    var table: MountTable
    /// Folders on no such mount, as they were spelled, without their links: most paths share theirs with others.
    var folders: [ArraySlice<UInt8>: [UInt8]] = [:]
    var idle: [any Probe] = []
    var stuck: [Stuck] = []
  }

  /// What is to be done about a path.
  private enum Turn {
    case ask((any Probe)?, patience: Duration)
    case wait(Stuck, patience: Duration)
    case silent
  }

  /// The mounts and the probes of this process.
  package static let shared = MountProbes()

  /// Longer than a disk takes that has to wake up.
  static let usualPatience: Duration = .seconds(10)
  /// How long somebody waits who only wants to know what to begin with.
  package static let shortPatience: Duration = .seconds(1)
  /// So many questions may be stuck on one mount; while they are, it is asked nothing else.
  static let mostStuckOnMount = 8
  /// So many on all of them.
  private static let mostStuck = 32

  private let patience: Duration
  private let readTable: @Sendable () -> MountTable
  private let start: @Sendable () -> (any Probe)?
  private let state: Mutex<State>

  /// - Parameters:
  ///   - patience: how long an answer is waited for; a fifth of that while another question is stuck on the mount.
  ///   - readTable: the mounts there are now.
  ///   - start: makes a probe; nil where none can be made.
  init(
    patience: Duration = usualPatience, readTable: @escaping @Sendable () -> MountTable = MountTable.current,
    start: @escaping @Sendable () -> (any Probe)? = { ProbeProcess() }
  ) {
    self.patience = patience
    self.readTable = readTable
    self.start = start
    state = Mutex(State(table: readTable()))
  }

  /// Reads the list of mounts again.
  func refresh() {
    let table = readTable()
    state.withLock { ($0.table, $0.folders) = (table, [:]) }
  }

  /// So many folders are remembered.
  private static let mostFolders = 512

  /// Which mount that may stop answering a path is on; nil = none.
  func mount(of path: FilePath) -> MountTable.Mount? {
    let table = state.withLock { $0.table }
    if table.isEmpty { return nil }
    let bytes = path.bytes
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let (folder, name) = (bytes[..<(slash ?? 0)], bytes[(slash.map { $0 + 1 } ?? 0)...])
    // The folder "/" needs no look, and what begins with dots may be no name.
    guard slash != 0, let first = name.first, first != UInt8(ascii: ".") else { return table.mount(of: path) }
    switch resolution(ofFolder: folder, table) {
    case .mount(let mount): return mount
    case .path(nil): return nil
    case .path(let resolved?):
      return (table.resolution(of: name, in: resolved) ?? table.resolution(of: path)).mount
    }
  }

  /// Where a folder leads, by what is known of the folder around it: a walk goes from folder to folder, and a deep one
  /// would otherwise look at every name on the way to each of its folders again.
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

  /// Whether a path may be touched: it answers, or is nowhere where it might not.
  /// - Parameter time: how long it is waited for since it was first asked; nil = as long as usual.
  package func answers(_ path: FilePath, within time: Duration? = nil) -> Bool {
    mount(of: path).map { answers(path, on: $0, .content, within: time) } ?? true
  }

  /// - Throws: a transient `AssetError` where a path does not answer.
  package func check(_ path: FilePath) throws(AssetError) {
    if !answers(path) { throw Self.silence(of: path) }
  }

  /// Looks whether a path answers that is to be written to: a file or folder, which need not be there yet.
  /// - Parameter isCancelled: asked every moment while nothing answers.
  /// - Throws: a transient `AssetError` where it does not answer, or nothing is waited for any more.
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

  /// - Parameter mount: where the path is, as far as that is known; nil = nowhere where it might not answer.
  /// - Throws: a transient `AssetError` where a path does not answer.
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
      // One that was killed from outside says nothing of the path.
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
