import Rclone

/// A server as a word of the command line names it.
enum ServerWord {
  /// The server of a remote where the word ends with a colon, else the host.
  static func endpoint(_ word: String) throws(Failure) -> ServerEndpoint {
    guard word.hasSuffix(":"), let address = RemoteAddress(word) else {
      guard let endpoint = ServerEndpoint(word) else {
        throw .usage(
          "'\(PublicWord.text(of: word))' is no server: HOST, HOST:PORT, or a remote with its colon is expected"
        )
      }
      return endpoint
    }
    do throws(RcloneError) {
      let servers = try RcloneConfiguration().servers(of: address.remote)
      if let endpoint = servers.single { return endpoint }
      let all = servers.endpoints.map(\.description).joined(separator: ", ")
      let reason =
        if let unknown = servers.unknown { "\(unknown), so which server it leads to can't be told" } else {
          all.isEmpty
            ? "it shows no certificate that you could trust (no https of your own server)"
            : "it leads to several servers: name one of \(all)"
        }
      throw RcloneError(.failed, PublicWord.text(of: word), reason)
    } catch { throw .error("\(error)") }
  }
}
