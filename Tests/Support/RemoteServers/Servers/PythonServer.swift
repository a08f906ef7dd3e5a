import Fixtures
import Foundation

/// A small HTTP server in Python, for behavior that no rclone server has.
///
/// It ends when its standard input closes: with the last reference, or with the tests.
package final class PythonServer: Sendable {
  package let port: Int
  private let process: Process
  private let input = Pipe()

  /// - Parameter handler: The body of a class derived from BaseHTTPRequestHandler.
  package init(_ handler: String) throws {
    let program = """
      import http.server, os, sys, threading, time
      threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
      class H(http.server.BaseHTTPRequestHandler):
          protocol_version = 'HTTP/1.1'
          def log_message(self, *a): pass
      \(handler.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(separator: "\n"))
      s = http.server.ThreadingHTTPServer(('127.0.0.1', 0), H)
      s.daemon_threads = True
      print(s.server_port, flush=True)
      s.serve_forever()
      """
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [Program.python, "-c", program]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
      line.append(byte)
    }
    guard let port = Int(String(decoding: line, as: UTF8.self)) else {
      throw FixtureError("a server in Python does not start")
    }
    self.port = port
  }

  deinit { try? input.fileHandleForWriting.close() }
}
