import Fixtures
import Glibc

// mutated-files FOLDER COUNT SEED writes COUNT damaged files of every format that tpick reads, 2500 per folder;
// Tests/Tools/mutated-library lists and draws them. The same seed makes the same files.

func run(_ path: String, count: Int, seed: UInt64) throws {
  let library = try MutatedLibrary(seed: seed)
  mkdir(path, 0o755)
  for number in 0..<count {
    let folder = "\(path)/\(number / 2500)"
    if number % 2500 == 0 { mkdir(folder, 0o755) }
    let file = library.file(number)
    let descriptor = open("\(folder)/\(file.name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0, write(descriptor, file.bytes, file.bytes.count) == file.bytes.count,
      close(descriptor) == 0
    else { throw FixtureError("can't write \(folder)/\(file.name)") }
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let count = Int(arguments[2]), let seed = UInt64(arguments[3]) else {
  print("usage: mutated-files FOLDER COUNT SEED")
  exit(2)
}
try run(arguments[1], count: count, seed: seed)
