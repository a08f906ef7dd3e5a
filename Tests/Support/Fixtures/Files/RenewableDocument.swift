import Foundation

/// A file of Docs with parts generated from the sources.
///
/// A test inserts the generated parts and compares. With `TPICK_RENEW_DOCUMENTS=1` the file is written.
package struct RenewableDocument {
  private let url: URL
  private let suite: String
  private let present: String
  private var lines: [String]

  /// - Parameters:
  ///   - name: Its path below Docs.
  ///   - suite: The tests that renew it, for the message.
  package init(_ name: String, renewedBy suite: String) throws {
    url =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../Docs/\(name)").standardizedFileURL
    self.suite = suite
    present = try String(contentsOf: url, encoding: .utf8)
    lines = present.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Replaces the lines between two others, which stay.
  package mutating func replace(after first: String, before last: String, with new: [String]) throws {
    guard let start = lines.firstIndex(of: first), let end = lines[start...].firstIndex(of: last) else {
      throw FixtureError("no line \(first), or none of \(last) behind it, in \(url.lastPathComponent)")
    }
    lines.replaceSubrange(start + 1..<end, with: new)
  }

  /// Compares the document with the file, or writes it on request.
  /// - Returns: How to renew a file that differs; nil if it does not. The texts are too long to be printed.
  package func problem() throws -> String? {
    let text = lines.joined(separator: "\n")
    if text == present { return nil }
    if ProcessInfo.processInfo.environment["TPICK_RENEW_DOCUMENTS"] != nil {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    return "renew it: TPICK_RENEW_DOCUMENTS=1 swift test --filter \(suite), and look at the diff"
  }
}
