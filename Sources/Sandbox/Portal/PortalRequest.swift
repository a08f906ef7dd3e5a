/// What a program in the sandbox asks the portal for: photos to choose.
///
/// It travels as fields `name=value`, each ended by NUL, behind a field with the protocol's name and version. Everything in
/// it is a stranger's, and is taken strictly.
package struct PortalRequest: Equatable, Sendable {
  /// The most photos; 0 = no limit.
  package var limit = 1
  /// The most images and videos among them; 0 = no limit.
  package var imageLimit = 0
  package var videoLimit = 0
  /// Expressions as `--filter` has them, all of which must match.
  package var filters: [String] = []
  /// A search as `--query` has it.
  package var query: String?
  /// Why the photos are asked for.
  package var purpose: String?

  package init() {}

  /// The most bytes of a request.
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

  /// - Returns: nil for anything but a whole request.
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

  /// A number of at most six digits.
  private static func count(_ text: String) -> Int? {
    guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}

/// Whether the user is asked once more: a program that asks again and again is no longer let through.
package struct PortalPolicy: Equatable, Sendable {
  private var cancellations = 0

  /// How many requests in a row may be cancelled.
  package static let mostCancellations = 3

  package init() {}

  /// Whether the user has cancelled too often.
  package var isExhausted: Bool { cancellations >= Self.mostCancellations }

  /// Takes note of what became of a request.
  package mutating func note(_ answer: PortalAnswer) {
    switch answer {
    case .granted: cancellations = 0
    case .cancelled: cancellations += 1
    case .refused: break
    }
  }
}

/// What the portal answers: nothing of the library but names below `SandboxPlace.photos`.
package enum PortalAnswer: Equatable, Sendable {
  /// The paths inside of what was chosen, in the order of the picker.
  case granted([[UInt8]])
  /// The user chose nothing.
  case cancelled
  /// Nobody was asked, or nothing could be added; why.
  case refused(String)

  /// The most bytes of an answer.
  package static let longest = 16 << 20

  package var bytes: [UInt8] {
    switch self {
    case .granted(let paths): PortalFields.joined([Array("granted".utf8)] + paths)
    case .cancelled: PortalFields.joined([Array("cancelled".utf8)])
    case .refused(let reason): PortalFields.joined([Array("refused".utf8), Array(reason.utf8)])
    }
  }

  /// - Returns: nil for anything but a whole answer.
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

/// Puts a message together of what a socket gives: four bytes of length, the lowest first, then the message.
///
/// A length beyond the limit ends it at once: no room is made for what a stranger only announces.
package struct MessageReader: Equatable, Sendable {
  /// How far it has come.
  package enum State: Equatable, Sendable {
    case incomplete
    case complete([UInt8])
    /// It announces too much, or goes on behind its end.
    case invalid
  }

  private let limit: Int
  private var bytes: [UInt8] = []

  private static let headerLength = 4

  package init(limit: Int) { self.limit = limit }

  /// Takes the next bytes.
  package mutating func take(_ more: some Sequence<UInt8>) -> State {
    bytes += more
    guard bytes.count >= Self.headerLength else { return .incomplete }
    let length = bytes[..<Self.headerLength].reversed().reduce(0) { $0 << 8 | Int($1) }
    let received = bytes.count - Self.headerLength
    guard length <= limit, received <= length else { return .invalid }
    return received == length ? .complete(Array(bytes[Self.headerLength...])) : .incomplete
  }

  /// A message as it travels.
  package static func framed(_ message: [UInt8]) -> [UInt8] {
    (0..<headerLength).map { UInt8(truncatingIfNeeded: message.count >> (8 * $0)) } + message
  }
}

/// Strings of bytes, each ended by NUL, which none of them holds.
private enum PortalFields {
  static func joined(_ fields: [[UInt8]]) -> [UInt8] {
    fields.flatMap { field in field.filter { $0 != 0 } + [0] }
  }

  /// - Returns: nil where there is none, or the last one is not ended.
  static func split(_ bytes: [UInt8]) -> [[UInt8]]? {
    guard bytes.last == 0 else { return nil }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
  }
}
