import AssetLibrary
import FolderLibrary
import SystemPackage

/// Where originals come from: a folder on a server, as a download needs it.
protocol OriginalSource: RemoteSource {
  /// The hashes that the server has of a file, by rclone's names of them; none where it has none. Waits for the network.
  func hashes(of file: RemoteFile) throws(AssetError) -> [String: String]

  /// Asks the server whether a file is still the one that was listed. Waits for the network.
  /// - Throws: an error of which `isChange` is true where it is another one, or gone.
  func confirm(_ file: RemoteFile) throws(AssetError)

  /// Whether the reason of an error is that the file is another one by now.
  func isChange(_ error: AssetError) -> Bool
}
