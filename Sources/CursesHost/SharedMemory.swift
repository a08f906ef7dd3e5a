import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// Pictures handed to a terminal on the same machine through shared memory (POSIX `shm_open`).
///
/// The terminal removes an object when it has read it; what it left is removed in the end. Safe from several
/// threads.
final class SharedMemory: Sendable {
  private let names = Mutex<(all: Set<String>, count: Int)>(([], 0))

  /// Puts bytes into a new object that only this user can open.
  /// - Returns: its name; nil when there is no room or no such memory.
  func share(_ bytes: [UInt8]) -> String? {
    let name = names.withLock { names in
      names.count += 1
      return "/tpick-\(getpid())-\(names.count)-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
    }
    let descriptor = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Space that is not there would end the process with SIGBUS through a mapping; a write says so.
    var done = 0
    while done < bytes.count {
      let n = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      if n > 0 {
        done += n
      } else if errno != EINTR {
        shm_unlink(name)
        return nil
      }
    }
    names.withLock { names in
      names.all.insert(name)
      // Most are gone by now: the terminal has read them.
      if names.all.count > 256 { names.all = names.all.filter(Self.exists) }
    }
    return name
  }

  /// Removes what no terminal has taken.
  func removeAll() {
    let left = names.withLock { names in
      defer { names.all = [] }
      return names.all
    }
    for name in left { shm_unlink(name) }
  }

  private static func exists(_ name: String) -> Bool {
    let descriptor = shm_open(name, O_RDONLY, 0)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }
}
