import System
import FoundationEssentials

/// The remotes that the user has configured, as rclone knows them: its file, which it decrypts where it is asked to, and the
/// environment.
package struct RcloneConfiguration: Sendable {
  private let settings: RcloneSettings

  package init(_ settings: RcloneSettings = RcloneSettings()) { self.settings = settings }

  /// A configured remote.
  package struct Configured: Hashable, Sendable {
    /// With its colon.
    package var name: String
    /// The backend; "" where it is not told.
    package var type: String
    /// The server, where it shows a certificate.
    package var server: ServerEndpoint?
    /// Where it is, for people: a host or a URL without user and password; "" where it is not told.
    package var place: String
  }

  /// All of them, by name.
  package func remotes() throws(RcloneError) -> [Configured] {
    let all = try options()
    return all.keys.sorted().map { name in
      let options = all[name]
      let place = ["url", "endpoint", "host", "remote"].first { !(options[$0] ?? "").isEmpty }.flatMap {
        PublicOption.text(of: $0, options[$0] ?? "")
      }
      return Configured(
        name: name + ":", type: options["type"] ?? "", server: RemoteServers(of: name + ":", in: all).single,
        place: place ?? "")
    }
  }

  /// The servers of a remote, also through aliases, encryption and what joins several.
  /// - Throws: `RcloneError` where there is no such remote.
  package func servers(of remote: String) throws(RcloneError) -> RemoteServers {
    // One that says itself where it is does not have rclone asked.
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

  /// The options of all remotes.
  func options() throws(RcloneError) -> RemoteOptions {
    let engine = RcloneRemote("", settings: settings)
    defer { engine.stop() }
    let answer = try engine.call("config/dump", EngineParameters(), "") { false }
    return RemoteOptions(
      file: try engine.decoded([String: [String: String]].self, from: answer, ""),
      variables: ProcessEnvironment.variables)
  }
}
