import Synchronization
import System

/// Pictures handed to a terminal on the same machine, through shared memory (POSIX `shm_open`) or files.
///
/// The terminal removes what it has read; what it left is removed in the end. Safe from several threads.
package final class PixelHandover: Sendable {
  /// Where the pixels are put.
  package enum Medium: Hashable, Sendable {
    case sharedMemory
    /// Where every terminal takes a file for a temporary one.
    case temporaryFiles
  }

  private let medium: Medium
  private let names = Mutex<(all: Set<String>, count: Int)>(([], 0))

  package init(_ medium: Medium = .sharedMemory) {
    self.medium = medium
  }

  /// Puts bytes into something new that only this user can open.
  /// - Returns: where it is; nil when there is no room or no such place.
  package func hand(_ bytes: [UInt8]) -> KittyHandover? {
    let name = names.withLock { names in
      names.count += 1
      let tail = "\(getpid())-\(names.count)-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
      return medium == .sharedMemory ? "/tpick-\(tail)" : "/tmp/tpick-tty-graphics-protocol-\(tail)"
    }
    let descriptor = make(name)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Space that is not there would end the process with SIGBUS through a mapping; a write says so.
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

  /// Removes what no terminal has taken.
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
  /// What to hand kitty's pictures over with, where it reads handovers.
  package var handover: PixelHandover.Medium {
    hasKittyTemporaryFiles && !hasKittySharedMemory ? .temporaryFiles : .sharedMemory
  }
}
