package import PickerUI
package import Pixels
package import TerminalGraphics

/// A terminal whose screen the picker uses.
///
/// Its creator posts its events to the mailbox of the run loop. Used by the thread of the run loop.
package protocol PickerTerminal: AnyObject {
  var traits: TerminalTraits { get }

  /// The current window: its size in cells, and the size of a cell in pixels, if the terminal reports it
  /// unasked.
  var window: (cells: CellSize, cell: PixelSize) { get }

  /// Converts a mouse event to the picker's part of the screen; nil if it happened outside.
  func event(_ event: MouseEvent) -> MouseEvent?

  /// Whether a program draws around the picker's part of the screen whenever that is located.
  var isSurrounded: Bool { get }

  /// Locates the picker's part of the screen after a possible change of the window.
  func locateRegion() throws(TerminalError)

  /// Writes a part of a frame in one go; writes nothing if it is empty.
  /// - Returns: the number of bytes written.
  func write(_ part: FramePart) throws(TerminalError) -> Int

  /// Puts the pixels of a picture where the terminal can read them; nil if there is no such place.
  func share(_ pixels: [UInt8]) -> KittyHandover?

  /// Sets the window's title.
  func setTitle(_ title: String)

  /// Turns reports of the mouse without a button on or off; they are off at first, and after `resume`.
  func setMotionReports(_ isOn: Bool)

  /// Rings the bell.
  func ring()

  /// Copies a text to the clipboard of the desktop that shows the terminal.
  func copy(_ text: [UInt8])

  /// Changes the size of the screen in cells: the next frame draws all of it.
  func resize(to cells: CellSize)

  /// Queries the cell size after a possible change; `TerminalEvent.cellSize` follows.
  func queryCellSize() throws(TerminalError)

  /// Queries the terminal's capabilities again; the answers arrive as `TerminalEvent.answer`.
  func repeatQueries() throws(TerminalError)

  /// Adopts a late answer of the terminal.
  /// - Returns: whether the traits have changed; only the last answer can return true.
  func learn(_ answer: [UInt8]) -> Bool

  /// Prepares to restore the terminal if the process crashes.
  /// - Parameter bytes: the sequence that removes the pictures.
  func guardAgainstCrash(removingPicturesBy bytes: [UInt8])

  /// Restores the terminal and stops the process until it is resumed.
  func suspend()

  /// Restores the terminal, runs `work`, which may use it, and reads no keys meanwhile.
  func lend(_ work: () -> Void)

  /// Takes the screen again after `suspend`, after `lend`, or after another program used it.
  func resume()

  /// Restores the terminal for good.
  /// - Parameter isAwaitingAnswer: whether an answer is pending, which must not end up as input of the user's
  ///   shell.
  func end(isAwaitingAnswer: Bool)
}

/// Defaults for a picker that uses the whole terminal.
extension PickerTerminal {
  package func event(_ event: MouseEvent) -> MouseEvent? { event }

  package var isSurrounded: Bool { false }

  package func locateRegion() throws(TerminalError) {}
}

/// A part of a frame, sent in one write: a frame with few pictures has one part.
package struct FramePart: Hashable, Sendable {
  /// The text that the screen shows, and the text that it is to show.
  package struct Text: Hashable, Sendable {
    /// Nil if the screen's content is unknown: everything is drawn.
    package var before: ScreenFrame?
    package var after: ScreenFrame
    /// The rows of this part, if the others are in other parts of the frame; nil means all rows.
    package var rows: [Range<Int>]?
  }

  /// Whether it starts the frame: a terminal with synchronized output shows nothing until the end of the
  /// frame.
  package var isFirst = false
  /// Erasing sequences, sent before the text.
  package var erasing: [UInt8] = []
  /// Nil if no text changes.
  package var text: Text?
  /// Picture sequences, sent after the text.
  package var pictures: [UInt8] = []
  /// Text over pictures, sent after them.
  package var marks: [PictureMark] = []
  /// Whether it ends the frame.
  package var isLast = false
  /// Whether to ask the terminal to confirm when everything is drawn.
  package var asksWhenDrawn = false

  package init() {}

  /// Approximate size of its text in bytes, before it is encoded for the terminal.
  var textEstimate: Int {
    guard let text else { return 0 }
    return text.before == nil ? text.after.cells.count : 0
  }
}

/// Properties of a terminal that affect pictures and their speed, determined before the picker uses it.
package struct TerminalTraits: Hashable, Sendable {
  package var capabilities: TerminalCapabilities
  package var environment: TerminalEnvironment
  /// Number of colors for text.
  package var colorCount: Int
  /// Whether it uses UTF-8.
  package var isUTF8: Bool
  /// The terminal type used if the terminfo database lacks the terminal's own; nil if it has it.
  package var substitute: String?
  /// Bytes that set the background of erased cells; empty for the terminal's own.
  package var ground: [UInt8]
  /// What shows through transparent pictures.
  package var backdrop: Backdrop
  /// Color of the frame around picks.
  package var pickColor: Color
  /// Whether pictures may save and restore the cursor; otherwise the terminal puts it back after each part.
  package var savesCursor: Bool
  /// Whether it can confirm that everything is drawn.
  package var confirmsDrawing: Bool
  /// Round-trip time of its answers, if known.
  package var roundTrip: Duration?

  package init(
    capabilities: TerminalCapabilities, environment: TerminalEnvironment, colorCount: Int, isUTF8: Bool,
    substitute: String? = nil, ground: [UInt8], backdrop: Backdrop, pickColor: Color = .white,
    savesCursor: Bool = true, confirmsDrawing: Bool, roundTrip: Duration? = nil
  ) {
    self.capabilities = capabilities
    self.environment = environment
    self.colorCount = colorCount
    self.isUTF8 = isUTF8
    self.substitute = substitute
    self.ground = ground
    self.backdrop = backdrop
    self.pickColor = pickColor
    self.savesCursor = savesCursor
    self.confirmsDrawing = confirmsDrawing
    self.roundTrip = roundTrip
  }

  /// How long to wait for an answer that is indispensable.
  var answerPatience: Duration { environment.patience / 2 }
}

/// Input from the terminal, and changes of it.
package enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// The text between the brackets of a paste.
  case paste(String)
  /// The terminal has got or lost the focus.
  case focus(Bool)
  /// The window may have another size.
  case windowChanged
  /// Size of a character cell in pixels, queried after the window changed.
  case cellSize(PixelSize)
  /// An answer to a capability query, as received.
  case answer([UInt8])
  /// The position of the cursor, for which `PickerTerminal.place` waits.
  case cursorPlace(CursorPlace)
  /// The terminal has dark colors now, or light ones.
  case colorSchemeChanged
  /// Everything sent before the question is drawn.
  case allDrawn
  /// The process should stop until it is resumed.
  case suspend
  /// The process was resumed: other programs may have written on the screen.
  case resumed
  /// The process should end by a signal; SIGHUP if the terminal is gone.
  case end(signal: Int32)
}
