/// A TLS server: a host and a port.
package struct ServerEndpoint: Hashable, Sendable, CustomStringConvertible {
  /// In lower case; an IPv6 address is without its brackets.
  package let host: String
  package let port: UInt16

  /// - Parameter text: "HOST" or "HOST:PORT", "[::1]:8443"; the default port is 443.
  /// - Returns: nil if the text is not a valid endpoint.
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

  /// Creates the endpoint from the options of a remote; nil if the server is reached without TLS or is not
  /// named.
  /// - Parameter options: by their names, including "type".
  package init?(options: [String: String]) {
    let place = ["url", "endpoint", "auth"].lazy.compactMap { options[$0] }.first { !$0.isEmpty } ?? ""
    if place.isEmpty {
      // FTP over implicit TLS. With explicit TLS the certificate can't be fetched.
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

  /// The text form: "example.org", "example.org:8443".
  package var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == 443 ? name : "\(name):\(port)"
  }

  /// The URL to connect to.
  var url: String { "https://\(host.contains(":") ? "[\(host)]" : host):\(port)/" }

  /// The name of the file with its trusted certificate.
  var fileName: String { "\(host.replacing(":", with: "-"))_\(port).pem" }
}
