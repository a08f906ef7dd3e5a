/// The command that runs in the sandbox, word by word; no shell reads it.
package struct GrantedCommand: Equatable, Sendable {
  package static let placeholder = Array("{}".utf8)

  package var words: [[UInt8]]

  package init(words: [[UInt8]]) { self.words = words }

  /// The words with the paths of the granted photos in place of `{}`, one word each.
  package func arguments(_ paths: [[UInt8]]) -> [[UInt8]] {
    words.flatMap { $0 == Self.placeholder ? paths : [$0] }
  }
}
