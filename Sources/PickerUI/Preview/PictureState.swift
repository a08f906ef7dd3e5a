import AssetLibrary

/// The pictures that should be at hand, and what has come of them.
///
/// Tokens only: the pixels are with whoever draws.
struct PictureState: Sendable {
  private(set) var statuses: [PictureKey: PictureStatus] = [:]
  /// The most urgent first.
  var wants: [PictureWant] = []

  /// What has come of a picture; nil while it is made.
  subscript(key: PictureKey) -> PictureStatus? { statuses[key] }

  /// The preview that is wanted.
  var wantedPreview: PictureKey? { wants.wantedPreview }

  mutating func add(_ new: [PictureKey: PictureStatus]) { statuses.merge(new) { $1 } }

  /// Forgets what has come of all other pictures.
  mutating func keep(_ isKept: (PictureKey) -> Bool) { statuses = statuses.filter { isKept($0.key) } }

  mutating func forgetAll() { self = PictureState() }
}

extension [PictureWant] {
  /// The preview among them.
  var wantedPreview: PictureKey? { first { $0.priority == .preview }?.key }
}
