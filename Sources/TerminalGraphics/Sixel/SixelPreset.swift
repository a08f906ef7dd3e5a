/// What a sixel picture may cost.
///
/// `quality` is for terminals that take pictures as fast as they come: 256 colours, bytes saved only
/// where nobody sees it. `speed` is for slow ones: 64 colours and less than half of the bytes, made in less time.
package enum SixelPreset: Hashable, Sendable, CaseIterable {
  case quality, speed

  /// How many colours are used at most.
  var colors: Int { self == .quality ? 256 : 64 }
  /// How many pixels the colours are chosen from.
  var samples: Int { self == .quality ? 120_000 : 20_000 }
  /// How often the chosen colours are moved to the means of their pixels.
  var refinements: Int { self == .quality ? 2 : 1 }
  /// The squared error of a pixel that a byte is worth.
  var thrift: Float { self == .quality ? 4 : 50 }
}
