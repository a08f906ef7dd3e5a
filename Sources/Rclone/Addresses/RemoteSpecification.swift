/// The part of an address before the path: a remote from the user's configuration, or a backend with its
/// options.
///
/// Implements the grammar of rclone's connection strings (https://rclone.org/docs/#connection-strings):
/// `name:`, `:backend,option=value,flag:`. A value in single or double quotes may contain commas and colons;
/// the quote itself is doubled.
struct RemoteSpecification: Hashable, Sendable {
  /// The name of a configured remote; nil if `backend` is set.
  var name: String?
  /// The backend of an on-the-fly remote; nil if `name` is set.
  var backend: String?
  /// The options in order; those without a value have "true".
  var options: [Option] = []
  /// The length of the specification in bytes of UTF-8, including its colon.
  var length: Int

  struct Option: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// Parses a specification.
  ///
  /// - Parameters:
  ///   - text: starts with the specification; a path may follow.
  ///   - allowsFlagsOfNames: whether options of a configured remote may omit the value: "nas,no_head:"
  ///     instead of "nas,no_head=true:". If false, fewer names of local files are mistaken for remotes.
  /// - Returns: nil if the text does not start with a specification.
  init?(_ text: String, allowsFlagsOfNames: Bool = true) {
    var rest = Substring(text).utf8
    let isBackend = rest.first == UInt8(ascii: ":")
    if isBackend { rest = rest.dropFirst() }
    let isPart: (UInt8) -> Bool = { isBackend ? Self.isOptionByte($0) : Self.isNameByte($0) }
    let called = rest.prefix(while: isPart)
    rest = rest[called.endIndex...]
    guard let first = called.first, let last = called.last, first != UInt8(ascii: "-"),
      first != UInt8(ascii: " "), last != UInt8(ascii: " ")
    else { return nil }
    while rest.first == UInt8(ascii: ",") {
      let before = rest
      guard let option = Self.takeOption(&rest) else { return nil }
      let hasValue = before[..<rest.startIndex].contains(UInt8(ascii: "="))
      guard isBackend || allowsFlagsOfNames || hasValue else { return nil }
      options.append(option)
    }
    guard rest.first == UInt8(ascii: ":") else { return nil }
    rest = rest.dropFirst()
    if isBackend { backend = String(Substring(called)) } else { name = String(Substring(called)) }
    length = text.utf8.count - rest.count
  }

  /// Whether this is the name of a configured remote without options.
  var isPlain: Bool { name != nil && options.isEmpty }

  /// Whether a byte is allowed in a remote's name.
  ///
  /// Non-ASCII letters are not: rclone accepts them only since 1.61.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_. +@-".utf8.contains(byte)
    }
  }

  private static func isOptionByte(_ byte: UInt8) -> Bool {
    isNameByte(byte) && byte != UInt8(ascii: " ") && byte != UInt8(ascii: "+") && byte != UInt8(ascii: "@")
  }

  /// Parses ",name", ",name=value" or ",name='value'" and advances `rest` past it.
  private static func takeOption(_ rest: inout Substring.UTF8View) -> Option? {
    let (comma, colon) = (UInt8(ascii: ","), UInt8(ascii: ":"))
    rest = rest.dropFirst()
    let name = rest.prefix(while: isOptionByte)
    rest = rest[name.endIndex...]
    guard !name.isEmpty else { return nil }
    guard rest.first == UInt8(ascii: "=") else {
      return Option(name: String(Substring(name)), value: "true")
    }
    rest = rest.dropFirst()
    let value: [UInt8]
    if let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
      guard let quoted = takeQuoted(&rest, quote: quote), rest.first == comma || rest.first == colon else {
        return nil
      }
      value = quoted
    } else {
      let plain = rest.prefix { $0 != comma && $0 != colon }
      rest = rest[plain.endIndex...]
      value = Array(plain)
    }
    return Option(name: String(Substring(name)), value: String(decoding: value, as: UTF8.self))
  }

  /// Parses a quoted text, in which the quote is doubled, and advances `rest` past it.
  private static func takeQuoted(_ rest: inout Substring.UTF8View, quote: UInt8) -> [UInt8]? {
    rest = rest.dropFirst()
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte != quote {
        value.append(byte)
      } else if rest.first == quote {
        rest = rest.dropFirst()
        value.append(quote)
      } else {
        return value
      }
    }
    return nil
  }
}
