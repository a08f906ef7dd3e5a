package import PickerUI

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
