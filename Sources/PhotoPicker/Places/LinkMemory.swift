import Imaging
import SystemPackage
import System

/// How fast the link to the terminal is, as the last picker of the same terminal session found it, in
/// $XDG_RUNTIME_DIR/tpick.
///
/// Without such a folder nothing is remembered; a file that can't be read is as none. Those of sessions that have ended are
/// removed by the next picker.
package struct LinkMemory {
  private static let prefix = "link-"

  private let path: FilePath

  /// nil where there is nothing to remember it in, or nobody would ask for it.
  package init?() {
    guard let folder = Self.folder else { return nil }
    let session = getsid(0)
    // A session that this process leads ends with it. A number of a process is given again, at another time.
    guard session != getpid(), let began = Self.startTime(of: session) else { return nil }
    path = folder.appending("\(Self.prefix)\(session)-\(began)")
  }

  private static var folder: FilePath? {
    guard let runtime = UserDirectories.environment("XDG_RUNTIME_DIR"), runtime.isAbsolute else { return nil }
    return runtime.appending("tpick")
  }

  /// Removes what was remembered for sessions that have ended.
  package static func removeStale() {
    guard let stream = folder?.withPlatformString({ opendir($0) }) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name.hasPrefix(prefix), isStale(name.dropFirst(prefix.count)) else { continue }
      _ = unlinkat(dirfd(stream), name, 0)
    }
  }

  /// Whether the session of a name, "4711-123456", is over.
  private static func isStale(_ name: Substring) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let session = pid_t(parts[0]), session > 0, UInt64(parts[1]) != nil else {
      return false
    }
    // Where nothing can be known of processes, nothing is removed.
    guard startTime(of: getpid()) != nil else { return false }
    return startTime(of: session).map { $0 != parts[1] } ?? (kill(session, 0) != 0 && errno == ESRCH)
  }

  /// When a process began, in the kernel's ticks (proc(5), `stat`, field 22).
  private static func startTime(of process: pid_t) -> String? {
    guard let text = try? FileText.read(FilePath("/proc/\(process)/stat")),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 19 ? String(fields[19]) : nil
  }

  /// Bytes a second; nil where nothing is known.
  package func read() -> Double? {
    guard let bytes = PrivateFile.read(path, limit: 64) else { return nil }
    let word = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    return Double(word).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  package func write(_ bytesPerSecond: Double) {
    let rounded = Int(min(max(bytesPerSecond, 1), 1e12))
    try? PrivateFile.write(Array("\(rounded)\n".utf8), to: path)
  }
}
