/// How pictures reach the screen.
package enum GraphicsProtocol: String, CaseIterable, Hashable, Sendable {
  case kitty, iterm, sixel, blocks, none
}
