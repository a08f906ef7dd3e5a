import Fixtures
import RemoteServers
import TestTerminal
import Testing

/// A served folder, the server, a proxy before it where one can be, and somebody who uses it as the remote "nas:".
struct ServedLibrary {
  /// What is served; the source is the folder `Photos` in it.
  let folder: TemporaryFolder
  let server: RemoteServer
  /// Before the server; nil for an alias, which has no connections.
  let proxy: FaultProxy?
  let home: RemoteHome

  /// Serves ``RemotePhotos``, or what is written by somebody else.
  /// - Parameter write: fills the folder.
  init(
    _ kind: RemoteServer.Kind, write: (TemporaryFolder) throws -> Void = { try RemotePhotos.write(to: $0) }
  ) throws {
    folder = try TemporaryFolder()
    try write(folder)
    server = try RemoteServer(kind, serving: folder.path)
    proxy = try server.port.map { try FaultProxy(to: $0, carrying: kind == .sftp ? .stream : .http) }
    home = try RemoteHome(server.configuration(name: "nas", port: proxy?.port))
  }

  /// The path of the source in the remote.
  private var root: String {
    server.root.isEmpty ? RemotePhotos.folder : "\(server.root)/\(RemotePhotos.folder)"
  }

  /// The source as it is written on the command line.
  var source: String { "nas:\(root)" }

  /// The same on this machine.
  var local: String { "\(folder.path)/\(RemotePhotos.folder)" }

  /// Where the original of a file is once it was brought.
  func original(_ name: String) -> String { "\(home.originals)/\(kept(name))" }

  /// The same, below the folder of originals.
  func kept(_ name: String) -> String { "nas/\(root)/\(name)" }

  /// The bytes that the server has of a file.
  func bytes(_ name: String) throws -> [UInt8] { try folder.bytes(of: "\(RemotePhotos.folder)/\(name)") }

  /// Has no server there any more: what is served is neither reached nor found.
  func end() throws {
    if let proxy { proxy.isGone = true } else { try folder.rename(RemotePhotos.folder, to: "elsewhere") }
  }

  /// Names below the source, of printed paths.
  func names(_ lines: [String], below source: String? = nil) -> [String] {
    let source = source ?? self.source
    return lines.map { $0.hasPrefix("\(source)/") ? String($0.dropFirst(source.count + 1)) : $0 }
  }
}

extension RemoteServer.Kind {
  /// Those that can be had here, for tests that are the same for all.
  static let here = allCases.filter { $0.isAvailable }

  /// Whether there is an rclone to reach any of them.
  static let hasRclone: Bool = {
    guard let home = try? TemporaryFolder() else { return false }
    return (try? ServerProcess.run(["rclone", "version"], home: home))?.status == 0
  }()

  static let rcloneIsMissing: Comment = "rclone is not installed: apt install rclone"
}
