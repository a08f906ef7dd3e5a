/// A terminal without a window: the screen, the pictures on it and the answers to queries.
///
/// Text and control sequences are handled by libvterm, sixel pictures by libsixel.
package final class VirtualTerminal {
  /// The simulated kind of terminal.
  package private(set) var profile: TerminalProfile
  /// The size of a cell in pixels.
  package private(set) var cell: (width: Int, height: Int)
  /// The private modes.
  package private(set) var modes = TerminalModes()
  /// The title of the window, as last set.
  package private(set) var title = ""
  /// The saved titles.
  private var savedTitles: [String] = []
  /// All received commands of kitty's graphics protocol.
  package private(set) var kittyCommands: [KittyCommand] = []
  /// The payloads of iTerm2's `OSC 1337;File=`, from `File=` on.
  package private(set) var itermPayloads: [[UInt8]] = []
  /// Other operating system commands: the clipboard, hyperlinks, colors.
  package private(set) var otherCommands: [[UInt8]] = []
  /// The sequences that were cut short.
  package private(set) var abortedSequences: [[UInt8]] = []
  /// How many pictures used a protocol that this terminal does not support, or were broken.
  package private(set) var picturesNotUnderstood = 0
  /// How many pictures appeared outside of a synchronized update.
  package private(set) var picturesOutsideUpdates = 0
  /// The payloads of the sixel pictures that libsixel refused.
  package private(set) var brokenSixels: [[UInt8]] = []
  /// Whether erasing a cell (ED, EL, ECH) removes the picture from it; clearing the whole screen always does.
  package var erasingRemovesPictures = true

  let screen: EmulatedScreen
  private(set) var layer: PictureLayer
  private(set) var kittyLayer = KittyLayer()
  private var splitter = StreamSplitter()
  private var responder: TerminalResponder
  private var cachedText: String?

  /// Creates a blank terminal.
  package init(
    columns: Int = 120, rows: Int = 40, cell: (width: Int, height: Int) = (10, 20),
    profile: TerminalProfile = .sixel
  ) {
    self.profile = profile
    self.cell = cell
    screen = EmulatedScreen(
      columns: columns, rows: rows, foreground: profile.foreground, background: profile.background)
    layer = PictureLayer(columns: columns, rows: rows, mostKept: profile.mostPictures)
    responder = TerminalResponder(profile: profile)
  }

  /// Becomes another terminal, as when a tmux session is attached elsewhere.
  package func become(_ profile: TerminalProfile) {
    self.profile = profile
    responder = TerminalResponder(profile: profile)
  }

  /// The number of columns of the screen.
  package var columns: Int { screen.columns }
  /// The number of rows of the screen.
  package var rows: Int { screen.rows }
  /// The cursor position.
  package var cursor: TerminalPosition { screen.cursor }
  /// How often lines were scrolled; a full-screen program should never need it.
  package var scrollCount: Int { screen.scrollCount }
  /// Whether the stream so far ends within a sequence.
  package var isInsideSequence: Bool { splitter.isInsideSequence }

  /// All lines, without trailing blanks.
  package var text: String {
    if let cachedText { return cachedText }
    let text = (0..<rows).map(screen.line).joined(separator: "\n")
    cachedText = text
    return text
  }

  /// Handles a program's output and returns the answers to the queries in it.
  @discardableResult
  package func feed(_ bytes: [UInt8]) -> [UInt8] {
    cachedText = nil
    var answers: [UInt8] = []
    for piece in splitter.split(bytes) {
      let geometry = TerminalGeometry(columns: columns, rows: rows, cell: cell, cursor: cursor)
      let answer = responder.answer(to: piece, modes: modes, geometry: geometry)
      answers += (answer ?? "").utf8
      apply(piece, isQuery: answer != nil)
    }
    return answers
  }

  /// Handles text as a program's output.
  @discardableResult
  package func feed(_ text: String) -> [UInt8] { feed(Array(text.utf8)) }

  /// Resizes the screen; pictures keep their positions.
  package func resize(columns: Int, rows: Int, cell: (width: Int, height: Int)? = nil) {
    cachedText = nil
    if let cell { self.cell = cell }
    screen.resize(columns: columns, rows: rows)
    layer.resize(columns: columns, rows: rows)
  }

  private func apply(_ piece: StreamPiece, isQuery: Bool) {
    switch piece {
    case .text(let bytes): write(bytes, cause: .printing)
    case .escape(let bytes): applyEscape(bytes)
    case .csi(let sequence) where sequence.matches("t") && sequence.parameters.first == 22:
      savedTitles.append(title)
    case .csi(let sequence) where sequence.matches("t") && sequence.parameters.first == 23:
      title = savedTitles.popLast() ?? title
    case .csi(let sequence): if !isQuery { apply(sequence) }
    case .dcs(let payload): if SixelImage.isSixel(payload) { drawSixel(payload) }
    case .apc(let payload): noteKitty(payload)
    case .osc(let payload, _): if !isQuery { applyCommand(payload) }
    case .ignored: break
    case .aborted(let bytes): abortedSequences.append(bytes)
    }
  }

  private func write(_ bytes: [UInt8], cause: PictureLayer.Cause) {
    screen.write(bytes)
    for rectangle in screen.takeDamage() where cause != .erasing || erasingRemovesPictures {
      layer.damage(rectangle, cause: cause)
    }
  }

  private func applyEscape(_ bytes: [UInt8]) {
    if bytes.elementsEqual("\u{1B}c".utf8) {
      modes.reset()
      layer.removeAll()
      kittyLayer.removeAll()
    }
    if !bytes.elementsEqual("\u{1B}\\".utf8) { write(bytes, cause: .moving) }
  }

  private func apply(_ sequence: ControlSequence) {
    let wasAlternate = modes.altScreenActive
    modes.apply(sequence)
    // libvterm 0.1 stores 16 parameters and does not check for more.
    guard sequence.parameterCount <= 16 else { return }
    switch sequence.final {
    case UInt8(ascii: "J") where sequence.matches("J") && (sequence.parameters.first ?? 0) >= 2:
      layer.removeAll()
      kittyLayer.removeAll()
      write(sequence.bytes, cause: .moving)
    case UInt8(ascii: "J"), UInt8(ascii: "K"), UInt8(ascii: "X"): write(sequence.bytes, cause: .erasing)
    case UInt8(ascii: "b"): write(sequence.bytes, cause: .printing)
    case UInt8(ascii: "h"), UInt8(ascii: "l"):
      // Reverse video (mode 5) damages every cell for libvterm, but draws on none.
      screen.write(sequence.bytes)
      _ = screen.takeDamage()
    default: write(sequence.bytes, cause: .moving)
    }
    if modes.altScreenActive != wasAlternate {
      layer.removeAll()
      kittyLayer.removeAll()
    }
  }

  private func drawSixel(_ payload: [UInt8]) {
    guard profile.graphics.contains(.sixel), let image = SixelImage(payload: payload) else {
      picturesNotUnderstood += 1
      if profile.graphics.contains(.sixel) { brokenSixels.append(payload) }
      return
    }
    noteAppearance()
    let picture = layer.draw(
      image, at: cursor, cell: cell, byteCount: payload.count + 4,
      synchronized: modes.insideSynchronizedUpdate, background: profile.background)
    // Like xterm: the cursor moves to the picture's last row and stays in its column.
    if picture.rowsWanted > 1 {
      let row = min(picture.row + picture.rowsWanted, rows)
      screen.write(Array("\u{1B}[\(row);\(picture.column + 1)H".utf8))
    }
  }

  private func noteKitty(_ payload: [UInt8]) {
    guard var command = KittyCommand(payload: payload) else { return }
    if !profile.graphics.contains(.kitty) {
      picturesNotUnderstood += command.action == "q" ? 0 : 1
    } else if command.displays {
      noteAppearance()
    }
    command.position = cursor
    command.synchronized = modes.insideSynchronizedUpdate
    kittyCommands.append(command)
    if profile.graphics.contains(.kitty) { kittyLayer.take(command, cell: cell) }
  }

  private func applyCommand(_ payload: [UInt8]) {
    let parts = payload.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
    let content = parts.count > 1 ? Array(parts[1]) : []
    if parts[0].elementsEqual("0".utf8) || parts[0].elementsEqual("2".utf8) {
      title = String(decoding: content, as: UTF8.self)
    } else if parts[0].elementsEqual("1337".utf8), content.starts(with: "File=".utf8) {
      itermPayloads.append(content)
      if profile.graphics.contains(.iterm) { drawInline(content) } else { picturesNotUnderstood += 1 }
    } else {
      otherCommands.append(payload)
    }
  }

  /// Draws a file whose pixels are not decoded, in the requested size.
  private func drawInline(_ content: [UInt8]) {
    noteAppearance()
    guard let file = InlineFile(content), let image = SixelImage(width: file.width, height: file.height)
    else {
      picturesNotUnderstood += 1
      return
    }
    _ = layer.draw(
      image, at: cursor, cell: cell, byteCount: content.count, synchronized: modes.insideSynchronizedUpdate,
      background: profile.background)
  }

  private func noteAppearance() {
    if !modes.insideSynchronizedUpdate { picturesOutsideUpdates += 1 }
  }
}
