import AssetLibrary

/// The requested pictures and their outcomes.
///
/// Only keys: the host has the pixels.
struct PictureState: Sendable {
  private(set) var statuses: [PictureKey: PictureStatus] = [:]
  /// The pictures to have ready, the most urgent first.
  var wants: [PictureRequest] = []
  /// How much of the originals that are on their way has come.
  var downloads: [LocalIdentifier: Double] = [:]

  /// The outcome of a picture; nil while it is pending.
  subscript(key: PictureKey) -> PictureStatus? { statuses[key] }

  /// The picture that can be drawn for a key: itself, else one with other marks that is there already.
  func ready(for key: PictureKey) -> PictureKey? {
    key.variants.first { if case .ready = statuses[$0] { true } else { false } }
  }

  /// The requested preview.
  var wantedPreview: PictureKey? { wants.wantedPreview }

  mutating func add(_ new: [PictureKey: PictureStatus]) { statuses.merge(new) { $1 } }

  /// Drops the outcomes of all other pictures.
  mutating func keep(_ isKept: (PictureKey) -> Bool) { statuses = statuses.filter { isKept($0.key) } }

  mutating func forgetAll() { self = PictureState() }
}

extension [PictureRequest] {
  /// The preview among the wants.
  var wantedPreview: PictureKey? { first { $0.priority == .preview }?.key }
}
