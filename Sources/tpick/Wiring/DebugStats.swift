import AssetLibrary
import FoundationEssentials
import Imaging
import SystemPackage

/// The file that `--debug-stats` names: what the run has done, as JSON, for tests and bug reports.
struct DebugStats {
  private let path: FilePath

  init?(_ word: String?) {
    guard let word else { return nil }
    path = FilePath(bytes: ArgumentBytes.bytes(word))
  }

  private struct Document: Encodable {
    var images: ImageCounters
  }

  /// Writes the counters; a file that can't be written is worth a warning.
  func write(images: ImageCounters) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    do {
      let bytes = try encoder.encode(Document(images: images))
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
      try file.closeAfter { _ = try file.writeAll(bytes) }
    } catch {
      Messages.warn("--debug-stats: \(String(decoding: path.bytes, as: UTF8.self)): \(error)")
    }
  }
}
