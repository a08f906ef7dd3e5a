package import AssetLibrary
package import SystemPackage

/// The user's decision about one program that requests access to photos.
package struct ClientPermission: Hashable, Sendable {
  /// The name under which the program requests access.
  package let client: String
  /// The reason given with the last request; nil if none was recorded.
  package var purpose: String?
  package var readWrite: AuthorizationStatus
  package var addOnly: AuthorizationStatus
  /// The assets the program may see under limited access, sorted by identifier.
  package private(set) var allowed: [AllowedAsset]
  /// Time of the last decision.
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

  /// The decision as the library's type.
  package var decision: AccessDecision {
    var files: [LocalIdentifier: UInt64] = [:]
    for asset in allowed { files[asset.identifier] = asset.successorFile }
    return AccessDecision(
      readWrite: readWrite, addOnly: addOnly,
      allowed: AllowedAssets(Set(allowed.map(\.identifier)), successorFiles: files))
  }

  /// Replaces the decision by one that was made in a library.
  /// - Parameter path: returns the assets with their paths; called with the assets whose path is not stored
  ///   yet.
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

  /// The authorization status for an access level.
  package func status(for level: AccessLevel) -> AuthorizationStatus { decision.status(for: level) }
}

/// A photo that a client may see under limited access, as stored.
package struct AllowedAsset: Hashable, Sendable {
  package var identifier: LocalIdentifier
  /// The number of the asset's file when access was granted; nil if it had not replaced another file.
  ///
  /// See `AssetFetching.successorFiles`.
  package var successorFile: UInt64?
  /// The last known absolute path of its file; nil if unknown.
  package var path: FilePath?

  package init(_ identifier: LocalIdentifier, successorFile: UInt64? = nil, path: FilePath? = nil) {
    self.identifier = identifier
    self.successorFile = successorFile
    self.path = path
  }
}
