package import AssetLibrary
import FolderLibrary
package import SystemPackage

extension FilePath {
  /// Whether it leads to a folder; nil where what is there does not answer.
  ///
  /// Waits for a disk, a second at the most where it is a network's.
  /// - Throws: `AssetError` where it leads to nothing.
  package func isFolder() throws(AssetError) -> Bool? {
    guard MountProbes.shared.answers(self, within: MountProbes.shortPatience) else { return nil }
    do {
      return try stat().type == .directory
    } catch {
      throw AssetError(String(decoding: bytes, as: UTF8.self), "\(error)")
    }
  }
}
