import System
import FoundationEssentials

/// The user's configured remotes as rclone reports them: from its file, which rclone decrypts if it has the
/// password, and from the environment.
package struct RcloneConfiguration: Sendable {
  private let settings: RcloneSettings

  package init(_ settings: RcloneSettings = RcloneSettings()) { self.settings = settings }

  /// A configured remote.
  package struct Configured: Hashable, Sendable {
    /// The name, with its colon.
    package var name: String
    /// The type of the backend; "" if unknown.
    package var type: String
    /// The server, if it presents a certificate.
    package var server: ServerEndpoint?
    /// The location for display: a host or a URL without user and password; "" if unknown.
    package var place: String
  }

  /// Returns all configured remotes, sorted by name.
  package func remotes() throws(RcloneError) -> [Configured] {
    let all = try options()
    return all.keys.sorted().map { name in
      let options = all[name]
      let place = ["url", "endpoint", "host", "remote"].first { !(options[$0] ?? "").isEmpty }.flatMap {
        RedactedOption.text(of: $0, options[$0] ?? "")
      }
      return Configured(
        name: name + ":", type: options["type"] ?? "", server: RemoteServers(of: name + ":", in: all).single,
        place: place ?? "")
    }
  }

  /// Returns the servers behind a remote.
  ///
  /// Follows aliases, encryption and unions.
  /// - Throws: `RcloneError` if there is no such remote.
  package func servers(of remote: String) throws(RcloneError) -> RemoteServers {
    // A remote that names its own location needs no query to rclone.
    if let specification = RemoteSpecification(remote), specification.backend != nil {
      let found = RemoteServers(of: remote, in: RemoteOptions())
      if found.unknown == nil { return found }
    }
    let all = try options()
    if let name = RemoteSpecification(remote)?.name, all[name]["type"] == nil {
      throw RcloneError(.noSuchRemote, remote)
    }
    return RemoteServers(of: remote, in: all)
  }

  /// Returns the options of all remotes.
  func options() throws(RcloneError) -> RemoteOptions {
    let engine = RcloneRemote("", settings: settings)
    defer { engine.stop() }
    let answer = try engine.call("config/dump", EngineParameters(), "") { false }
    return RemoteOptions(
      file: try engine.decoded([String: [String: String]].self, from: answer, ""),
      variables: ProcessEnvironment.variables)
  }
}
