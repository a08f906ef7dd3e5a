/// What a sixel picture may cost.
///
/// `quality` is for terminals that take pictures as fast as they come: 256 colours, bytes saved only
/// where nobody sees it. `speed` is for slow ones: 64 colours and less than half of the bytes, made in less time.
/// `draft` is what stands there until the better one has come over a slow link: 24 colours, a fifth of the bytes.
package enum SixelPreset: Hashable, Sendable, CaseIterable {
  case quality, speed, draft

  /// How many colours are used at most.
  var colors: Int {
    switch self {
    case .quality: 256
    case .speed: 64
    case .draft: 24
    }
  }

  /// How many pixels the colours are chosen from.
  var samples: Int { self == .quality ? 120_000 : 20_000 }
  /// How often the chosen colours are moved to the means of their pixels.
  var refinements: Int { self == .quality ? 2 : 1 }

  /// The squared error of a pixel that a byte is worth.
  var thrift: Float {
    switch self {
    case .quality: 4
    case .speed: 50
    case .draft: 250
    }
  }
}
