import PhotoPicker
import Rclone
import SystemPackage

/// A source as the user wrote it, where it is on a server.
enum RemoteWord {
  /// The address that a word is; nil where it is none, or the path of something that is here: that comes first.
  static func address(_ word: [UInt8]) -> RemoteAddress? {
    // Lists of URIs (RFC 2483) end their lines with CR and LF.
    let word = word.starts(with: "rclone:".utf8) && word.last == 0x0D ? word.dropLast() : word
    guard word.contains(UInt8(ascii: ":")), let text = String(validating: word, as: UTF8.self),
      let address = RemoteAddress(text)
    else { return nil }
    if text.hasPrefix("rclone:") { return address }
    return (try? PathArgument.path(word).stat()) == nil ? address : nil
  }
}
