import System
import FoundationEssentials
import Synchronization

extension RcloneRemote {
  /// The maximum length of a chain of aliases.
  private static let mostAliases = 8

  /// For SFTP, rclone reads up to two megabytes ahead, whatever range is requested, unless this option is
  /// set.
  private static let readAheadOption = (backend: "sftp", option: "disable_concurrent_reads=true")
  /// The name of a file that does not exist.
  private static let nothing = ".tpick-nothing"
  /// Ranges up to this length are read without read-ahead, which would be slower for longer ranges.
  static let longestUnbufferedRange: Int64 = 1 << 18

  /// Returns the remote's name in rclone for listings, short ranges, and everything else but whole files.
  ///
  /// rclone keeps connections by name. To set up an SFTP connection takes ten round trips, which rclone
  /// doesn't pipeline, so all these requests use one name and share its connections.
  func rangedRemoteName() throws(RcloneError) -> String {
    if let known = knownRangedRemoteName.withLock({ $0 }) { return known }
    let found: String
    let (type, target) = try target()
    if type != Self.readAheadOption.backend {
      found = engineName
    } else if engineName == Self.adHocRemoteName {
      found = specification.map(Self.canReadAhead) ?? false ? Self.adHocRangedRemoteName : engineName
    } else {
      found = Self.adding(Self.readAheadOption.option, to: target)
    }
    knownRangedRemoteName.withLock { $0 = found }
    return found
  }

  /// Whether setting up a connection takes many round trips, as for SFTP.
  package func hasCostlyConnections() -> Bool { (try? rangedRemoteName()).map { $0 != engineName } ?? false }

  /// Opens an additional connection ahead of use if connections are costly.
  ///
  /// Blocks until the server responds.
  package func openConnection() throws(RcloneError) {
    guard hasCostlyConnections() else { return }
    // A request that arrives while all connections are in use opens another one.
    let parameters = EngineParameters(
      fs: try rangedRemoteName(), remote: Self.nothing, opt: EngineParameters.Options(filesOnly: true))
    _ = try call("operations/stat", parameters, "") { false }
  }

  /// Returns a remote with an additional option.
  static func adding(_ option: String, to remote: String) -> String {
    guard let length = RemoteSpecification(remote)?.length else { return remote }
    let bytes = Array(remote.utf8)
    return String(decoding: bytes[..<(length - 1)], as: UTF8.self) + ",\(option)"
      + String(decoding: bytes[(length - 1)...], as: UTF8.self)
  }

  /// Returns the remotes that rclone needs in addition to the user's configuration, by name.
  static func adHocRemotes(_ remote: String, _ specification: RemoteSpecification?) -> [(String, String)] {
    let made = [(String(adHocRemoteName.dropLast()), remote)]
    guard let specification, canReadAhead(specification) else { return made }
    return made + [(String(adHocRangedRemoteName.dropLast()), adding(readAheadOption.option, to: remote))]
  }

  /// Whether SFTP options may be added: the remote's backend is SFTP, or is only known from the
  /// configuration.
  private static func canReadAhead(_ specification: RemoteSpecification) -> Bool {
    specification.name != nil || specification.backend == readAheadOption.backend
  }

  /// The type of the backend; "" if unknown.
  func backend() throws(RcloneError) -> String { try target().type }

  /// Follows aliases.
  ///
  /// Returns the type of the backend, "" if unknown, and the target remote, with a path if an alias has one.
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

  /// Returns the options of a configured remote, from rclone's file and the environment.
  func configuration(of name: String) throws(RcloneError) -> [String: String] {
    let answer = try call("config/get", EngineParameters(name: name), "") { false }
    return try decoded([String: String].self, from: answer, "")
      .merging(EnvironmentRemotes.options(of: name, in: ProcessEnvironment.variables)) { $1 }
  }
}
