import Fixtures
import Foundation
import Glibc

/// A program that serves a test until it is ended, and tells in its first line where it can be reached.
private final class Server {
  private let process = Process()
  let line: String

  init(_ command: [String], from output: Pipe = Pipe()) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A {
      line.append(byte)
    }
    self.line = String(decoding: line, as: UTF8.self)
    guard !line.isEmpty else {
      end()
      throw FixtureError("\(command[0]) does not start")
    }
  }

  deinit { end() }

  func end() {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }
}

/// A display of X11 that nobody sees.
struct VirtualDisplay {
  private let server: Server

  var name: String { ":\(server.line)" }

  init() throws {
    server = try Server(["Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "64x64x24"])
  }

  func end() { server.end() }
}

/// An HTTP server that writes what it gets into the files `upload0`, `upload1`… of a folder.
struct UploadServer {
  private let server: Server

  var url: String { "http://127.0.0.1:\(server.line)/photos" }

  init(in folder: TemporaryFolder) throws {
    let program = """
      import http.server, sys
      class Handler(http.server.BaseHTTPRequestHandler):
        count = 0
        def do_POST(self):
          body = self.rfile.read(int(self.headers['Content-Length']))
          open(f'{sys.argv[1]}/upload{Handler.count}', 'wb').write(body)
          Handler.count += 1
          self.send_response(204)
          self.end_headers()
      server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
      print(server.server_port, flush=True)
      server.serve_forever()
      """
    server = try Server(["python3", "-c", program, folder.path])
  }

  func end() { server.end() }
}
