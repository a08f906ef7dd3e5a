package import PickerUI
package import Pixels
package import TerminalGraphics

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
