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
    let hex = Array("0123456789ABCDEF".utf8)
    let plain = encoding.plain
    var text = Array("file://".utf8)
    for byte in path {
      if isLetterOrDigit(byte) || plain.contains(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of the path that a URI of this machine's file names; nil for any other text.
  public static func path(of text: String) -> [UInt8]? {
    // RFC 8089 has "file:/path" besides, without an authority.
    guard text.prefix(6).lowercased() == "file:/" else { return nil }
    var rest = text.utf8.dropFirst(5)[...]
    if rest.starts(with: "//".utf8) { rest = rest.dropFirst(2) }
    if rest.starts(with: "localhost/".utf8) { rest = rest.dropFirst(9) }
    guard rest.first == UInt8(ascii: "/") else { return nil }
    var path: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        path.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, let high = value(ofDigit: digits.first), let low = value(ofDigit: digits.last)
      else { return nil }
      path.append(high << 4 | low)
      rest = rest.dropFirst(2)
    }
    return path.contains(0) ? nil : path
  }

  private static func value(ofDigit digit: UInt8?) -> UInt8? {
    digit.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map(UInt8.init)
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
