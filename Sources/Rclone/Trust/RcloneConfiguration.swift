import FoundationEssentials

/// The remotes that the user has configured, as rclone knows them: its file, which it decrypts where it is asked to, and the
/// environment.
package struct RcloneConfiguration: Sendable {
  /// Aliases and the like that are followed, one to the next.
  private static let mostSteps = 8

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
      let options = all[name] ?? [:]
      let place =
        ["url", "endpoint", "host", "remote"].lazy.compactMap { options[$0] }.first { !$0.isEmpty } ?? ""
      return Configured(
        name: name + ":", type: options["type"] ?? "", server: Self.server(of: name + ":", in: all),
        place: options["type"] == "alias"
          ? RemoteSpecification(place)?.publicName ?? place : EngineText.cleaned(place))
    }
  }

  /// The server of a remote, also through aliases and encryption; nil where it shows no certificate.
  package func server(of remote: String) throws(RcloneError) -> ServerEndpoint? {
    // One that says itself where it is does not have rclone asked.
    if let specification = RemoteSpecification(remote), specification.backend != nil,
      let server = Self.server(of: remote, in: [:])
    {
      return server
    }
    return Self.server(of: remote, in: try options())
  }

  /// - Parameter all: the options of all remotes, by their names without colons.
  static func server(of remote: String, in all: [String: [String: String]]) -> ServerEndpoint? {
    var specification = RemoteSpecification(remote)
    for _ in 0..<mostSteps {
      guard let current = specification else { return nil }
      var options = current.name.map { all[$0] ?? [:] } ?? ["type": current.backend ?? ""]
      for option in current.options { options[option.name] = option.value }
      if let server = ServerEndpoint(options: options) { return server }
      specification = options["remote"].flatMap { RemoteSpecification($0) }
    }
    return nil
  }

  /// The options of all remotes, by their names without colons.
  func options() throws(RcloneError) -> [String: [String: String]] {
    let engine = RcloneRemote("", settings: settings)
    defer { engine.stop() }
    let answer = try engine.call("config/dump", EngineParameters(), "") { false }
    var all = try engine.decoded([String: [String: String]].self, from: answer, "")
    let variables = DaemonEnvironment.ofProcess
    // The environment goes before the file; a name in it has no case.
    for name in EnvironmentRemotes.names(in: variables) where all[name] == nil { all[name] = [:] }
    for name in all.keys {
      all[name]?.merge(EnvironmentRemotes.options(of: name, in: variables)) { $1 }
    }
    return all
  }
}
