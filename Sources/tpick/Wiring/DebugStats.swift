import AssetLibrary
import FoundationEssentials
import Imaging
import SystemPackage

/// Writes counters of the run as JSON to the file given by `--debug-stats`, for tests and bug reports.
struct DebugStats {
  private let path: FilePath

  init?(_ word: String?) {
    guard let word else { return nil }
    path = FilePath(bytes: ArgumentBytes.bytes(word))
  }

  private struct Document: Encodable {
    var images: ImageCounters
  }

  /// Writes the counters; warns if the file can't be written.
  func write(images: ImageCounters) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    do {
      let bytes = try encoder.encode(Document(images: images))
      let file = try FileDescriptor.open(
        path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
      try file.closeAfter { _ = try file.writeAll(bytes) }
    } catch {
      Messages.warn("--debug-stats: \(Wording.name(String(decoding: path.bytes, as: UTF8.self))): \(error)")
    }
  }
}
