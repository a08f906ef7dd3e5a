import Fixtures

/// A parser of untrusted bytes that is fed with arbitrary data.
struct FuzzTarget: Sendable {
  let name: String
  /// Keywords of the format, for the mutator.
  var words: [String] = []
  /// The heap limit for one file, in bytes; the file itself is at most 64 KiB.
  var memory: @Sendable ([UInt8]) -> Int = { _ in 32 << 20 }
  /// Seed files.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Repairs what would keep the parser from being reached, such as a checksum.
  var mend: @Sendable ([UInt8]) -> [UInt8] = { $0 }
  /// Parses the bytes; false if they are of no use to this target.
  let run: @Sendable ([UInt8]) -> Bool

  static let all: [FuzzTarget] =
    decoders + [animation, header] + metadata + conversion + helper + [partial, servers, wire] + others

  /// The keywords in the form that the mutator needs.
  var dictionary: [[UInt8]] { words.map { Array($0.utf8) } }

  /// Parses the bytes as `run` does, and aborts if that exceeded the memory limit.
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
