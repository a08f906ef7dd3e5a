import Rclone

/// A server as a word of the command line names it.
enum ServerWord {
  /// The server of a remote where the word ends with a colon, else the host.
  static func endpoint(_ word: String) throws(Failure) -> ServerEndpoint {
    guard word.hasSuffix(":"), let address = RemoteAddress(word) else {
      guard let endpoint = ServerEndpoint(word) else {
        throw .usage("'\(word)' is no server: HOST, HOST:PORT, or a remote with its colon is expected")
      }
      return endpoint
    }
    do throws(RcloneError) {
      guard let endpoint = try RcloneConfiguration().server(of: address.remote) else {
        throw RcloneError(
          .noSuchRemote, word, "there is no such remote, or it shows no certificate (no https)")
      }
      return endpoint
    } catch { throw .error("\(error)") }
  }
}
