import FoundationEssentials

extension RcloneRemote {
  /// Aliases that are followed, one to the next.
  private static let mostAliases = 8

  /// The type of the backend; "" where it can't be told.
  func backend() throws(RcloneError) -> String {
    var specification = specification
    var type = ""
    for _ in 0..<Self.mostAliases {
      guard let current = specification else { return "local" }
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
    }
    return type
  }

  /// The options of a configured remote, from rclone's file and the environment.
  func configuration(of name: String) throws(RcloneError) -> [String: String] {
    let answer = try call("config/get", EngineParameters(name: name), "") { false }
    return try decoded([String: String].self, from: answer, "")
      .merging(EnvironmentRemotes.options(of: name, in: DaemonEnvironment.ofProcess)) { $1 }
  }
}
