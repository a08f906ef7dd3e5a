import System
import FoundationEssentials
import Synchronization

extension RcloneRemote {
  /// Aliases that are followed, one to the next.
  private static let mostAliases = 8

  /// Of SFTP rclone reads up to two megabytes ahead, whatever range is asked for, unless it is told not to.
  private static let readsAhead = (backend: "sftp", option: "disable_concurrent_reads=true")
  /// A file that nobody has.
  private static let nothing = ".tpick-nothing"
  /// Up to so many bytes are read without reading ahead, which is slower for longer ranges.
  static let longestBeginning: Int64 = 1 << 18

  /// As rclone is asked for short ranges and for all else that is not whole files.
  ///
  /// By SFTP a connection takes ten answers of the server, and rclone waits between one and the next: all use the same.
  func quickName() throws(RcloneError) -> String {
    if let known = knownQuickName.withLock({ $0 }) { return known }
    let found: String
    let (type, target) = try target()
    if type != Self.readsAhead.backend {
      found = engineName
    } else if engineName == Self.madeName {
      found = specification.map(Self.canReadAhead) ?? false ? Self.madeQuickName : engineName
    } else {
      found = Self.adding(Self.readsAhead.option, to: target)
    }
    knownQuickName.withLock { $0 = found }
    return found
  }

  /// Whether each connection takes many answers of the server, as those of SFTP do.
  package func hasCostlyConnections() -> Bool { (try? quickName()).map { $0 != engineName } ?? false }

  /// Has another connection made where that takes long, before it is needed.
  ///
  /// Waits for the server.
  package func openConnection() throws(RcloneError) {
    guard hasCostlyConnections() else { return }
    // Each question that comes while all connections are in use has one made.
    let parameters = EngineParameters(
      fs: try quickName(), remote: Self.nothing, opt: EngineParameters.Options(filesOnly: true))
    _ = try call("operations/stat", parameters, "") { false }
  }

  /// A remote with one option more.
  static func adding(_ option: String, to remote: String) -> String {
    guard let length = RemoteSpecification(remote)?.length else { return remote }
    let bytes = Array(remote.utf8)
    return String(decoding: bytes[..<(length - 1)], as: UTF8.self) + ",\(option)"
      + String(decoding: bytes[(length - 1)...], as: UTF8.self)
  }

  /// What rclone is to know besides the user's configuration, by names.
  static func madeRemotes(_ remote: String, _ specification: RemoteSpecification?) -> [(String, String)] {
    let made = [(String(madeName.dropLast()), remote)]
    guard let specification, canReadAhead(specification) else { return made }
    return made + [(String(madeQuickName.dropLast()), adding(readsAhead.option, to: remote))]
  }

  /// Whether options of SFTP may be added to a remote: it is one, or may be, as its configuration will tell.
  private static func canReadAhead(_ specification: RemoteSpecification) -> Bool {
    specification.name != nil || specification.backend == readsAhead.backend
  }

  /// The type of the backend; "" where it can't be told.
  func backend() throws(RcloneError) -> String { try target().type }

  /// The type of the backend, "" where it can't be told, and the remote behind aliases, with a path in it where there is one.
  private func target() throws(RcloneError) -> (type: String, remote: String) {
    var specification = specification
    var (type, remote, below) = ("", engineName, "")
    for _ in 0..<Self.mostAliases {
      guard let current = specification else { return ("local", remote) }
      let options: [String: String]
      if let name = current.name {
        options = try configuration(of: name)
        type = options["type"] ?? ""
      } else {
        type = current.backend ?? ""
        options = Dictionary(current.options.map { ($0.name, $0.value) }) { $1 }
      }
      guard type == "alias", let target = options["remote"] else { break }
      specification = RemoteSpecification(target)
      let bytes = Array(target.utf8)
      let path = String(decoding: bytes[(specification?.length ?? 0)...], as: UTF8.self)
      below = path.isEmpty || below.isEmpty ? path + below : "\(path)/\(below)"
      remote = String(decoding: bytes[..<(specification?.length ?? 0)], as: UTF8.self)
    }
    return (type, remote + below)
  }

  /// The options of a configured remote, from rclone's file and the environment.
  func configuration(of name: String) throws(RcloneError) -> [String: String] {
    let answer = try call("config/get", EngineParameters(name: name), "") { false }
    return try decoded([String: String].self, from: answer, "")
      .merging(EnvironmentRemotes.options(of: name, in: ProcessEnvironment.variables)) { $1 }
  }
}
