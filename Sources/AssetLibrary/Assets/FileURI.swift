import System

/// Converts between paths and `file://` URIs (RFC 8089), preserving all bytes of the path.
public enum FileURI {
  /// Selects the characters that are not percent-encoded, in addition to letters and digits.
  public enum Encoding: Hashable, Sendable {
    /// RFC 3986's unreserved characters and the slash, which every reader decodes.
    case unreserved
    /// The characters that GLib's `g_filename_to_uri` does not encode, for programs that compare URIs as
    /// strings: RFC 3986's path characters except the semicolon.
    case glib

    fileprivate var plain: String.UTF8View {
      switch self {
      case .unreserved: "-._~/".utf8
      case .glib: "!$&'()*+,-./:=@_~".utf8
      }
    }
  }

  /// Returns the URI of an absolute path.
  /// - Parameters:
  ///   - path: the bytes of the path.
  ///   - encoding: which characters to leave unencoded.
  public static func text(for path: some Sequence<UInt8>, encoding: Encoding = .unreserved) -> String {
    "file://" + PercentEncoding.encoded(path, keeping: encoding.plain)
  }

  /// Returns the path of a URI that names a local file; nil for any other text.
  /// - Parameter text: a URI such as "file:///a%20b.jpg"; the host is empty or "localhost".
  public static func path(of text: String) -> [UInt8]? {
    // RFC 8089 also allows "file:/path", without an authority.
    guard text.prefix(6).lowercased() == "file:/" else { return nil }
    var rest = text.utf8.dropFirst(5)[...]
    if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2) }
    if rest.starts(with: "localhost/".utf8) { rest = rest.dropFirst(9) }
    guard rest.first == UInt8(ascii: "/") else { return nil }
    return PercentEncoding.decoded(rest).flatMap { $0.contains(0) ? nil : $0 }
  }
}
