import System

/// What a process has of memory, as the kernel says (proc(5), statm).
struct ProcessMemory: Hashable, Sendable {
  /// Bytes of addresses.
  var addresses = 0
  /// Bytes of memory.
  var resident = 0

  /// That of a process; nothing where it is gone.
  init(of process: pid_t) {
    let file = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = max(0, read(file, &text, text.count))
    let words = String(decoding: text[..<count], as: UTF8.self).split(separator: " ")
    guard words.count >= 2, let addresses = Int(words[0]), let resident = Int(words[1]) else { return }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    (self.addresses, self.resident) = (addresses * page, resident * page)
  }

  /// That of the machine in bytes; 0 where it is not known.
  static var ofMachine: Int {
    let (pages, size) = (Int(sysconf(Int32(_SC_PHYS_PAGES))), Int(sysconf(Int32(_SC_PAGESIZE))))
    return max(0, pages) * max(0, size)
  }
}
