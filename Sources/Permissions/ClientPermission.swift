package import AssetLibrary
package import SystemPackage

/// What the user decided on one program that asks for photos.
package struct ClientPermission: Hashable, Sendable {
  /// The name by which it asks.
  package let client: String
  /// Why it asked last; nil where it never did.
  package var purpose: String?
  package var readWrite: AuthorizationStatus
  package var addOnly: AuthorizationStatus
  /// What it may see under limited access, by identifier.
  package private(set) var allowed: [AllowedAsset]
  /// When the user decided last.
  package var decided: AssetDate?

  package init(
    client: String, purpose: String? = nil, readWrite: AuthorizationStatus = .notDetermined,
    addOnly: AuthorizationStatus = .notDetermined, allowed: [AllowedAsset] = [], decided: AssetDate? = nil
  ) {
    self.client = client
    self.purpose = purpose
    self.readWrite = readWrite
    self.addOnly = addOnly
    self.allowed = allowed.sorted { $0.identifier < $1.identifier }
    self.decided = decided
  }

  /// The same as libraries take it.
  package var decision: AccessDecision {
    var files: [LocalIdentifier: UInt64] = [:]
    for asset in allowed { files[asset.identifier] = asset.successorFile }
    return AccessDecision(
      readWrite: readWrite, addOnly: addOnly,
      allowed: AllowedAssets(Set(allowed.map(\.identifier)), successorFiles: files))
  }

  /// Takes over what was decided in a library.
  /// - Parameter path: where the file of an asset is; asked for those that are new.
  package mutating func take(
    _ decision: AccessDecision, path: ([LocalIdentifier]) -> [LocalIdentifier: AllowedAsset]
  ) {
    readWrite = decision.readWrite
    addOnly = decision.addOnly
    let known = Dictionary(allowed.map { ($0.identifier, $0) }) { first, _ in first }
    let identifiers = decision.allowed.identifiers
    let places = path(identifiers.filter { known[$0]?.path == nil })
    setAllowed(
      identifiers.map { identifier in
        var asset = known[identifier] ?? AllowedAsset(identifier)
        asset.successorFile = decision.allowed.successorFile(of: identifier)
        asset.path = places[identifier]?.path ?? asset.path
        return asset
      })
  }

  package mutating func setAllowed(_ assets: [AllowedAsset]) {
    allowed = assets.sorted { $0.identifier < $1.identifier }
  }

  /// What holds for a level.
  package func status(for level: AccessLevel) -> AuthorizationStatus { decision.status(for: level) }
}

/// A photo that a client may see under limited access, as the store keeps it.
package struct AllowedAsset: Hashable, Sendable {
  package var identifier: LocalIdentifier
  /// `AssetAttributes.successorFile` at the time when it was allowed.
  package var successorFile: UInt64?
  /// Where its file was last, absolute; nil where nobody knows.
  package var path: FilePath?

  package init(_ identifier: LocalIdentifier, successorFile: UInt64? = nil, path: FilePath? = nil) {
    self.identifier = identifier
    self.successorFile = successorFile
    self.path = path
  }
}
