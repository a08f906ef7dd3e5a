/// What rclone calls files and folders: a remote with its colon, and a slash where it begins with one, and a path.
package enum RemoteName {
  /// Whether a name is that of a photo or video.
  package static func promisesMedium(_ name: String) -> Bool {
    FileName.promisesMedium(FileName(Array(name.utf8)).suffix)
  }

  /// What something below a folder is called.
  /// - Parameter below: its path there; empty = the folder itself.
  package static func appending(_ below: some Sequence<UInt8>, to folder: String) -> String {
    let below = String(decoding: Array(below), as: UTF8.self)
    return below.isEmpty
      ? folder : folder.hasSuffix(":") || folder.hasSuffix("/") ? folder + below : "\(folder)/\(below)"
  }
}
