/// A request from a program in the sandbox to the portal: let the user choose photos.
///
/// Wire form: fields `name=value`, each terminated by NUL, after a field with the protocol's name and
/// version. The contents are untrusted and parsed strictly.
package struct PortalRequest: Equatable, Sendable {
  /// The maximum number of photos; 0 = no limit.
  package var limit = 1
  /// The maximum number of images and videos among them; 0 = no limit.
  package var imageLimit = 0
  package var videoLimit = 0
  /// Filter expressions as in `--filter`; a photo must match all of them.
  package var filters: [String] = []
  /// A search as in `--query`.
  package var query: String?
  /// The reason for the request, shown to the user.
  package var purpose: String?

  package init() {}

  /// The maximum size of a request in bytes.
  package static let longest = 16 << 10

  private static let greeting = Array("tpick-portal-1".utf8)
  private static let mostFilters = 16
  private static let longestText = 1000

  package var bytes: [UInt8] {
    var fields = ["limit=\(limit)", "images=\(imageLimit)", "videos=\(videoLimit)"]
    fields += filters.map { "filter=\($0)" }
    if let query { fields.append("query=\(query)") }
    if let purpose { fields.append("purpose=\(purpose)") }
    return PortalFields.joined([Self.greeting] + fields.map { Array($0.utf8) })
  }

  /// - Returns: nil unless the bytes are one complete, valid request.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.longest, let fields = PortalFields.split(bytes), fields.first == Self.greeting
    else { return nil }
    var seen: Set<Substring> = []
    for field in fields.dropFirst() {
      guard let text = String(validating: field, as: UTF8.self), let equals = text.firstIndex(of: "=") else {
        return nil
      }
      let (name, value) = (text[..<equals], String(text[text.index(after: equals)...]))
      guard value.utf8.count <= Self.longestText, name == "filter" || seen.insert(name).inserted else {
        return nil
      }
      switch name {
      case "limit": guard let count = Self.count(value) else { return nil }; limit = count
      case "images": guard let count = Self.count(value) else { return nil }; imageLimit = count
      case "videos": guard let count = Self.count(value) else { return nil }; videoLimit = count
      case "filter": filters.append(value)
      case "query": query = value
      case "purpose": purpose = value
      default: return nil
      }
    }
    guard filters.count <= Self.mostFilters else { return nil }
  }

  /// Parses a number of one to six digits.
  private static func count(_ text: String) -> Int? {
    guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}

/// Limits repeated requests: after several cancellations in a row, the program can't open the picker again.
package struct PortalPolicy: Equatable, Sendable {
  private var cancellations = 0

  /// How many requests in a row the user may cancel before further ones are refused.
  package static let mostCancellations = 3

  package init() {}

  /// Whether the user has cancelled too many requests in a row.
  package var isExhausted: Bool { cancellations >= Self.mostCancellations }

  /// Records the outcome of a request.
  package mutating func note(_ answer: PortalAnswer) {
    switch answer {
    case .granted: cancellations = 0
    case .cancelled: cancellations += 1
    case .refused: break
    }
  }
}

/// The portal's answer.
///
/// It contains nothing about the library except paths below `SandboxPlace.photos`.
package enum PortalAnswer: Equatable, Sendable {
  /// The chosen photos' paths inside the sandbox, in the picker's order.
  case granted([[UInt8]])
  /// The user chose nothing.
  case cancelled
  /// The picker was not shown, or nothing could be added; the payload is the reason.
  case refused(String)

  /// The maximum size of an answer in bytes.
  package static let longest = 16 << 20

  package var bytes: [UInt8] {
    switch self {
    case .granted(let paths): PortalFields.joined([Array("granted".utf8)] + paths)
    case .cancelled: PortalFields.joined([Array("cancelled".utf8)])
    case .refused(let reason): PortalFields.joined([Array("refused".utf8), Array(reason.utf8)])
    }
  }

  /// - Returns: nil unless the bytes are one complete, valid answer.
  package init?(_ bytes: [UInt8]) {
    guard let fields = PortalFields.split(bytes), let kind = fields.first else { return nil }
    switch (String(decoding: kind, as: UTF8.self), fields.count) {
    case ("granted", _): self = .granted(Array(fields.dropFirst()))
    case ("cancelled", 1): self = .cancelled
    case ("refused", 2): self = .refused(String(decoding: fields[1], as: UTF8.self))
    default: return nil
    }
  }
}

/// Assembles a message from a byte stream: a length of four bytes, little-endian, then the message.
///
/// A length above the limit makes the message invalid at once; no memory is reserved for an announced length.
package struct MessageReader: Equatable, Sendable {
  /// The progress of the message.
  package enum State: Equatable, Sendable {
    case incomplete
    case complete([UInt8])
    /// The length exceeds the limit, or bytes follow the end.
    case invalid
  }

  private let limit: Int
  private var bytes: [UInt8] = []

  private static let headerLength = 4

  package init(limit: Int) { self.limit = limit }

  /// Appends received bytes and returns the new state.
  package mutating func take(_ more: some Sequence<UInt8>) -> State {
    bytes += more
    guard bytes.count >= Self.headerLength else { return .incomplete }
    let length = bytes[..<Self.headerLength].reversed().reduce(0) { $0 << 8 | Int($1) }
    let received = bytes.count - Self.headerLength
    guard length <= limit, received <= length else { return .invalid }
    return received == length ? .complete(Array(bytes[Self.headerLength...])) : .incomplete
  }

  /// Returns a message with its length prefix.
  package static func framed(_ message: [UInt8]) -> [UInt8] {
    (0..<headerLength).map { UInt8(truncatingIfNeeded: message.count >> (8 * $0)) } + message
  }
}

/// Byte strings, each terminated by NUL; the strings contain no NUL.
private enum PortalFields {
  static func joined(_ fields: [[UInt8]]) -> [UInt8] {
    fields.flatMap { field in field.filter { $0 != 0 } + [0] }
  }

  /// - Returns: nil if there is no field or the last one is not terminated.
  static func split(_ bytes: [UInt8]) -> [[UInt8]]? {
    guard bytes.last == 0 else { return nil }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
  }
}
