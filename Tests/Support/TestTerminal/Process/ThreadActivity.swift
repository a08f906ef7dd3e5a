import Glibc

/// The kernel's information about all threads of a program and its child processes: whether all of them wait, and how
/// often each has begun to.
///
/// Threads are examined one after the other. Two consecutive equal snapshots in which all threads wait prove that there
/// was a moment at which they all waited: a thread that ran in between is counted when it stops.
struct ThreadActivity: Equatable {
  /// How often each thread yielded the processor, voluntarily and not, as the kernel reports it.
  private var switches: [Int: String] = [:]
  /// Whether no thread is running, runnable or waiting for a disk; otherwise the state of the others is unknown.
  private(set) var isWaiting = true

  /// Examines a program and its child processes; an ended one has no threads.
  init(of process: Int) {
    look(at: process)
  }

  private mutating func look(at process: Int) {
    let folder = "/proc/\(process)/task"
    for number in Self.numbers(in: folder) where isWaiting {
      note(number, statusIn: "\(folder)/\(number)/status")
      let children = Self.withText(of: "\(folder)/\(number)/children") { String(cString: $0) } ?? ""
      for child in children.split(separator: " ").compactMap({ Int($0) }) { look(at: child) }
    }
  }

  /// A thread that ends meanwhile is missing in the second snapshot, too, or changes it.
  ///
  /// The text is searched by the C library: tests wait for screens thousands of times, with dozens of threads each.
  private mutating func note(_ thread: Int, statusIn path: String) {
    Self.withText(of: path) { text in
      guard let state = strstr(text, "\nState:\t"), let counts = strstr(text, "\nvoluntary_ctxt_switches")
      else { return }
      let letter = UInt8(bitPattern: state[8])
      if letter == UInt8(ascii: "R") || letter == UInt8(ascii: "D") { isWaiting = false }
      switches[thread] = String(cString: counts)
    }
  }

  private static func numbers(in folder: String) -> [Int] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var numbers: [Int] = []
    while let entry = readdir(stream) {
      let number = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        name.baseAddress.map { atoi($0.assumingMemoryBound(to: CChar.self)) } ?? 0
      }
      // The entries "." and ".." are no numbers.
      if number > 0 { numbers.append(Int(number)) }
    }
    return numbers
  }

  /// Passes the contents of a kernel file to a function; nil if there is none.
  private static func withText<Result>(of path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // No thread's status and no list of a program's helpers is longer.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { buffer in
      guard let text = buffer.baseAddress else { return nil }
      var length = 0
      while case let count = read(file, text + length, buffer.count - 1 - length), count > 0 {
        length += count
      }
      text[length] = 0
      return body(text)
    }
  }
}
