/// Position and size of a tmux popup, in the syntax of fzf's `--tmux`.
///
/// `[POSITION][,SIZE[%]][,SIZE[%]]`: a single size applies to both sides in the center, otherwise perpendicular to
/// the popup's edge; two sizes are width and height.
package struct PopupPlacement: Hashable, Sendable {
  package enum Position: String, CaseIterable, Hashable, Sendable {
    case center, top, bottom, left, right
  }

  /// A length in cells or in percent of the window.
  package struct Length: Hashable, Sendable {
    var value: Int
    var isPercentage: Bool

    package static func percent(_ value: Int) -> Length { Length(value: value, isPercentage: true) }
    package static func cells(_ value: Int) -> Length { Length(value: value, isPercentage: false) }

    /// In the syntax of the option and of tmux.
    var text: String { isPercentage ? "\(value)%" : "\(value)" }

    fileprivate init(value: Int, isPercentage: Bool) {
      self.value = value
      self.isPercentage = isPercentage
    }

    /// - Returns: nil unless it is a positive number or a percentage of up to 100.
    init?(_ word: Substring) {
      let isPercentage = word.hasSuffix("%")
      let digits = isPercentage ? word.dropLast() : word
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let value = Int(digits), (1...(isPercentage ? 100 : 9999)).contains(value)
      else { return nil }
      self.init(value: value, isPercentage: isPercentage)
    }
  }

  package var position: Position
  package var width: Length
  package var height: Length

  /// - Returns: nil if the syntax is invalid.
  package init?(_ text: String) {
    var words = text.lowercased().split(separator: ",", omittingEmptySubsequences: false)
    var position = Position.center
    if let named = words.first.flatMap({ Position(rawValue: String($0)) }) {
      position = named
      words.removeFirst()
    }
    guard words.count <= 2, !text.isEmpty else { return nil }
    let sizes = words.compactMap { Length($0) }
    guard sizes.count == words.count else { return nil }
    self.init(position, sizes)
  }

  private init(_ position: Position, _ sizes: [Length]) {
    self.position = position
    switch position {
    case .center: (width, height) = (sizes.first ?? .percent(80), sizes.last ?? .percent(80))
    case .top, .bottom: (width, height) = (.percent(100), sizes.last ?? .percent(50))
    case .left, .right: (width, height) = (sizes.first ?? .percent(50), .percent(100))
    }
    if sizes.count == 2 { (width, height) = (sizes[0], sizes[1]) }
  }

  /// Returns whether a word after `--tmux` is its value: a bare number is more likely a folder's name.
  package static func isMeant(by word: String) -> Bool {
    PopupPlacement(word) != nil && !word.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Arguments for tmux's `display-popup`, whose y is that of the last row, kept within the window.
  package var arguments: [String] {
    let place =
      switch position {
      case .center: ["-xC", "-yC"]
      case .top: ["-xC", "-y0"]
      case .bottom: ["-xC", "-y9999"]
      case .left: ["-x0", "-yC"]
      case .right: ["-xR", "-yC"]
      }
    return place + ["-w\(width.text)", "-h\(height.text)"]
  }
}
