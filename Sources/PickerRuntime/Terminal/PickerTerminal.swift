package import PickerUI
package import Pixels
package import TerminalGraphics

/// A terminal whose screen the picker has.
///
/// Its events arrive in the mailbox of the run loop, posted by whoever makes it. Used by the thread of the run loop.
package protocol PickerTerminal: AnyObject {
  var traits: TerminalTraits { get }

  /// The window now: its size in cells, and that of a cell in pixels, as far as the terminal tells it unasked.
  var window: (cells: CellSize, cell: PixelSize) { get }

  /// A mouse event as the picker's screen has it; nil where it happened outside.
  func event(_ event: MouseEvent) -> MouseEvent?

  /// The window may have changed: finds out where on it the picker's screen is.
  func place() throws(TerminalError)

  /// Sends a part of a frame in one write; nothing where it is empty.
  /// - Returns: how many bytes that took.
  func write(_ part: FramePart) throws(TerminalError) -> Int

  /// Puts the pixels of a picture where the terminal finds them; nil where it finds none.
  func hand(_ pixels: [UInt8]) -> KittyHandover?

  /// Calls the window something.
  func setTitle(_ title: String)

  /// Makes itself heard.
  func ring()

  /// Puts a text into the clipboard of the desktop that the terminal is on.
  func copy(_ text: [UInt8])

  /// The screen has so many cells from now on: the next frame draws all of it.
  func resize(to cells: CellSize)

  /// Asks for the size of a cell where that may have changed; `TerminalEvent.cellSize` follows.
  func askCellSize() throws(TerminalError)

  /// Asks once more what the terminal can do; the answers arrive as `TerminalEvent.answer`.
  func askAgain() throws(TerminalError)

  /// Takes an answer of the terminal that came while its screen was taken already.
  /// - Returns: whether the traits are others now; only the last answer tells.
  func learn(_ answer: [UInt8]) -> Bool

  /// Has a crash of the process give the terminal back, pictures removed by some bytes.
  func guardAgainstCrash(removingPicturesBy bytes: [UInt8])

  /// Gives the terminal back and sleeps until the process is to go on.
  func suspend()

  /// Gives the terminal back, has somebody else work on it, and sleeps until that is done; nobody reads keys meanwhile.
  func lend(_ work: () -> Void)

  /// Takes the screen again, after `suspend`, after `lend` and after others had it.
  func takeBack()

  /// Gives the terminal back for good.
  /// - Parameter isAwaitingAnswer: whether an answer may still come, which must not be typed into the user's shell.
  func end(isAwaitingAnswer: Bool)
}

/// Most terminals are all the picker's.
extension PickerTerminal {
  package func event(_ event: MouseEvent) -> MouseEvent? { event }

  package func place() throws(TerminalError) {}
}

/// A part of a frame, sent in one write: a frame with few pictures has one part.
package struct FramePart: Hashable, Sendable {
  /// The text that the screen shows and the text that it is to show.
  package struct Text: Hashable, Sendable {
    /// nil = nothing that is on the screen counts: all of it is drawn.
    package var before: ScreenFrame?
    package var after: ScreenFrame
    /// The rows that come now, where the others come with other parts of the frame; nil = all do.
    package var rows: [Range<Int>]?
  }

  /// Whether the frame begins with it: the terminal shows nothing of it before its end, if it can wait.
  package var isFirst = false
  /// What makes room, sent before the text.
  package var erasing: [UInt8] = []
  /// nil = no text changes.
  package var text: Text?
  /// What draws pictures, sent after the text.
  package var pictures: [UInt8] = []
  /// Text over pictures, sent after them.
  package var marks: [PictureMark] = []
  /// Whether the frame ends with it.
  package var isLast = false
  /// Whether the terminal is asked to say when all has been drawn.
  package var asksWhenDrawn = false

  package init() {}

  /// About how many bytes its text takes, before it is put into words that the terminal understands.
  var textEstimate: Int {
    guard let text else { return 0 }
    return text.before == nil ? text.after.cells.count : 0
  }
}

/// What a terminal is like, as far as pictures and their speed go; found out before it was taken.
package struct TerminalTraits: Hashable, Sendable {
  package var capabilities: TerminalCapabilities
  package var environment: TerminalEnvironment
  /// How many colours text can have.
  package var colorCount: Int
  /// Whether its characters are Unicode's.
  package var isUTF8: Bool
  /// What the terminal is used as, where the database does not know it by its own name; nil where it does.
  package var substitute: String?
  /// The bytes that choose the background of what is erased; none = the terminal's own.
  package var ground: [UInt8]
  /// What shows through pictures that let something through.
  package var backdrop: Backdrop
  /// The color of the frame around what is picked.
  package var pickColor: Color
  /// Whether it says when it has drawn all, if it is asked.
  package var tellsWhenDrawn: Bool
  /// How long its answers take, as far as that is known.
  package var roundTrip: Duration?

  package init(
    capabilities: TerminalCapabilities, environment: TerminalEnvironment, colorCount: Int, isUTF8: Bool,
    substitute: String? = nil, ground: [UInt8], backdrop: Backdrop, pickColor: Color = .white,
    tellsWhenDrawn: Bool,
    roundTrip: Duration? = nil
  ) {
    self.capabilities = capabilities
    self.environment = environment
    self.colorCount = colorCount
    self.isUTF8 = isUTF8
    self.substitute = substitute
    self.ground = ground
    self.backdrop = backdrop
    self.pickColor = pickColor
    self.tellsWhenDrawn = tellsWhenDrawn
    self.roundTrip = roundTrip
  }

  /// How long an answer is waited for where nobody can go on without it.
  var answerPatience: Duration { environment.patience / 2 }
}

/// What the terminal said, and what happened to it.
package enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// What stood between the brackets of a paste.
  case paste(String)
  /// The window may have another size.
  case windowChanged
  /// The size of a character cell, asked for after the window changed.
  case cellSize(PixelSize)
  /// An answer to what the terminal was asked at the beginning, or when it was asked again, as it came.
  case answer([UInt8])
  /// Where the cursor is: an answer that the terminal's owner waits for.
  case cursorPlace(CursorPlace)
  /// Everything sent before the question has been drawn.
  case allDrawn
  /// The process is to sleep until it is told to go on.
  case suspend
  /// The process goes on: meanwhile others may have written on the screen.
  case resumed
  /// The process is to end by a signal; SIGHUP where the terminal is gone.
  case end(signal: Int32)
}
