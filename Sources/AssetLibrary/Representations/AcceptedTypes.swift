package import MediaFormats

/// The types of files that a consumer can take, as HTML's `accept` attribute lists them.
///
///     let types = try AcceptedTypes(parsing: "image/jpeg, image/*, .heic")
///
/// Source of the grammar: the HTML standard, section 4.10.5.1.17 (File Upload state).
public struct AcceptedTypes: Hashable, Sendable {
  /// One entry of the list.
  enum Pattern: Hashable, Sendable {
    /// A MIME type, in small letters.
    case type(String)
    /// All types of a kind, such as "image".
    case kind(String)
    /// The end of a name without its dot, in small letters.
    case suffix(String)
    case anything
  }

  let patterns: [Pattern]

  /// Reads a list: MIME types, `image/*`, `.heic`, `*.heic`, `*/*`, with commas between them.
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
    // What follows a semicolon are parameters of the type.
    let type = word.prefix { $0 != ";" }
    let halves = type.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isOfType) }) else {
      throw AcceptedTypesError(word: word)
    }
    return halves[1] == "*" ? .kind(String(halves[0])) : .type(String(type).trimmingEnd())
  }

  /// Letters of MIME types (RFC 6838, 4.2), and the star of `image/*`.
  private static func isOfType(_ letter: Character) -> Bool {
    letter.isASCII && (letter.isLetter || letter.isNumber || "!#$&^_.+-* ".contains(letter))
  }

  /// Whether files of a format can be taken.
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

  /// Whether some types are asked for, rather than whatever there is.
  package var isDemanding: Bool { !patterns.contains(.anything) }

  /// The end of the names of files of a format, without its dot: one that the consumer lists, else the usual one.
  package func suffix(for format: FileFormat) -> String? {
    let listed = patterns.compactMap { if case .suffix(let suffix) = $0 { suffix } else { nil } }
    return format.suffixes.first(where: listed.contains) ?? format.suffixes.first
  }

  /// Whether files of a type can be taken, by its identifier, as "public.jpeg".
  public func admits(typeIdentifier: String) -> Bool {
    FileFormat(uniformTypeIdentifier: typeIdentifier).map(admits) ?? patterns.contains(.anything)
  }

  /// Other names of types, as programs write them.
  private static let names: [String: FileFormat] = [
    "image/jpg": .jpeg, "image/pjpeg": .jpeg, "image/x-png": .png, "image/heif": .heic, "image/tif": .tiff,
    "image/x-ms-bmp": .bmp, "image/dng": .dng, "video/mov": .quickTime, "video/x-m4v": .m4v,
    "video/mkv": .matroska, "video/matroska": .matroska, "video/avi": .avi,
  ]
}

/// Why a list of accepted types can't be used.
public struct AcceptedTypesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is no type.
  public var word: String

  public var description: String {
    "'\(word)' is no type; write types such as image/jpeg, image/*, video/mp4 or .heic, with commas between them"
  }
}

extension AcceptedTypes: CustomStringConvertible {
  /// The list in plain words, for messages.
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
