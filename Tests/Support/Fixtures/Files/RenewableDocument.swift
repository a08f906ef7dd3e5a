import Foundation

/// A file of Docs with parts that are made from the sources.
///
/// A test puts in what should be there and compares. With `TPICK_RENEW_DOCUMENTS=1` the file is written.
package struct RenewableDocument {
  private let url: URL
  private let suite: String
  private let present: String
  private var lines: [String]

  /// - Parameters:
  ///   - name: its path below Docs.
  ///   - suite: the tests that renew it, for the message.
  package init(_ name: String, renewedBy suite: String) throws {
    url =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../Docs/\(name)").standardizedFileURL
    self.suite = suite
    present = try String(contentsOf: url, encoding: .utf8)
    lines = present.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Puts lines in the place of those between two others, which stay.
  package mutating func replace(after first: String, before last: String, with new: [String]) throws {
    guard let start = lines.firstIndex(of: first), let end = lines[start...].firstIndex(of: last) else {
      throw FixtureError("no line \(first), or none of \(last) behind it, in \(url.lastPathComponent)")
    }
    lines.replaceSubrange(start + 1..<end, with: new)
  }

  /// Compares it with the file, or writes it where that is asked for.
  /// - Returns: what to do where it is not what it should be; nil where it is. The texts are too long to be printed.
  package func problem() throws -> String? {
    let text = lines.joined(separator: "\n")
    if text == present { return nil }
    if ProcessInfo.processInfo.environment["TPICK_RENEW_DOCUMENTS"] != nil {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    return "renew it: TPICK_RENEW_DOCUMENTS=1 swift test --filter \(suite), and look at the diff"
  }
}
