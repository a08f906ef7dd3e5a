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
