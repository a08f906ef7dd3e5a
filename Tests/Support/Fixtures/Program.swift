import Glibc

/// The built programs, found beside the tests.
package enum Program {
  private static let folder: String = {
    let tests = realpath("/proc/self/exe", nil)
    defer { free(tests) }
    let path = tests.map { String(cString: $0) } ?? ""
    return path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }()

  /// The helper that is shipped.
  package static var helper: String { "\(folder)/tpick-codecs" }
  /// One that tries what a helper must not be able to do.
  package static var hostile: String { "\(folder)/hostile-helper" }
  /// One that does what the words of a file tell it.
  package static var standIn: String { "\(folder)/codec-stand-in" }
  /// The tool that serves a folder for benchmarks.
  package static var remoteServer: String { "\(folder)/remote-server" }
}
