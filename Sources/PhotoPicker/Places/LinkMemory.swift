import Imaging
import SystemPackage
import System

/// The throughput of the connection to the terminal, as measured by the last picker in the same terminal
/// session and stored in $XDG_RUNTIME_DIR/tpick.
///
/// Without that folder nothing is stored, and an unreadable file is ignored. The next picker removes the
/// files of sessions that have ended.
package struct LinkMemory {
  private static let prefix = "link-"

  private let path: FilePath

  /// Returns nil if there is no folder, or if no later picker can run in this terminal session.
  package init?() {
    guard let folder = Self.folder else { return nil }
    let session = getsid(0)
    // If this process leads the session, the session ends with it. The file's name includes the start time of
    // the leader, because process numbers are reused.
    guard session != getpid(), let began = Self.startTime(of: session) else { return nil }
    path = folder.appending("\(Self.prefix)\(session)-\(began)")
  }

  private static var folder: FilePath? {
    guard let runtime = UserDirectories.environment("XDG_RUNTIME_DIR"), runtime.isAbsolute else { return nil }
    return runtime.appending("tpick")
  }

  /// Removes the files of sessions that have ended.
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

  /// Whether the session in a file name, "4711-123456", has ended.
  private static func isStale(_ name: Substring) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let session = pid_t(parts[0]), session > 0, UInt64(parts[1]) != nil else {
      return false
    }
    // If /proc is not readable, remove nothing.
    guard startTime(of: getpid()) != nil else { return false }
    return startTime(of: session).map { $0 != parts[1] } ?? (kill(session, 0) != 0 && errno == ESRCH)
  }

  /// Returns the start time of a process in clock ticks (proc(5), `stat`, field 22).
  private static func startTime(of process: pid_t) -> String? {
    guard let text = try? FileText.read(FilePath("/proc/\(process)/stat")),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let fields = text[text.index(after: end)...].split(separator: " ")
    return fields.count > 19 ? String(fields[19]) : nil
  }

  /// Returns the throughput in bytes per second; nil if unknown.
  package func read() -> Double? {
    guard let bytes = PrivateFile.read(path, limit: 64) else { return nil }
    let word = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    return Double(word).flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }

  /// Stores the throughput in bytes per second.
  package func write(_ bytesPerSecond: Double) {
    let rounded = Int(min(max(bytesPerSecond, 1), 1e12))
    try? PrivateFile.write(Array("\(rounded)\n".utf8), to: path)
  }
}
