package import PickerUI

/// Something that the run loop has to look at.
package enum LoopEvent: Sendable {
  case terminal(TerminalEvent)
  case message(PickerMessage)
  /// The terminal has not said that all is drawn, and should have.
  case answerOverdue

  /// Whether it is a key or another event of the terminal, beside the word that pictures are drawn.
  var isFromTerminal: Bool {
    if case .terminal(let event) = self { event != .allDrawn } else { false }
  }

  /// What it says of pictures that have come; nil where it is something else.
  var pictures: [PictureKey: PictureStatus]? {
    if case .message(.pictures(let statuses)) = self { statuses } else { nil }
  }
}

extension [LoopEvent] {
  /// The events with pictures that came one by one told together: each one told is a look at everything.
  var mergingPictures: [LoopEvent] {
    reduce(into: []) { merged, event in
      if let new = event.pictures, let known = merged.last?.pictures {
        merged[merged.count - 1] = .message(.pictures(known.merging(new) { $1 }))
      } else {
        merged.append(event)
      }
    }
  }
}
