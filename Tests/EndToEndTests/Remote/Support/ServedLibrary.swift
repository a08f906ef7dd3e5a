import Fixtures
import RemoteServers
import TestTerminal
import Testing

/// A served folder, its server, a proxy before it if possible, and a user who accesses it as the remote "nas:".
struct ServedLibrary {
  /// The served folder; the source is `Photos` in it.
  let folder: TemporaryFolder
  let server: RemoteServer
  /// The proxy before the server; nil for an alias, which has no connections.
  let proxy: FaultProxy?
  let home: RemoteHome

  /// Serves ``RemotePhotos``, or other files.
  /// - Parameter write: Fills the folder.
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

  /// The source as written on the command line.
  var source: String { "nas:\(root)" }

  /// The same on this machine.
  var local: String { "\(folder.path)/\(RemotePhotos.folder)" }

  /// The local path of a downloaded original.
  func original(_ name: String) -> String { "\(home.originals)/\(kept(name))" }

  /// The same, relative to the folder of originals.
  func kept(_ name: String) -> String { "nas/\(root)/\(name)" }

  /// The server's bytes of a file.
  func bytes(_ name: String) throws -> [UInt8] { try folder.bytes(of: "\(RemotePhotos.folder)/\(name)") }

  /// Shuts the server down and makes the served folder unavailable.
  func end() throws {
    if let proxy { proxy.isGone = true } else { try folder.rename(RemotePhotos.folder, to: "elsewhere") }
  }

  /// Names relative to the source, of printed paths.
  func names(_ lines: [String], below source: String? = nil) -> [String] {
    let source = source ?? self.source
    return lines.map { $0.hasPrefix("\(source)/") ? String($0.dropFirst(source.count + 1)) : $0 }
  }
}

extension RemoteServer.Kind {
  /// The kinds available here, for tests that apply to all.
  static let here = allCases.filter { $0.isAvailable }

  /// Whether rclone is available to reach any of them.
  static let hasRclone: Bool = {
    guard let home = try? TemporaryFolder() else { return false }
    return (try? ServerProcess.run(["rclone", "version"], home: home))?.status == 0
  }()

  static let rcloneIsMissing: Comment = "rclone is not installed: apt install rclone"
}
