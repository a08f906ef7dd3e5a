import AssetLibrary
import Permissions
import Results

/// Formats the permissions of clients as text or JSON.
struct AccessReport {
  private let permissions: [ClientPermission]
  private let namesPhotos: Bool
  private let added: [AllowedPhoto]?

  /// - Parameters:
  ///   - namesPhotos: whether the photos of limited access are listed.
  ///   - added: the newly allowed photos; nil if the action can't add any.
  init(_ permissions: [ClientPermission], namesPhotos: Bool, added: [AllowedPhoto]? = nil) {
    self.permissions = permissions
    self.namesPhotos = namesPhotos
    self.added = added
  }

  /// Prints the report to standard output.
  func print(_ format: DocumentFormat?) throws(Failure) -> ExitStatus {
    let output = format == .json ? try JSONText.line(document) + [0x0A] : Array(text.utf8)
    guard StandardStream.output.write(output) else { throw .error("standard output: can't be written") }
    return .success
  }

  private var document: AccessDocument {
    AccessDocument(clients: permissions.map(AccessDocument.Client.init), added: added)
  }

  /// The newly allowed photos, one per line; otherwise one line per client.
  private var text: String {
    if let added { return added.map { "\(OutputText.escaped($0.path ?? $0.localIdentifier))\n" }.joined() }
    let names = permissions.map { OutputText.escaped($0.client) }
    let states = permissions.map(Self.state)
    let (width, stateWidth) = (names.map(\.count).max() ?? 0, states.map(\.count).max() ?? 0)
    var lines = ""
    for (permission, (name, state)) in zip(permissions, zip(names, states)) {
      let purpose = permission.purpose.map { OutputText.escaped($0) } ?? ""
      let gap = String(repeating: " ", count: width - name.count)
      let line = "\(name)\(gap)  \(state)"
      let rest = String(repeating: " ", count: stateWidth - state.count)
      lines += purpose.isEmpty ? "\(line)\n" : "\(line)\(rest)  \(purpose)\n"
      guard namesPhotos else { continue }
      for asset in permission.allowed {
        let photo = AllowedPhoto(asset)
        lines += "  \(OutputText.escaped(photo.path ?? photo.localIdentifier))\n"
      }
    }
    return lines
  }

  private static func state(of permission: ClientPermission) -> String {
    var words = [permission.readWrite.word]
    if permission.readWrite == .limited {
      words.append(Wording.count(permission.allowed.count, "photo"))
    }
    let add = permission.status(for: .addOnly)
    if add == .authorized, permission.readWrite != .authorized, permission.readWrite != .limited {
      words.append("may save")
    }
    return words.joined(separator: ", ")
  }
}

/// The output of `tpick access` as JSON.
struct AccessDocument: Encodable {
  struct Client: Encodable {
    var client: String
    var purpose: String?
    var readWrite: String
    var addOnly: String
    /// The photos that are accessible under limited access.
    var allowed: [AllowedPhoto]
    /// The date of the last decision in ISO 8601; omitted if there is none.
    var decided: String?

    init(_ permission: ClientPermission) {
      client = permission.client
      purpose = permission.purpose
      readWrite = permission.readWrite.word
      addOnly = permission.status(for: .addOnly).word
      allowed = permission.allowed.map(AllowedPhoto.init)
      decided = permission.decided?.iso8601
    }
  }

  var version = 1
  var clients: [Client]
  /// The newly allowed photos; only for grant --allow and select.
  var added: [AllowedPhoto]?
}

/// A photo that a client may see.
struct AllowedPhoto: Encodable {
  var localIdentifier: String
  /// The last known path of its file.
  var path: String?
  /// The path in Base64 if it is not UTF-8; `path` is lossy then.
  var pathBytes: String?

  init(_ asset: AllowedAsset) {
    localIdentifier = asset.identifier.rawValue
    let text = asset.path.map { PathText($0.bytes) }
    path = text?.text
    pathBytes = text?.base64
  }
}
