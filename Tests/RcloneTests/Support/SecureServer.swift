import Fixtures
import Foundation
import RemoteServers
import Testing

@testable import Rclone

/// A certificate made by openssl(1), for this machine or for another name.
struct TestCertificate {
  let certificate: String
  let key: String
  /// As printed by openssl(1).
  let fingerprint: String

  init(_ name: String, in folder: TemporaryFolder, for names: String = "DNS:localhost,IP:127.0.0.1") throws {
    (certificate, key) = ("\(folder.path)/\(name).pem", "\(folder.path)/\(name).key")
    _ = try Self.openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
      "-out",
      certificate, "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=\(names)",
    ])
    let line = try Self.openssl(["x509", "-in", certificate, "-noout", "-fingerprint", "-sha256"])
    fingerprint = String(line.split(separator: "=").last ?? "").trimmingCharacters(
      in: .whitespacesAndNewlines)
  }

  private static func openssl(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A folder that the real rclone serves by WebDAV over TLS; stopped with the last reference.
final class SecureServer: Sendable {
  let port: Int
  private let process: Process

  /// - Parameter port: 0 = any free port.
  init(_ folder: String, _ certificate: TestCertificate, port: Int = 0) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(RcloneProgram.find()))
    process.arguments = [
      "serve", "webdav", folder, "--addr", "127.0.0.1:\(port)", "--cert", certificate.certificate, "--key",
      certificate.key, "--config", "/dev/null",
    ]
    let output = Pipe()
    process.standardError = output
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var text = ""
    var found: Int?
    while found == nil, let bytes = try output.fileHandleForReading.read(upToCount: 1), !bytes.isEmpty {
      text += String(decoding: bytes, as: UTF8.self)
      if text.hasSuffix("\n"), let start = text.range(of: "https://127.0.0.1:") {
        found = Int(text[start.upperBound...].prefix { $0.isNumber })
      }
    }
    self.port = try #require(found)
  }

  /// Stops it, so that another server can use its port.
  /// - Returns: The port, kept from other programs.
  func stop() throws -> ReservedPort {
    process.terminate()
    process.waitUntilExit()
    return try ReservedPort(UInt16(port))
  }

  deinit { process.terminate() }

  var remote: String { ":webdav,url=\"https://127.0.0.1:\(port)/\":" }
  var endpoint: ServerEndpoint { get throws { try #require(ServerEndpoint("127.0.0.1:\(port)")) } }
}
