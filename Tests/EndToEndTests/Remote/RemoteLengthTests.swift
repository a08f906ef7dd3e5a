import Fixtures
import Foundation
import RemoteServers
import TestTerminal
import Testing

extension EndToEnd {
  /// Files whose length a server does not report.
  @Suite(.enabled(if: RemoteServer.Kind.hasRclone, RemoteServer.Kind.rcloneIsMissing))
  struct RemoteLengthTests {
    private let folder: TemporaryFolder
    private let server: PythonServer
    private let home: RemoteHome

    /// Serves a file with a known length, and others without.
    ///
    /// `open.jpg` is a photo, `endless.jpg` begins like it and continues forever, `cut.jpg` ends at a different
    /// position each time.
    init() throws {
      folder = try TemporaryFolder()
      try folder.write(try RemotePhotos.photo(day: 3).bytes(), to: "photo.jpg")
      server = try PythonServer(
        """
        photo = open('\(folder.path)/photo.jpg', 'rb').read()
        names = {'/a/': ['known.jpg', 'open.jpg'], '/b/': ['endless.jpg'], '/c/': ['cut.jpg']}
        turn = 0
        def head(self, length):
            self.send_response(200)
            self.send_header('Last-Modified', 'Wed, 01 May 2024 10:00:00 GMT')
            if length is None: self.send_header('Transfer-Encoding', 'chunked')
            else: self.send_header('Content-Length', str(length))
            self.end_headers()
        def do_HEAD(self):
            name = self.path.split('/')[-1]
            self.head(len(self.photo) if name == 'known.jpg' else None)
        def chunk(self, data): self.wfile.write(b'%x\\r\\n%s\\r\\n' % (len(data), data))
        def do_GET(self):
            if self.path in self.names:
                page = ''.join('<a href="%s">x</a>' % n for n in self.names[self.path]).encode()
                self.send_response(200)
                self.send_header('Content-Type', 'text/html')
                self.send_header('Content-Length', str(len(page)))
                self.end_headers()
                self.wfile.write(page)
                return
            name = self.path.split('/')[-1]
            if name == 'known.jpg':
                self.head(len(self.photo))
                self.wfile.write(self.photo)
                return
            self.head(None)
            H.turn += 1
            end = len(self.photo) - (H.turn * 1000 if name == 'cut.jpg' else 0)
            try:
                self.chunk(self.photo[:end])
                while name == 'endless.jpg': self.chunk(bytes(1 << 20))
                self.wfile.write(b'0\\r\\n\\r\\n')
            except OSError: self.close_connection = True
        """)
      home = try RemoteHome("[web]\ntype = http\nurl = http://127.0.0.1:\(server.port)\n")
    }

    @Test func `A file of unknown length is an ordinary photo, also without the server`() throws {
      let words = ["web:a", "--format", "{path} {pixelWidth}x{pixelHeight}"]
      let expected = ["web:a/known.jpg 640x480", "web:a/open.jpg 640x480"]
      for options in [[], [], ["--offline"]] {
        let result = try home.run(["list", "--sort", "name"] + words + options)
        #expect(result.lines == expected && result.errors.isEmpty, "\(result.lines) \(result.errors)")
        #expect(result.status == .exited(0))
      }
    }

    @Test func `A file of unknown length is accepted by every command`() throws {
      #expect(try home.run("albums", "web:a").lines.contains { $0.hasSuffix("\ta") || $0.contains("a") })
      let picked = try home.run("--select-1", "--query", "open", "web:a")
      #expect(picked.status == .exited(0) && picked.errors.isEmpty, "\(picked.errors)")
      #expect(picked.lines == ["\(home.originals)/web/a/open.jpg"])
      let warm = try home.run("cache", "warm", "--size", "80x24", "--cell-size", "8x16", "web:a")
      #expect(warm.status == .exited(0), "\(warm.errors)")
      let session = try home.pick("--query", "open", "web:a")
      try session.waitForText("1 photo")
      session.press(.enter)
      try session.expectExit(.exited(0), timeout: 60)
      #expect(session.outputLines == picked.lines)
    }

    @Test func `A file of unknown length is copied to its end`() throws {
      let result = try home.run("list", "web:a", "--export", "\(home.folder.path)/out")
      #expect(result.status == .exited(0) && result.errors.isEmpty, "\(result.errors)")
      let photo = try folder.bytes(of: "photo.jpg")
      for name in ["known.jpg", "open.jpg"] { #expect(try home.folder.bytes(of: "out/\(name)") == photo) }
      #expect(home.wholeFiles.count == 2 && home.keptFiles.count == 2)
      // Local files need no server.
      let again = try home.run("list", "web:a", "--export", "\(home.folder.path)/again", "--offline")
      #expect(again.status == .exited(0) && again.lines.count == 2, "\(again.errors)")
    }

    @Test(arguments: [("web:b", "does not report its size"), ("web:c", "a different number of bytes")])
    func `A file without an end, or with a varying one, is not copied and leaves nothing`(
      source: String, reason: String
    ) throws {
      try home.folder.write(Array("[cache]\noriginals = \"1 MB\"\n".utf8), to: "config/tpick/config.toml")
      let result = try home.run("list", source, "--export", "\(home.folder.path)/out")
      #expect(result.status != .exited(0))
      #expect(result.errors.contains(reason), "\(result.errors)")
      #expect(home.keptFiles.isEmpty)
      let copies = try? FileManager.default.contentsOfDirectory(atPath: "\(home.folder.path)/out")
      #expect(copies?.isEmpty ?? true)
    }
  }
}
