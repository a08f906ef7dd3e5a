/// What rclone calls files and folders: a remote with its colon, and a path.
enum RemoteName {
  /// What something below a folder is called.
  /// - Parameter below: its path there; empty = the folder itself.
  static func appending(_ below: some Sequence<UInt8>, to folder: String) -> String {
    let below = String(decoding: Array(below), as: UTF8.self)
    return below.isEmpty ? folder : folder.hasSuffix(":") ? folder + below : "\(folder)/\(below)"
  }
}
