import Fixtures

/// What reads bytes that others wrote, and is fed with nonsense.
struct FuzzTarget: Sendable {
  let name: String
  /// Marks of the format, for the mutator.
  var words: [String] = []
  /// Files to begin with.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Makes good what would hide the parser behind it, as a checksum does.
  var mend: @Sendable ([UInt8]) -> [UInt8] = { $0 }
  /// Reads the bytes; false where they are of no use to this target.
  let run: @Sendable ([UInt8]) -> Bool

  static let all: [FuzzTarget] = decoders + [animation] + metadata + helper + [wire]

  /// The words as the mutator takes them.
  var dictionary: [[UInt8]] { words.map { Array($0.utf8) } }
}
