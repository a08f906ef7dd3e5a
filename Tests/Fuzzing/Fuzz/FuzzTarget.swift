import Fixtures

/// What reads bytes that others wrote, and is fed with nonsense.
struct FuzzTarget: Sendable {
  let name: String
  /// Marks of the format, for the mutator.
  var words: [String] = []
  /// The heap that one file may take at a time, in bytes, whatever it says; the file itself is 64 KiB at most.
  var memory: @Sendable ([UInt8]) -> Int = { _ in 32 << 20 }
  /// Files to begin with.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Makes good what would hide the parser behind it, as a checksum does.
  var mend: @Sendable ([UInt8]) -> [UInt8] = { $0 }
  /// Reads the bytes; false where they are of no use to this target.
  let run: @Sendable ([UInt8]) -> Bool

  static let all: [FuzzTarget] =
    decoders + [animation, header] + metadata + conversion + helper + [partial, servers, wire] + others

  /// The words as the mutator takes them.
  var dictionary: [[UInt8]] { words.map { Array($0.utf8) } }

  /// Reads the bytes as `run` does, and ends the program where that took more memory than it may.
  func runBounded(_ bytes: [UInt8]) -> Bool {
    let heap = HeapPeak()
    let isOfUse = run(bytes)
    let most = memory(bytes)
    if heap.bytes > most {
      fatalError("\(heap.bytes) bytes of heap were taken, of \(most) that \(name) may take")
    }
    return isOfUse
  }
}
