import AssetLibrary
import FolderLibrary
package import Rclone
package import SystemPackage

/// A file on a server as the index knows it: "rclone:nas:/Photos/a.jpg", with the remote by the name that its folder of
/// originals has.
package struct RemotePlace: Sendable {
  /// Before the names of volumes in the index.
  static let scheme = "rclone:"

  private let folderName: String
  private let path: String

  /// - Returns: nil for a file of this machine.
  package init?(_ place: FilePath?) {
    guard let bytes = place?.bytes, bytes.starts(with: Self.scheme.utf8) else { return nil }
    let rest = bytes.dropFirst(Self.scheme.utf8.count)
    guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    folderName = String(decoding: rest[..<colon], as: UTF8.self)
    path = String(decoding: rest[(colon + 1)...].drop { $0 == UInt8(ascii: "/") }, as: UTF8.self)
  }

  /// Where it is; nil for a remote that was made of options, which are not kept, unless it is one of those given.
  /// - Parameter remotes: as `RemoteAddress.remote` has them.
  package func address(among remotes: Set<String>) -> RemoteAddress? {
    let remote =
      remotes.first { VolumeName($0).folderName == folderName } ?? VolumeName.remote(ofFolder: folderName)
    return remote.flatMap { RemoteAddress($0) }?.appending(path)
  }
}

/// What a remote is called on this machine: without what may be secret in it.
struct VolumeName {
  /// The name of the folder of its originals.
  let folderName: String
  /// What it is called in messages.
  let text: String

  /// The beginning of the names of remotes that are made of options: only that it is the same is known of them.
  private static let made = "remote-"

  /// - Parameter remote: as rclone writes it, with its colon, and a slash where it begins with that.
  init(_ remote: String) {
    text = RemoteAddress.publicName(of: remote)
    guard RemoteAddress.isConfigured(remote) else {
      folderName = Self.made + String(RemoteListing.key(of: Array(remote.utf8)), radix: 16)
      return
    }
    let slash = remote.hasSuffix("/") ? "%2F" : ""
    let name = FileURI.text(for: remote.utf8.prefix(remote.utf8.count - (slash.isEmpty ? 1 : 2)))
      .dropFirst("file://".count)
    // Names that look as if they were made, or are hidden, are told apart by their first letter.
    let escape = name.hasPrefix(Self.made) ? "%72" : name.hasPrefix(".") ? "%2E" : nil
    folderName = (escape.map { $0 + name.dropFirst() } ?? String(name)) + slash
  }

  /// The remote of a folder's name; nil of one that was made of options, which are not kept.
  static func remote(ofFolder name: String) -> String? {
    guard !name.hasPrefix(made), let bytes = FileURI.path(of: "file:///" + name)?.dropFirst() else {
      return nil
    }
    let remote = String(decoding: bytes, as: UTF8.self)
    return remote.hasSuffix("/") ? remote.dropLast() + ":/" : remote + ":"
  }
}
