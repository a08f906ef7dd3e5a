/// The kinds of changes about which the user is asked.
public enum ChangeKind: String, CaseIterable, Hashable, Sendable {
  /// Favorites, hidden assets, and corrected dates and locations.
  case marks
  /// The user's albums.
  case albums
  /// Moving assets to the trash.
  case deletion
  /// Deleting assets in the trash for good.
  case permanentDeletion
  /// Moving the edits of assets to the trash.
  case revert
  /// Moving assets and edits back from the trash.
  case restoration

  /// Whether the answer counts for one call only; other answers count until the program ends.
  ///
  /// Files are at stake: what was allowed for three photos was not allowed for all others.
  var isAskedEachTime: Bool { self == .deletion || self == .permanentDeletion || self == .revert }
}

/// A question to the user: whether a client may make some changes.
public struct ChangeConsentRequest: Hashable, Sendable {
  /// The name of the client as the user knows it.
  public var client: String
  /// The reason for the request, in the client's words; nil if none was given.
  public var purpose: String?
  /// What the client wants to do.
  public var kind: ChangeKind
  /// The assets that it wants to change; empty for changes of albums that name none.
  public var assets: [LocalIdentifier]

  /// Creates a question.
  public init(client: String, purpose: String? = nil, kind: ChangeKind, assets: [LocalIdentifier]) {
    self.client = client
    self.purpose = purpose
    self.kind = kind
    self.assets = assets
  }

  /// The question in English, as "mutt wants to delete 3 photos".
  ///
  /// The client's name is not escaped for a terminal.
  public var text: String {
    let photos = Wording.count(assets.count, "photo")
    return switch kind {
    case .marks: "\(client) wants to change favorites, dates or other marks of \(photos)"
    case .albums: "\(client) wants to change your albums"
    case .deletion: "\(client) wants to delete \(photos)"
    case .permanentDeletion: "\(client) wants to delete \(photos) for good"
    case .revert: "\(client) wants to delete the edits of \(photos)"
    case .restoration: "\(client) wants to restore \(photos) from the trash"
    }
  }
}

extension AssetChange {
  /// The kind about which the user is asked; nil for creating an asset, which the level `addOnly` allows.
  var kind: ChangeKind? {
    switch self {
    case .setFavorite, .setHidden, .setCreationDate, .setLocation: .marks
    case .delete: .deletion
    case .deletePermanently: .permanentDeletion
    case .revertToOriginal: .revert
    case .restore, .restoreEdits: .restoration
    case .createAsset: nil
    case .createAlbum, .renameAlbum, .moveAlbum, .deleteAlbum, .addAssets, .insertAssets, .removeAssets,
      .moveAssets:
      .albums
    }
  }

  /// The assets that the change names.
  fileprivate var namedAssets: [LocalIdentifier] {
    switch self {
    case .restore(let assets), .deletePermanently(let assets), .insertAssets(let assets, _, _),
      .removeAssets(let assets, _),
      .moveAssets(let assets, _, _):
      assets
    case .createAsset(let asset): [asset]
    default: requiredAssets
    }
  }
}

extension ChangeConsentRequest {
  /// Creates the questions about changes, one for each kind.
  /// - Parameters:
  ///   - changes: the changes of one call.
  ///   - kinds: the kinds about which the user is asked.
  ///   - client: the client and its purpose.
  static func requests(
    about changes: [AssetChange], of kinds: Set<ChangeKind>, _ client: ConsentRequest
  ) -> [ChangeConsentRequest] {
    // What is done to a new asset in the call that creates it needs no question of its own.
    var created: Set<LocalIdentifier> = []
    for case .createAsset(let asset) in changes { created.insert(asset) }
    return ChangeKind.allCases.filter(kinds.contains).compactMap { kind in
      let own = changes.filter { $0.kind == kind && !$0.isOfAsset(in: created) }
      if own.isEmpty { return nil }
      var known: Set<LocalIdentifier> = []
      let assets = own.flatMap(\.namedAssets).filter { known.insert($0).inserted }
      return ChangeConsentRequest(client: client.client, purpose: client.purpose, kind: kind, assets: assets)
    }
  }
}
