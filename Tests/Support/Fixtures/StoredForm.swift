import Glibc

/// The program's stored data as text, with the version of the format.
///
/// A test records one in its source and compares it with what the program stores now. If a version was not raised,
/// users keep what an older program stored, so the two may change only together:
///
///     static let pages = StoredForm(
///       version: 4,
///       text: #"""
///         facts of files
///         """#)
///
/// `renewal` in the environment writes the current text and version into the test's source.
package struct StoredForm: Sendable {
  package let version: Int
  package let text: String
  private let file: String
  private let line: Int

  /// - Parameters:
  ///   - file: The source in which it is recorded.
  ///   - line: The line where the record begins.
  package init(version: Int, text: String, file: String = #filePath, line: Int = #line) {
    (self.version, self.text, self.file, self.line) = (version, text, file, line)
  }

  /// The environment variable that renews records: `1` those whose version was raised, `fixture` all of them, for when
  /// only the files of a test changed.
  package static let renewal = "TPICK_RENEW_FORMS"

  /// Compares the record with what the program stores now.
  /// - Parameters:
  ///   - now: What the program stores now.
  ///   - constant: The version constant for users' files, and its location.
  ///   - advice: What else a change requires.
  /// - Returns: The differences and the remedy; nil if there are none.
  package func mismatch(with now: Self, constant: String, advice: String? = nil) -> String? {
    if text == now.text, version == now.version { return nil }
    let isRaised = version != now.version
    let mode = getenv(Self.renewal).map { String(cString: $0) }
    if mode == "fixture" || mode == "1" && isRaised {
      do {
        try renew(as: now)
        return "The record in \(place) was renewed. Look at its diff, and run the test again."
      } catch {
        return "The record in \(place) can't be renewed: \(error)"
      }
    }
    let renewing = "renew \(place): \(Self.renewal)=1 swift test --filter StoredFormTests"
    if text == now.text {
      return """
        \(constant) is \(now.version), and the record is of version \(version), with the same form.
        If it has to be \(now.version), \(renewing)
        """
    }
    let words =
      isRaised
      ? """
      \(constant) is \(now.version), and the record is of version \(version).
      Check that what differs is what you meant to change, then \(renewing)
      """
      : """
      What is stored changed, and its version did not. Raise \(constant) from \(version) to \(version + 1), or users \
      keep what the version before stored. Then \(renewing)
      If only the files of this test changed, leave the version: \(Self.renewal)=fixture renews all the same.
      """
    return ([words] + (advice.map { [$0] } ?? []) + [difference(from: now)]).joined(separator: "\n")
  }

  private var place: String { "\(file):\(line)" }

  // MARK: Difference

  /// The removed (`-`) and added (`+`) lines, in order.
  private func difference(from now: Self) -> String {
    let (old, new) = (lines, now.lines)
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    for change in new.difference(from: old) {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var (result, left, right) = ([String](), 0, 0)
    while left < old.count || right < new.count {
      if removed.contains(left) {
        result.append("- \(old[left])")
        left += 1
      } else if inserted.contains(right) {
        result.append("+ \(new[right])")
        right += 1
      } else {
        (left, right) = (left + 1, right + 1)
      }
    }
    return result.joined(separator: "\n")
  }

  private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  // MARK: Renewal

  /// Replaces this record with another form.
  private func renew(as now: Self) throws {
    var source = try Self.read(file).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let number = source[(line - 1)...].firstIndex(where: { $0.contains("version: \(version),") }),
      let start = source[number...].firstIndex(where: { $0.hasSuffix("#\"\"\"") }),
      let end = source[start...].firstIndex(where: { $0.contains("\"\"\"#)") })
    else { throw FixtureError("no record as this one wrote it") }
    source[number] = source[number].replacing("version: \(version),", with: "version: \(now.version),")
    let indent = source[end].prefix { $0 == " " }
    source.replaceSubrange(start + 1..<end, with: now.lines.map { $0.isEmpty ? "" : String(indent + $0) })
    try Self.write(source.joined(separator: "\n"), to: file)
  }

  private static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw FixtureError("can't read \(path)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += piece[..<count]
    }
  }

  private static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw FixtureError("can't write \(path)") }
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten else { throw FixtureError("can't write \(path)") }
  }
}
