/// A server that shows a certificate: a host and a port.
package struct ServerEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// In lower case; of an address of IPv6 without its brackets.
  package let host: String
  package let port: UInt16

  /// - Parameter text: "HOST" or "HOST:PORT", "[::1]:8443"; the port is 443 where it is not told.
  /// - Returns: nil where it is none.
  package init?(_ text: String) {
    var host = Substring(text)
    var port = Substring("443")
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      if !rest.isEmpty {
        guard rest.first == ":" else { return nil }
        port = rest.dropFirst()
      }
      guard host.contains(":"), host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
        return nil
      }
    } else if let colon = text.lastIndex(of: ":") {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
      if host.contains(":") { return nil }
    }
    let isHost = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-._:".utf8.contains(byte)
      }
    }
    guard !host.isEmpty, host.first != "-", host.first != ".", isHost, let number = UInt16(port), number > 0
    else {
      return nil
    }
    self.host = host.lowercased()
    self.port = number
  }

  /// The server behind the options of a remote; nil where it is reached without TLS, or is not told.
  /// - Parameter options: by their names, "type" among them.
  package init?(options: [String: String]) {
    let place = ["url", "endpoint", "auth"].lazy.compactMap { options[$0] }.first { !$0.isEmpty } ?? ""
    if place.isEmpty {
      // FTP over TLS from the first byte; the later kind can't be looked at.
      guard options["type"] == "ftp", options["tls"] == "true", let host = options["host"] else { return nil }
      self.init("\(host.contains(":") ? "[\(host)]" : host):\(options["port"] ?? "990")")
      return
    }
    var rest = Substring(place)
    if let scheme = place.firstRange(of: "://") {
      guard place[..<scheme.lowerBound].lowercased() == "https" else { return nil }
      rest = place[scheme.upperBound...]
    } else if options["type"] != "s3" {
      return nil
    }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    self.init(String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""))
  }

  /// How it is named: "example.org", "example.org:8443".
  package var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == 443 ? name : "\(name):\(port)"
  }

  /// Where it is connected to.
  var url: String { "https://\(host.contains(":") ? "[\(host)]" : host):\(port)/" }

  /// The name of the file that its certificate is kept in.
  var fileName: String { "\(host.replacing(":", with: "-"))_\(port).pem" }
}
