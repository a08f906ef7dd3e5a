import Glibc

/// What the kernel tells of all threads of a program and of the programs that it started: whether all of them
/// wait, and how often each has begun to.
///
/// The threads are looked at one after the other. Two looks in a row that are equal, with all threads
/// waiting, say that there was a moment at which they all waited: whoever runs in between is counted when it
/// stops.
struct ThreadActivity: Equatable {
  private struct Thread: Equatable {
    var isWaiting: Bool
    /// How often it gave the processor away, of its own accord and not.
    var switches: [String]
  }

  private var threads: [Int: Thread] = [:]

  /// Looks at a program and at those that it started; one that has ended has no threads.
  init(of process: Int) {
    look(at: process)
  }

  /// Whether no thread runs, is about to or waits for a disk.
  var isWaiting: Bool { threads.values.allSatisfy(\.isWaiting) }

  private mutating func look(at process: Int) {
    let folder = "/proc/\(process)/task"
    for number in Self.numbers(in: folder) {
      // A thread that ends meanwhile is missing in the second look, too, or makes it another one.
      threads[number] = Self.thread(Self.text(of: "\(folder)/\(number)/status"))
      let children = Self.text(of: "\(folder)/\(number)/children")
      for child in children.split(separator: " ").compactMap({ Int($0) }) { look(at: child) }
    }
  }

  private static func thread(_ status: String) -> Thread? {
    var fields: [Substring: Substring] = [:]
    for line in status.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon]] = line[line.index(after: colon)...].drop { $0 == "\t" }
    }
    guard let state = fields["State"]?.first else { return nil }
    return Thread(
      isWaiting: state != "R" && state != "D",
      switches: ["voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"].map { String(fields[$0] ?? "") })
  }

  private static func numbers(in folder: String) -> [Int] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var numbers: [Int] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { name in
        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = Int(name) { numbers.append(number) }
    }
    return numbers
  }

  /// What the kernel says in a file; nothing where there is none.
  private static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
