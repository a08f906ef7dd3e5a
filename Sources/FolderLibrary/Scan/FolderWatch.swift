import AssetLibrary
// Dispatch sources may be used from any thread (dispatch_source_create(3)), but the module is not annotated
// accordingly.
@preconcurrency import Dispatch
import Synchronization
import SystemPackage
import System

/// Watches folders with inotify(7) and reports changes a moment after the last event.
final class FolderWatch: Sendable {
  /// The reported changes.
  enum News: Sendable {
    /// Something changed in these folders.
    case folders(Set<Int>)
    /// The event queue has overflowed: anything may have changed.
    case everything
  }

  /// The changes since the last report.
  struct State {
    var folders: [Int32: Int] = [:]
    /// Further folder numbers for the same watch: a folder may briefly be found in a new place while it is
    /// still known in the old one.
    var others: [Int32: Set<Int>] = [:]
    /// Watches with events that arrived before the watch's folder was recorded.
    var unknown: Set<Int32> = []
    var changed: Set<Int> = []
    var hasOverflowed = false
    var isScheduled = false
    var isFull = false
  }

  struct Settings: Sendable {
    /// Events come in bursts (a copy, an unpacked archive), which are reported together.
    var patience = DispatchTimeInterval.milliseconds(150)
    /// The maximum number of watched folders, if lower than the system's limit.
    var limit = Int.max
  }

  private let settings: Settings
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "tpick.watch")
  private let source: any DispatchSourceRead
  private let state = Mutex(State())
  private let handler = Mutex<(@Sendable (News) -> Void)?>(nil)

  /// Returns nil if the system can't create a watch.
  init?(_ settings: Settings = Settings()) {
    self.settings = settings
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    let descriptor = descriptor
    source.setEventHandler { [weak self] in self?.read() }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit {
    source.cancel()
  }

  /// Starts reporting changes to `handler`, on the watch's own queue.
  func start(_ handler: @escaping @Sendable (News) -> Void) {
    // On the queue, so that nothing is reported before the handler is set.
    queue.async { [self] in
      self.handler.withLock { $0 = handler }
      schedule()
    }
  }

  /// Whether the system refused to watch a folder, whose changes are therefore not reported.
  var isFull: Bool { state.withLock { $0.isFull } }

  /// Watches a folder under a number.
  ///
  /// Watches the opened folder itself, whatever is at its path now; if it has been renamed or removed in the
  /// meantime, that is reported.
  func add(_ opened: OpenFolder, folder: Int) {
    let events =
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF
      | IN_MOVE_SELF
    let isRefused = state.withLock { state in
      // A folder that is already watched may be added again.
      let isRefused = state.folders.count >= settings.limit && !state.folders.values.contains(folder)
      if isRefused { state.isFull = true }
      return isRefused
    }
    if isRefused { return }
    let mask = UInt32(events) | UInt32(IN_ONLYDIR) | UInt32(IN_EXCL_UNLINK)
    var watch = FilePath("/proc/self/fd/\(opened.descriptor)").withPlatformString {
      inotify_add_watch(descriptor, $0, mask)
    }
    if watch < 0, errno == ENOENT {
      // /proc may not be mounted.
      watch = opened.path.withPlatformString { inotify_add_watch(descriptor, $0, mask) }
    }
    let failure = errno
    let isReported = state.withLock { state in
      state.note(watch: watch, failure: failure, folder: folder)
      return state.changed.contains(folder)
    }
    // Schedule the report here: there may be no further event that would do so.
    if isReported { queue.async { [weak self] in self?.schedule() } }
  }

  /// The number under which changes around missing folders are reported.
  static let surroundings = -1

  /// Watches the nearest existing ancestor of a path.
  func addSurroundings(of path: FilePath) {
    var folder = path.removingLastComponent()
    while true {
      if let opened = try? OpenFolder(folder.isEmpty ? "." : folder) {
        return add(opened, folder: Self.surroundings)
      }
      let outer = folder.removingLastComponent()
      if outer == folder { return }
      folder = outer
    }
  }

  /// Reports a folder as if it had changed.
  func report(_ folder: Int) {
    state.withLock { _ = $0.changed.insert(folder) }
    queue.async { [weak self] in self?.schedule() }
  }

  private func read() {
    // An event is at most a header and a name of 255 bytes; the buffer holds many.
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      state.withLock { $0.record(buffer[..<count]) }
    }
    schedule()
  }

  private func schedule() {
    let isDue = state.withLock { state in
      guard !state.isScheduled, state.hasOverflowed || !state.changed.isEmpty else { return false }
      state.isScheduled = true
      return true
    }
    guard isDue else { return }
    queue.asyncAfter(deadline: .now() + settings.patience) { [weak self] in self?.report() }
  }

  private func report() {
    guard let handler = handler.withLock({ $0 }) else {
      // There is no handler yet; `start` schedules the report again.
      state.withLock { $0.isScheduled = false }
      return
    }
    let news: News = state.withLock { state in
      defer {
        state.changed = []
        state.hasOverflowed = false
        state.isScheduled = false
      }
      return state.hasOverflowed ? .everything : .folders(state.changed)
    }
    handler(news)
  }
}

extension FolderWatch.State {
  /// Records the result of inotify_add_watch(2) for a folder: a watch, or a negative number and the error.
  mutating func note(watch: Int32, failure: Int32, folder: Int) {
    if watch >= 0 {
      if let other = folders.updateValue(folder, forKey: watch), other != folder {
        others[watch, default: []].insert(other)
      }
      if unknown.remove(watch) != nil { changed.insert(folder) }
    } else if failure == ENOSPC || failure == ENOMEM {
      isFull = true
    }
  }

  /// Parses events in the format of inotify(7): watch, mask, cookie, length of the name, name.
  mutating func record(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { buffer in
      var place = 0
      while place + 16 <= buffer.count {
        let watch = buffer.loadUnaligned(fromByteOffset: place, as: Int32.self)
        let mask = buffer.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        let length = Int(buffer.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
        place += 16 + length
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOverflowed = true }
        if mask & UInt32(IN_IGNORED) != 0 {
          folders[watch] = nil
          others[watch] = nil
          unknown.remove(watch)
        } else if let folder = folders[watch] {
          changed.insert(folder)
          if let others = others[watch] { changed.formUnion(others) }
        } else if watch >= 0 {
          unknown.insert(watch)
        }
      }
    }
  }
}
