import Foundation

/// The header of an HTTP/1.1 request or answer (RFC 9112), including the blank line.
struct HTTPHead: Equatable {
  private(set) var bytes: [UInt8]

  /// The request line, or the status line.
  var line: String { lines.first ?? "" }

  /// The method of a request.
  var method: String { String(line.prefix { $0 != " " }) }

  /// The status of an answer.
  var status: Int { Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0 }

  var contentLength: Int? { value(of: "Content-Length").flatMap(Int.init) }

  var isChunked: Bool { value(of: "Transfer-Encoding")?.lowercased().hasSuffix("chunked") ?? false }

  /// Whether the sender will close the connection.
  var wantsClose: Bool {
    value(of: "Connection")?.lowercased() == "close" || line.hasSuffix("HTTP/1.0")
  }

  private var lines: [String] {
    bytes.split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(lines: [String]) { bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) }

  /// The value of the first field with a name; case is ignored.
  func value(of name: String) -> String? {
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"),
        line[..<colon].lowercased() == name.lowercased()
      else { continue }
      return line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return nil
  }

  /// Changes the stated content length; does nothing if there is none.
  mutating func setContentLength(_ length: Int) {
    guard contentLength != nil else { return }
    let changed = lines.filter { !$0.isEmpty }.map { line in
      line.lowercased().hasPrefix("content-length:") ? "Content-Length: \(length)" : line
    }
    self = HTTPHead(lines: changed)
  }
}
