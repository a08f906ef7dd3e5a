import Synchronization
import System

/// Passes pictures to a terminal on the same machine through shared memory (POSIX `shm_open`) or files.
///
/// The terminal removes what it has read; the rest is removed by `removeAll`. Safe to use from several threads.
package final class PixelHandover: Sendable {
  /// Where the pixels are stored.
  package enum Medium: Hashable, Sendable {
    case sharedMemory
    /// In a folder whose files every terminal accepts as temporary.
    case temporaryFiles
  }

  private let medium: Medium
  private let names = Mutex<(all: Set<String>, count: Int)>(([], 0))

  package init(_ medium: Medium = .sharedMemory) {
    self.medium = medium
  }

  /// Stores bytes in a new object that only this user can open.
  /// - Returns: its location; nil if there is no room or no such location.
  package func share(_ bytes: [UInt8]) -> KittyHandover? {
    let name = names.withLock { names in
      names.count += 1
      let tail = "\(getpid())-\(names.count)-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
      return medium == .sharedMemory ? "/tpick-\(tail)" : "/tmp/tpick-tty-graphics-protocol-\(tail)"
    }
    let descriptor = make(name)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Writing to a mapping without space would kill the process with SIGBUS; a write reports the error.
    guard DescriptorWriter(descriptor).write(bytes) == .written else {
      remove(name)
      return nil
    }
    names.withLock { names in
      names.all.insert(name)
      // Most are gone by now: the terminal has read them.
      if names.all.count > 256 { names.all = names.all.filter(exists) }
    }
    return medium == .sharedMemory ? .sharedMemory(name) : .temporaryFile(name)
  }

  /// Removes everything that no terminal has read.
  package func removeAll() {
    let left = names.withLock { names in
      defer { names.all = [] }
      return names.all
    }
    for name in left { remove(name) }
  }

  private func make(_ name: String) -> Int32 {
    medium == .sharedMemory
      ? shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0o600)
      : open(name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
  }

  private func remove(_ name: String) {
    _ = medium == .sharedMemory ? shm_unlink(name) : unlink(name)
  }

  private func exists(_ name: String) -> Bool {
    guard medium == .sharedMemory else { return access(name, F_OK) == 0 }
    let descriptor = shm_open(name, O_RDONLY, 0)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }
}

extension TerminalCapabilities {
  /// The medium for kitty pictures, if the terminal can read any.
  package var handover: PixelHandover.Medium {
    hasKittyTemporaryFiles && !hasKittySharedMemory ? .temporaryFiles : .sharedMemory
  }
}
