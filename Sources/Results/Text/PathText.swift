import FoundationEssentials

/// A path as JSON can hold it: text and, where that is lossy, its bytes in Base64.
package struct PathText {
  package let text: String
  /// Nil where the path is UTF-8.
  package let base64: String?

  package init(_ path: [UInt8]) {
    text = String(decoding: path, as: UTF8.self)
    base64 = text.utf8.elementsEqual(path) ? nil : Data(path).base64EncodedString()
  }
}
