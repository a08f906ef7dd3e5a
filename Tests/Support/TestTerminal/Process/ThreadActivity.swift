import Glibc

/// What the kernel tells of all threads of a program and of the programs that it started: whether all of them
/// wait, and how often each has begun to.
///
/// The threads are looked at one after the other. Two looks in a row that are equal, with all threads
/// waiting, say that there was a moment at which they all waited: whoever runs in between is counted when it
/// stops.
struct ThreadActivity: Equatable {
  /// How often each thread gave the processor away, of its own accord and not, as the kernel says it.
  private var switches: [Int: String] = [:]
  /// Whether no thread runs, is about to or waits for a disk; where one does, nothing is known of the others.
  private(set) var isWaiting = true

  /// Looks at a program and at those that it started; one that has ended has no threads.
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

  /// A thread that ends meanwhile is missing in the second look, too, or makes it another one.
  ///
  /// The text is searched by the C library: screens are waited for thousands of times, and each time has dozens of threads.
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
      // The folder itself and the one above it have none.
      if number > 0 { numbers.append(Int(number)) }
    }
    return numbers
  }

  /// Gives what the kernel says in a file to a function; nil where there is none.
  private static func withText<Result>(of path: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // No thread's status and no list of a program's helpers is as long.
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
