import System

/// `file://` URIs (RFC 8089): any bytes of a path survive.
public enum FileURI {
  /// Which characters of a path stand for themselves; letters and digits always do.
  public enum Encoding: Hashable, Sendable {
    /// RFC 3986's unreserved characters: what every reader decodes.
    case unreserved
    /// Those that GLib's `g_filename_to_uri` leaves as they are, for programs that compare URIs letter by letter:
    /// RFC 3986's characters of a path but for the semicolon.
    case glib

    fileprivate var plain: String.UTF8View {
      switch self {
      case .unreserved: "-._~/".utf8
      case .glib: "!$&'()*+,-./:=@_~".utf8
      }
    }
  }

  /// The URI of an absolute path.
  public static func text(for path: some Sequence<UInt8>, encoding: Encoding = .unreserved) -> String {
    "file://" + PercentEncoding.encoded(path, keeping: encoding.plain)
  }

  /// The bytes of the path that a URI of this machine's file names; nil for any other text.
  public static func path(of text: String) -> [UInt8]? {
    // RFC 8089 has "file:/path" besides, without an authority.
    guard text.prefix(6).lowercased() == "file:/" else { return nil }
    var rest = text.utf8.dropFirst(5)[...]
    if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2) }
    if rest.starts(with: "localhost/".utf8) { rest = rest.dropFirst(9) }
    guard rest.first == UInt8(ascii: "/") else { return nil }
    return PercentEncoding.decoded(rest).flatMap { $0.contains(0) ? nil : $0 }
  }
}
