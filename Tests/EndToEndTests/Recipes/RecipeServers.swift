import Fixtures
import Foundation
import Glibc

/// An invisible X11 display.
struct VirtualDisplay {
  private let server: Server

  var name: String { ":\(server.line)" }

  init(size: String = "64x64") throws {
    server = try Server(["Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "\(size)x24"])
  }

  func end() { server.end() }
}

/// An HTTP server that writes uploads into the files `upload0`, `upload1`… of a folder.
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
    server = try Server([Program.python, "-c", program, folder.path])
  }

  func end() { server.end() }
}
