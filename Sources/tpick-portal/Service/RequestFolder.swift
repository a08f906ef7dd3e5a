import FileChooser
import SystemPackage
import System

/// The folder of a request: the task for the process in the terminal, the socket for its status, and the results.
///
/// Removed with the last reference.
final class RequestFolder {
  let path: FilePath

  static func task(in folder: FilePath) -> FilePath { folder.appending("task") }

  private var results: FilePath { path.appending("results") }
  var resultsPath: [UInt8] { results.bytes }

  init() throws(Errno) {
    let folder = try UserFolders.makeRuntimeFolder()
    var template = (folder.bytes + Array("/XXXXXX".utf8) + [0]).map { CChar(bitPattern: $0) }
    guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    path = FilePath(bytes: template.dropLast().map { UInt8(bitPattern: $0) })
  }

  deinit {
    // None of these is a folder, so unlink suffices.
    for name in ["task", "socket", "results"] {
      _ = path.appending(name).withPlatformString { unlink($0) }
    }
    _ = path.withPlatformString { rmdir($0) }
  }

  func write(_ task: TerminalTaskMessage.Task, title: String) throws(Errno) {
    try FileBytes.write(TerminalTaskMessage.bytes(of: task, title: title), to: Self.task(in: path))
  }

  /// Returns the picked URIs; empty if nothing was written.
  func readResults() -> [UInt8] { (try? FileBytes.read(results)) ?? [] }
}
