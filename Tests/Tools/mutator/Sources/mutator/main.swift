// Reads the Swift files in its arguments and prints their possible faults as a JSON array.

import Foundation

var mutations: [Mutation] = []
for path in CommandLine.arguments.dropFirst() {
  guard let source = try? String(contentsOfFile: path, encoding: .utf8) else {
    FileHandle.standardError.write(Data("mutator: cannot read \(path)\n".utf8))
    exit(1)
  }
  mutations += MutationFinder.mutations(in: source, file: path)
}

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
FileHandle.standardOutput.write(try encoder.encode(mutations))
