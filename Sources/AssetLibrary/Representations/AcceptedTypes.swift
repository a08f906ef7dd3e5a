package import MediaFormats

/// The file types that a consumer accepts, in the syntax of HTML's `accept` attribute.
///
///     let types = try AcceptedTypes(parsing: "image/jpeg, image/*, .heic")
///
/// Grammar: the HTML standard, section 4.10.5.1.17 (File Upload state).
public struct AcceptedTypes: Hashable, Sendable {
  /// One entry of the list.
  enum Pattern: Hashable, Sendable {
    /// A MIME type in lowercase.
    case type(String)
    /// All MIME types of a top-level type, such as "image".
    case kind(String)
    /// A file name extension without its dot, in lowercase.
    case suffix(String)
    case anything
  }

  let patterns: [Pattern]

  /// Parses a comma-separated list of MIME types, `image/*`, `.heic`, `*.heic` and `*/*`.
  /// - Throws: `AcceptedTypesError` for an entry that is not a type, and for an empty list.
  public init(parsing list: String) throws(AcceptedTypesError) {
    var patterns: [Pattern] = []
    for part in list.split(separator: ",") {
      let word = part.drop(while: \.isWhitespace).lowercased().trimmingEnd()
      if !word.isEmpty { patterns.append(try Self.pattern(word)) }
    }
    guard !patterns.isEmpty else { throw AcceptedTypesError(word: list) }
    self.patterns = patterns
  }

  private static func pattern(_ word: String) throws(AcceptedTypesError) -> Pattern {
    if ["*/*", "*", "*.*"].contains(word) { return .anything }
    let suffix = word.hasPrefix("*.") ? word.dropFirst(2) : word.hasPrefix(".") ? word.dropFirst() : ""
    if !suffix.isEmpty {
      guard suffix.allSatisfy({ $0.isLetter || $0.isNumber }) else { throw AcceptedTypesError(word: word) }
      return .suffix(String(suffix))
    }
    // Parameters of a MIME type, which are ignored, follow a semicolon.
    let type = word.prefix { $0 != ";" }
    let halves = type.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isOfType) }) else {
      throw AcceptedTypesError(word: word)
    }
    return halves[1] == "*" ? .kind(String(halves[0])) : .type(String(type).trimmingEnd())
  }

  /// Whether a character is allowed in a MIME type (RFC 6838, 4.2) or is the asterisk of `image/*`.
  private static func isOfType(_ letter: Character) -> Bool {
    letter.isASCII && (letter.isLetter || letter.isNumber || "!#$&^_.+-* ".contains(letter))
  }

  /// Returns whether files of a format are accepted.
  package func admits(_ format: FileFormat) -> Bool {
    let mimeType = format.mimeType
    return patterns.contains { pattern in
      switch pattern {
      case .type(let type): type == mimeType || Self.names[type] == format
      case .kind(let kind): mimeType?.hasPrefix(kind + "/") ?? (kind == "image")
      case .suffix(let suffix): format.suffixes.contains(suffix)
      case .anything: true
      }
    }
  }

  /// Whether the list restricts the types at all.
  package var isDemanding: Bool { !patterns.contains(.anything) }

  /// Returns the file extension for a format, without its dot: one from the list if possible, otherwise the
  /// usual one.
  package func suffix(for format: FileFormat) -> String? {
    let listed = patterns.compactMap { if case .suffix(let suffix) = $0 { suffix } else { nil } }
    return format.suffixes.first(where: listed.contains) ?? format.suffixes.first
  }

  /// Returns whether a type is accepted, given its identifier, as "public.jpeg".
  public func admits(typeIdentifier: String) -> Bool {
    FileFormat(uniformTypeIdentifier: typeIdentifier).map(admits) ?? patterns.contains(.anything)
  }

  /// Nonstandard names of MIME types in common use.
  private static let names: [String: FileFormat] = [
    "image/jpg": .jpeg, "image/pjpeg": .jpeg, "image/x-png": .png, "image/heif": .heic, "image/tif": .tiff,
    "image/x-ms-bmp": .bmp, "image/dng": .dng, "video/mov": .quickTime, "video/x-m4v": .m4v,
    "video/mkv": .matroska, "video/matroska": .matroska, "video/avi": .avi,
  ]
}

/// A syntax error in a list of accepted types.
public struct AcceptedTypesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The entry that is not a type.
  public var word: String

  /// The error as a message for the user.
  public var description: String {
    "'\(word)' is not a file type; write types such as image/jpeg, image/*, video/mp4 or .heic, with commas between them"
  }
}

extension AcceptedTypes: CustomStringConvertible {
  /// The list as text for messages, as "JPEG, .heic".
  public var description: String {
    patterns.map { pattern in
      switch pattern {
      case .type(let type): FileFormat.allCases.first { $0.mimeType == type }?.name ?? type
      case .kind(let kind): "\(kind)s"
      case .suffix(let suffix): ".\(suffix)"
      case .anything: "anything"
      }
    }.joined(separator: ", ")
  }
}

extension StringProtocol {
  fileprivate func trimmingEnd() -> String {
    var text = String(self)
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return text
  }
}
