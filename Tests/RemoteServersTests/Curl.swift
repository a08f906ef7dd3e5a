import Fixtures
import RemoteServers

/// curl(1) as the client of a server behind a proxy.
struct Curl {
  /// The result for one address.
  struct Answer: Hashable {
    let status: Int
    let bytes: Int
    /// Seconds to the first byte, and to the last one.
    let first: Double
    let whole: Double
    /// The number of connections made for it.
    let connections: Int
  }

  let home: TemporaryFolder
  let server: RemoteServer
  let proxy: FaultProxy

  /// Downloads files one after the other over one connection while it lasts, stored as "0", "1" and so on.
  /// - Parameter options: Options of curl.
  /// - Returns: curl's exit status, and the result of each.
  func get(_ paths: String..., options: String...) throws -> (status: Int32, answers: [Answer]) {
    let format = "%{http_code} %{size_download} %{time_starttransfer} %{time_total} %{num_connects}\\n"
    var command =
      ["curl", "-q", "-s", "-w", format, "-u", "\(RemoteServer.user):\(server.password)"] + options
    for (index, path) in paths.enumerated() {
      let scheme = server.isEncrypted ? "https" : "http"
      command += ["-o", "\(home.path)/\(index)", "\(scheme)://127.0.0.1:\(proxy.port)/\(path)"]
    }
    let (status, output) = try ServerProcess.run(command, home: home)
    let answers = output.split(separator: "\n").compactMap { line -> Answer? in
      let words = line.split(separator: " ")
      guard words.count == 5, let status = Int(words[0]), let bytes = Int(words[1]),
        let first = Double(words[2]), let whole = Double(words[3]), let connections = Int(words[4])
      else { return nil }
      return Answer(status: status, bytes: bytes, first: first, whole: whole, connections: connections)
    }
    return (status, answers)
  }

  /// The bytes received for the address with this number.
  func bytes(_ number: Int) throws -> [UInt8] { try home.bytes(of: "\(number)") }
}

/// Exit statuses of curl, named as in its manual page.
enum CurlStatus {
  static let done: Int32 = 0
  static let refused: Int32 = 7
  static let partialFile: Int32 = 18
  static let timeout: Int32 = 28
  static let emptyReply: Int32 = 52
  static let receiveFailed: Int32 = 56
  static let untrusted: Int32 = 60
}
