/// A terminal's name and version as it tells them (XTVERSION).
package struct TerminalName: Hashable, Sendable {
  /// A version as numbers, of which missing ones count as 0.
  package struct Version: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let numbers: [Int]

    /// Reads "0.26.5", "20230712-072601-f4abf8fd" up to its first hyphen, and "3.3a", whose letter counts as
    /// one more number.
    package init(_ text: some StringProtocol) {
      var numbers: [Int] = []
      for part in text.prefix(while: { $0 != "-" && $0 != "+" && $0 != " " }).split(separator: ".").prefix(4)
      {
        let digits = part.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { break }
        numbers.append(number)
        if let letter = part.dropFirst(digits.count).first {
          if let value = letter.asciiValue, letter.isLowercase { numbers.append(Int(value) - 96) }
          break
        }
      }
      while numbers.last == 0 { numbers.removeLast() }
      self.numbers = numbers
    }

    package static func < (a: Version, b: Version) -> Bool {
      a.numbers.lexicographicallyPrecedes(b.numbers)
    }

    package var description: String { numbers.map(String.init).joined(separator: ".") }
  }

  /// In small letters.
  package let name: String
  package let version: Version

  /// Reads "kitty(0.26.5)" and "tmux 3.3a".
  package init(_ text: some StringProtocol) {
    let name = text.prefix { $0 != "(" && $0 != " " }
    self.name = name.lowercased()
    // What tmux is built from before a release calls itself "next-3.8".
    let (version, next) = (text.dropFirst(name.count + 1), "next-")
    self.version = Version(version.hasPrefix(next) ? version.dropFirst(next.count) : version)
  }
}
