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
