import PhotoPicker
import Rclone
import SystemPackage

/// A source as the user wrote it, where it is a folder on a server.
enum RemoteWord {
  /// The address that a word is; nil where it is none, or the path of something that is here: that comes first.
  static func address(_ word: String) -> RemoteAddress? {
    guard word.utf8.contains(UInt8(ascii: ":")), let address = RemoteAddress(word) else { return nil }
    if word.hasPrefix("rclone:") { return address }
    let path = PathArgument.path(word)
    return (try? path.stat()) == nil ? address : nil
  }
}
