import AssetLibrary
import Configuration
import SystemPackage

/// The stored permissions as a TOML document (toml.io, 1.0.0).
///
///     version = 1
///
///     [[clients]]
///     name = "mailer"
///     purpose = "Attach photos"
///     read-write = "limited"
///     add-only = "notDetermined"
///     decided = 1795451354
///     allowed = [
///       ["5f0k2m8xw1q3z", "file:///home/ana/Pictures/beach.jpg"],
///       ["5f0k2m8xw1q40", "file:///home/ana/Pictures/boat.jpg", "8a31f"],
///     ]
///
/// `decided` is in seconds since 1970, UTC.
///
/// An allowed photo is stored as its identifier, the last known URI of its file and, if that file replaced
/// another one, the file's number in hexadecimal.
enum PermissionDocument {
  static let version = 1

  /// Why a document can't be used.
  enum Problem: Error, Hashable {
    case newer(Int)
    case invalid(String)
  }

  static func text(_ clients: [ClientPermission]) -> [UInt8] {
    var text =
      "# Which programs may see which photos, as you decided. Change it with tpick access.\nversion = \(version)\n"
    for client in clients.sorted(by: { $0.client < $1.client }) { append(client, to: &text) }
    return Array(text.utf8)
  }

  private static func append(_ client: ClientPermission, to text: inout String) {
    text += "\n[[clients]]\nname = \(TOMLText.quoted(client.client))\n"
    if let purpose = client.purpose { text += "purpose = \(TOMLText.quoted(purpose))\n" }
    text += "read-write = \"\(client.readWrite.word)\"\nadd-only = \"\(client.addOnly.word)\"\n"
    if let decided = client.decided { text += "decided = \(decided.wallSeconds)\n" }
    if client.allowed.isEmpty { return }
    text += "allowed = [\n"
    for asset in client.allowed {
      var parts = [asset.identifier.rawValue, asset.path.map { FileURI.text(for: $0.bytes) } ?? ""]
      if let file = asset.successorFile { parts.append(String(file, radix: 16)) }
      text += "  [\(parts.map(TOMLText.quoted).joined(separator: ", "))],\n"
    }
    text += "]\n"
  }

  /// Parses a document.
  /// - Throws: `Problem` if the document contains anything that `text` would not write, because the next
  ///   write would drop it.
  static func clients(_ bytes: [UInt8]) throws(Problem) -> [ClientPermission] {
    let document: [String: TOMLNode]
    do throws(SettingsProblem) {
      document = try TOMLNode.document(bytes)
    } catch {
      throw .invalid("\(error)")
    }
    guard case .integer(let number)? = document["version"] else { throw .invalid("the version is missing") }
    guard number == version else {
      throw number > version ? .newer(number) : .invalid("version \(number) is not known")
    }
    try check(document, "", has: ["version", "clients"])
    guard let list = document["clients"] else { return [] }
    guard case .list(let nodes) = list else {
      throw .invalid("clients: \(list.text) is not a list of tables")
    }
    var clients: [ClientPermission] = []
    var names: Set<String> = []
    for node in nodes {
      let client = try client(node)
      guard names.insert(client.client).inserted else {
        throw .invalid("client '\(client.client)' is listed twice")
      }
      clients.append(client)
    }
    return clients
  }

  private static func check(
    _ table: [String: TOMLNode], _ place: String, has keys: Set<String>
  ) throws(Problem) {
    if let stranger = Set(table.keys).subtracting(keys).min() {
      throw .invalid("\(place)unknown key '\(stranger)'")
    }
  }

  private static func client(_ node: TOMLNode) throws(Problem) -> ClientPermission {
    guard case .table(let table) = node, case .string(let name)? = table["name"], !name.isEmpty else {
      throw .invalid("a client has no name")
    }
    let place = "'\(name)': "
    try check(table, place, has: ["name", "purpose", "read-write", "add-only", "decided", "allowed"])
    var purpose: String?
    if let node = table["purpose"] {
      guard case .string(let text) = node else { throw .invalid("\(place)'purpose' is not a string") }
      purpose = text
    }
    var decided: AssetDate?
    if let node = table["decided"] {
      guard case .integer(let seconds) = node else { throw .invalid("\(place)'decided' is not a number") }
      decided = AssetDate(wallSeconds: Int64(seconds), utcOffset: 0)
    }
    return ClientPermission(
      client: name, purpose: purpose, readWrite: try status(table, "read-write", place),
      addOnly: try status(table, "add-only", place), allowed: try allowed(table["allowed"], place),
      decided: decided)
  }

  private static func status(
    _ table: [String: TOMLNode], _ key: String, _ place: String
  ) throws(Problem) -> AuthorizationStatus {
    guard case .string(let word)? = table[key],
      let status = AuthorizationStatus.allCases.first(where: { $0.word == word })
    else { throw .invalid("\(place)'\(key)' is not a permission state") }
    return status
  }

  private static func allowed(_ node: TOMLNode?, _ place: String) throws(Problem) -> [AllowedAsset] {
    guard let node else { return [] }
    guard case .list(let nodes) = node else { throw .invalid("\(place)'allowed' is not a list") }
    var identifiers: Set<String> = []
    return try nodes.map { node throws(Problem) in
      guard case .list(let parts) = node, (2...3).contains(parts.count),
        case .string(let identifier) = parts[0],
        !identifier.isEmpty, case .string(let uri) = parts[1], identifiers.insert(identifier).inserted
      else { throw .invalid("\(place)an entry of 'allowed' is malformed or listed twice") }
      var asset = AllowedAsset(LocalIdentifier(identifier))
      if !uri.isEmpty {
        guard let path = FileURI.path(of: uri) else { throw .invalid("\(place)'\(uri)' is not a file URI") }
        asset.path = FilePath(bytes: path)
      }
      if parts.count == 3 {
        guard case .string(let digits) = parts[2], let file = UInt64(digits, radix: 16) else {
          throw .invalid("\(place)a file number is not hexadecimal")
        }
        asset.successorFile = file
      }
      return asset
    }
  }
}
