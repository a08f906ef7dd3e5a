/// The graphics protocol for a terminal, and why.
///
/// A pure function of answers, quirks and options. By default only a protocol that the terminal confirmed is
/// chosen; a protocol requested by the user is always used.
package struct GraphicsChoice: Hashable, Sendable {
  /// Whether a protocol is usable, and why.
  struct Verdict: Hashable, Sendable {
    let graphics: GraphicsProtocol
    let isUsable: Bool
    let reason: String
    /// Whether the user can make it usable, as the reason says.
    var isUpToUser = false
  }

  package let graphics: GraphicsProtocol
  package let reason: String
  /// All protocols, the best first.
  let verdicts: [Verdict]
  /// Whether sequences are wrapped for tmux.
  let needsPassthrough: Bool

  /// - Parameter requested: the user's choice; nil selects the best confirmed protocol.
  package init(
    _ capabilities: TerminalCapabilities, in environment: TerminalEnvironment,
    requested: GraphicsProtocol? = nil
  ) {
    let quirks = capabilities.quirks
    let preference = quirks.preference + [.kitty, .iterm, .sixel].filter { !quirks.preference.contains($0) }
    verdicts = preference.map { Self.verdict(on: $0, capabilities, environment) }
    if let requested {
      graphics = requested
      reason = "requested with --graphics"
    } else {
      let best = verdicts.first { $0.isUsable && quirks.preference.contains($0.graphics) }
      graphics = best?.graphics ?? .blocks
      let hint = verdicts.first { $0.isUpToUser && quirks.preference.contains($0.graphics) }
      reason = best?.reason ?? hint?.reason ?? "the terminal confirmed nothing better"
    }
    needsPassthrough = quirks.needsPassthrough && [.kitty, .iterm].contains(graphics)
  }

  private static func verdict(
    on graphics: GraphicsProtocol, _ capabilities: TerminalCapabilities, _ environment: TerminalEnvironment
  ) -> Verdict {
    let quirks = capabilities.quirks
    func verdict(_ isUsable: Bool, _ reason: String) -> Verdict {
      Verdict(graphics: graphics, isUsable: isUsable, reason: reason)
    }
    if environment.isTmuxPopup, ![.blocks, .none].contains(graphics) {
      // In a popup, the answers are those of a pane.
      return verdict(false, "tmux draws no pictures in a popup")
    }
    if quirks.unusable.contains(graphics) { return verdict(false, quirks.note ?? "known not to work") }
    switch graphics {
    case .kitty where quirks.needsPassthrough:
      return throughTmux(capabilities.confirmedTmuxClient, environment)
    case .kitty:
      return capabilities.hasKitty
        ? verdict(true, "the terminal answered kitty's query with OK")
        : verdict(false, "the terminal did not answer kitty's query with OK")
    case .iterm:
      let name = capabilities.name ?? ""
      return quirks.hasInlineImages && !quirks.needsPassthrough
        ? verdict(true, "\(name) is known to draw inline images")
        : verdict(false, "no terminal of this name is known to draw them")
    case .sixel where !capabilities.hasSixel: return verdict(false, "DA1 has no parameter 4")
    case .sixel where quirks.needsPassthrough:
      // tmux claims sixels if it was built with them, and prints a text in their place where the terminal around it has
      // none, or has not told the size of its cells. Over SSH it can't be asked.
      guard let hasSixel = capabilities.confirmedTmuxClient?.hasSixel else {
        return verdict(
          false, "tmux does not say whether the terminal around it draws sixels; --graphics sixel if it does")
      }
      guard hasSixel else { return verdict(false, "the terminal around tmux draws no sixels") }
      return capabilities.confirmedTmuxClient?.hasCellSize == true
        ? verdict(true, "tmux and the terminal around it draw sixels")
        : verdict(false, "the terminal around tmux does not report its size in pixels")
    case .sixel: return verdict(true, "DA1 has the parameter 4")
    case .blocks, .none: return verdict(true, "text can be drawn anywhere")
    }
  }

  /// Inside tmux, only placeholders stay at their position, and only tmux knows which terminal is outside.
  private static func throughTmux(_ client: TmuxClient?, _ environment: TerminalEnvironment) -> Verdict {
    func verdict(_ isUsable: Bool, _ reason: String) -> Verdict {
      Verdict(graphics: .kitty, isUsable: isUsable, reason: reason)
    }
    guard let client, !client.name.isEmpty else {
      return verdict(false, "tmux does not report which terminal it runs in")
    }
    let outer = TerminalQuirks(of: TerminalName(client.name), in: TerminalEnvironment())
    guard outer.hasPlaceholders else {
      return verdict(false, "\(client.name) around tmux has no placeholders")
    }
    guard client.allowsPassthrough else {
      return Verdict(
        graphics: .kitty, isUsable: false,
        reason: "\(client.name) around tmux could, with 'set -g allow-passthrough on' in ~/.tmux.conf",
        isUpToUser: true)
    }
    return verdict(true, "tmux passes on to \(client.name), which has placeholders")
  }
}
