import Glibc

/// The programs that the tests start.
package enum Program {
  /// The programs that are shipped.
  private static let shipped = ["tpick", "tpick-reader", "tpick-codecs", "tpick-portal"]

  /// Where the tests themselves were built.
  private static let testFolder: String = {
    let tests = realpath("/proc/self/exe", nil)
    defer { free(tests) }
    let path = tests.map { String(cString: $0) } ?? ""
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }()

  /// The folder of the shipped programs.
  ///
  /// The tests should cover what is released, which also starts in 7 ms instead of 80. So it is the release build of
  /// Tests/Tools/install beside the tests' own, if there is one and no source has changed since.
  private static let shippedFolder: String = {
    let release = testFolder.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/release"
    return FileTime("\(release)/all-built") > newestSource() ? release : testFolder
  }()

  /// The path of a program by name.
  package static func path(of name: String) -> String {
    "\(shipped.contains(name) ? shippedFolder : testFolder)/\(name)"
  }

  /// The same for the unoptimized build.
  package static func debugPath(of name: String) -> String { "\(testFolder)/\(name)" }

  /// The shipped helper.
  package static var helper: String { path(of: "tpick-codecs") }
  /// A helper that attempts everything that must be impossible.
  package static var hostile: String { path(of: "hostile-helper") }
  /// A helper that executes the command in a file.
  package static var standIn: String { path(of: "codec-stand-in") }
  /// Python 3 with the modules of the system's packages.
  ///
  /// That of a version manager in PATH is a script, which takes longer than most programs here.
  package static let python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3"
  /// The tool that serves a folder for benchmarks.
  package static var remoteServer: String { path(of: "remote-server") }

  /// The last modification of the package's manifest or sources.
  private static func newestSource(file: StaticString = #filePath) -> FileTime {
    let root = "\(file)".split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
    var newest = FileTime("\(root)/Package.swift")
    var pending = ["\(root)/Sources"]
    while let folder = pending.popLast() {
      newest = max(newest, FileTime(folder))
      guard let stream = opendir(folder) else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name.hasPrefix(".") { continue }
        if entry.pointee.d_type == UInt8(DT_DIR) {
          pending.append("\(folder)/\(name)")
        } else {
          newest = max(newest, FileTime("\(folder)/\(name)"))
        }
      }
    }
    return newest
  }
}

/// The modification time of a file; before all others if there is no file.
private struct FileTime: Comparable {
  var seconds = Int.min
  var nanoseconds = 0

  init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }

  static func < (a: Self, b: Self) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }
}
