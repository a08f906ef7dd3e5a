import Fixtures
import Glibc

// fuzz TARGET [ARGUMENT ...] runs libFuzzer with its arguments; fuzz --seeds FOLDER TARGET writes seed files; fuzz
// --memory TARGET prints the heap limit for one file in MiB; fuzz --targets lists the targets.

/// libFuzzer's entry point (compiler-rt, FuzzerDriver.cpp) for programs that have a `main`.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// libFuzzer's own mutations, which use the coverage of the run.
@_silgen_name("LLVMFuzzerMutate")
func mutate(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int

enum Fuzzing {
  static let words = CommandLine.arguments
  static let target = FuzzTarget.all.first { $0.name == words.dropFirst().first }

  static func writeSeeds(_ target: FuzzTarget, to folder: String) throws {
    for (index, bytes) in try target.seeds().enumerated() {
      let file = open("\(folder)/seed-\(index)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard file >= 0, write(file, bytes, bytes.count) == bytes.count, close(file) == 0 else {
        throw FixtureError("can't write to \(folder)")
      }
    }
  }

  static func run() throws -> Int32 {
    if words.dropFirst() == ["--targets"] {
      print(FuzzTarget.all.map(\.name).joined(separator: " "))
      return 0
    }
    if words.count == 3, words[1] == "--memory",
      let target = FuzzTarget.all.first(where: { $0.name == words[2] })
    {
      // No file has a larger budget than an empty one.
      print((target.memory([]) + 1 << 20 - 1) >> 20)
      return 0
    }
    if words.count == 4, words[1] == "--seeds",
      let target = FuzzTarget.all.first(where: { $0.name == words[3] })
    {
      try writeSeeds(target, to: words[2])
      return 0
    }
    guard target != nil else {
      print(
        "usage: fuzz TARGET [libFuzzer's arguments] | --seeds FOLDER TARGET | --memory TARGET | --targets")
      return 2
    }
    var count = CommandLine.argc - 1
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
    return withUnsafeMutablePointer(to: &arguments) { arguments in
      runFuzzer(&count, arguments) { data, count in
        let bytes = Array(UnsafeBufferPointer(start: data, count: count))
        return Fuzzing.target?.runBounded(bytes) ?? false ? 0 : -1
      }
    }
  }
}

/// Called by libFuzzer for every new file: half of the mutations are its own, half are format-aware.
@_cdecl("LLVMFuzzerCustomMutator")
func customMutator(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32) -> Int {
  guard let target = Fuzzing.target else { return count }
  var length = count
  if seed % 2 == 0 {
    length = mutate(data, count, most)
  } else {
    var mutator = ByteMutator(seed: UInt64(seed), words: target.dictionary)
    length = put(
      mutator.damage(Array(UnsafeBufferPointer(start: data, count: count)), limit: most), in: data, most)
  }
  // Some files are unchanged, so that checksums are tested too.
  if seed % 8 < 7 {
    length = put(target.mend(Array(UnsafeBufferPointer(start: data, count: length))), in: data, most)
  }
  return length
}

func put(_ bytes: [UInt8], in data: UnsafeMutablePointer<UInt8>, _ most: Int) -> Int {
  let count = min(bytes.count, most)
  _ = UnsafeMutableBufferPointer(start: data, count: count).update(fromContentsOf: bytes.prefix(count))
  return count
}

exit(try Fuzzing.run())
