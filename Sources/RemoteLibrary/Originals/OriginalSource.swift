import AssetLibrary
import FolderLibrary
import SystemPackage

/// Where originals come from: a folder on a server, as a download needs it.
protocol OriginalSource: RemoteSource {
  /// The hashes that the server has of a file, by rclone's names of them; none where it has none. Waits for the network.
  func hashes(of file: RemoteFile) throws(AssetError) -> [String: String]

  /// Whether the reason of an error is that the file is another one by now.
  func isChange(_ error: AssetError) -> Bool
}
