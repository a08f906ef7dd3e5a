import Imaging
import SystemPackage

#if canImport(Glibc)
  import Glibc
#endif

/// How fast the link to the terminal is, as the last picker of the same terminal session found it, in
/// $XDG_RUNTIME_DIR/tpick.
///
/// Without such a folder nothing is remembered; a file that can't be read is as none.
package struct LinkMemory {
  private let path: FilePath

  /// nil where there is nothing to remember it in.
  package init?() {
    guard let folder = UserDirectories.environment("XDG_RUNTIME_DIR"), folder.isAbsolute else { return nil }
    let session = getsid(0)
    // A number of a process is given again, at another time.
    guard let began = Self.startTime(of: session) else { return nil }
    path = folder.appending("tpick").appending("link-\(session)-\(began)")
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
