import Testing

@testable import Rclone

@Suite struct RcloneErrorTests {
  /// Answers of rclone 1.60, recorded from real attempts.
  static let told: [(text: String, status: Int, kind: RcloneError.Kind)] = [
    ("didn't find section in config file", 500, .noSuchRemote),
    ("failed to make Fs: didn't find section in config file", 500, .noSuchRemote),
    ("didn't find backend called \"nosuchbackend\"", 500, .noSuchRemote),
    ("couldn't find method \"operations/none\"", 404, .programTooOld),
    ("error in ListJSON: directory not found", 404, .notFound),
    ("failed to find object: object not found", 404, .notFound),
    ("error in ListJSON: couldn't list files: Unauthorized: 401 Unauthorized", 500, .accessDenied),
    ("error in ListJSON: couldn't list files: 403 Forbidden", 500, .accessDenied),
    (
      "error in ListJSON: error listing \"\": failed to readDir: HTTP Error: 403 Forbidden", 500,
      .accessDenied
    ),
    (
      "error in ListJSON: AccessDenied: x\n\tstatus code: 403, request id: , host id: ", 500, .accessDenied
    ),
    (
      "NewFs: couldn't connect SSH: ssh: handshake failed: ssh: unable to authenticate, attempted methods [none password], no supported methods remain",
      500, .accessDenied
    ),
    (
      "couldn't connect to ssh-agent: SSH agent requested but SSH_AUTH_SOCK not-specified", 500, .accessDenied
    ),
    (
      "drive: failed when making oauth client: failed to create oauth client: empty token found - please run \"rclone config reconnect :drive:\"",
      500, .accessDenied
    ),
    (
      "error in ListJSON: couldn't list files: Propfind \"http://127.0.0.1:9/\": dial tcp 127.0.0.1:9: connect: connection refused",
      500, .unreachable
    ),
    (
      "error in ListJSON: couldn't list files: Propfind \"http://nosuch.invalid/\": dial tcp: lookup nosuch.invalid on 10.0.0.1:53: no such host",
      500, .unreachable
    ),
    ("error in ListJSON: couldn't list files: Propfind \"http://127.0.0.1:18084/\": EOF", 500, .unreachable),
    ("error in ListJSON: couldn't list files: 502 Bad Gateway", 500, .unreachable),
    ("error in ListJSON: couldn't list files: 503 Service Unavailable", 500, .unreachable),
    (
      "error in ListJSON: RequestError: send request failed\ncaused by: Get \"http://127.0.0.1:9/bucket?delimiter=%2F\": dial tcp 127.0.0.1:9: connect: connection refused",
      500, .unreachable
    ),
    (
      "NewFs: failed to make FTP connection to \"127.0.0.1:9\": dial tcp 127.0.0.1:9: connect: connection refused",
      500,
      .unreachable
    ),
    (
      "error in ListJSON: couldn't list files: Propfind \"http://127.0.0.1:18082/\": net/http: timeout awaiting response headers",
      500, .timedOut
    ),
    (
      "error in ListJSON: couldn't list files: Propfind \"https://127.0.0.1:18082/\": net/http: TLS handshake timeout",
      500, .timedOut
    ),
    (
      "NewFs: couldn't connect SSH: ssh: handshake failed: read tcp 127.0.0.1:49410->127.0.0.1:18082: i/o timeout",
      500,
      .timedOut
    ),
    (
      "error in ListJSON: couldn't list files: Propfind \"https://127.0.0.1:18084/\": x509: certificate signed by unknown authority",
      500, .certificate
    ),
    (
      "error in ListJSON: couldn't list files: Propfind \"https://127.0.0.1:18087/\": x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs",
      500, .certificate
    ),
    ("error in ListJSON: couldn't list files: 429 Too Many Requests", 500, .tooManyRequests),
    (
      "error in ListJSON: SlowDown: x\n\tstatus code: 503, request id: , host id: ", 500, .tooManyRequests
    ),
    ("NewFs: couldn't connect SSH: ssh: handshake failed: knownhosts: key mismatch", 500, .failed),
    ("NewFs: couldn't connect SSH: ssh: handshake failed: knownhosts: key is unknown", 500, .failed),
    ("error in ListJSON: couldn't list files: 500 Internal Server Error", 500, .failed),
    (
      "error in ListJSON: couldn't list files: Propfind \"https://127.0.0.1:18083/\": http: server gave HTTP response to HTTPS client",
      500, .failed
    ),
    ("couldn't decrypt password: input too short when revealing password - is it obscured?", 500, .failed),
    ("", 404, .notFound), ("", 429, .tooManyRequests), ("", 503, .unreachable), ("", 500, .failed),
  ]

  @Test(arguments: told.indices)
  func `rclone's errors are understood`(_ index: Int) {
    let (text, status, kind) = Self.told[index]
    let error = RcloneError(text: text, status: status, subject: "nas:photos")
    #expect(error.kind == kind, "\(text)")
    #expect(!error.reason.isEmpty && !error.reason.contains { $0.isNewline })
    #expect(error.isTransient == [.unreachable, .timedOut, .tooManyRequests].contains(kind))
    #expect(error.description.hasPrefix("nas:photos: "))
  }

  @Test func `The message gives the cause and no more`() {
    let refused = RcloneError(
      text: Self.told.first { $0.text.contains("refused") }?.text ?? "", status: 500, subject: "nas:")
    #expect(refused.description == "nas:: the server can't be reached (connection refused)")
    let bucket = RcloneError(
      text: Self.told.first { $0.text.contains("caused by") }?.text ?? "", status: 500, subject: "s3:")
    #expect(bucket.reason == refused.reason)
  }

  @Test func `No message has a password, a second line, or control characters`() {
    let text =
      "Get \"https://me:s3cret@example.org/x?a@b\": \u{1B}[31mbad token abcdef, pass=abc\u{9B}\ngoroutine 1 [running]:\nmain.go:12"
    let error = RcloneError(text: text, status: 500, subject: "nas:", hiding: ["abcdef", "abc", ""])
    #expect(error.reason == "Get \"https://example.org/x?a@b\": [31mbad token …, pass=…")
    let long = RcloneError(text: String(repeating: "x", count: 5000), status: 500, subject: "")
    #expect(long.reason.count == 301)
  }
}
