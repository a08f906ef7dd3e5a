import PickerUI
import Testing

@testable import PickerRuntime

@Suite struct LoopEventTests {
  private static func pictures(_ names: String...) -> LoopEvent {
    let statuses = names.map { (PictureRequest.thumbnail(.photo($0)).key, PictureStatus.ready(note: nil)) }
    return .message(.pictures(Dictionary(statuses) { $1 }))
  }

  @Test func `Consecutive picture messages are combined, across no other message`() {
    let events = [
      Self.pictures("a"), Self.pictures("b", "c"), .terminal(.key(.up)), Self.pictures("d"), .answerOverdue,
    ]
    #expect(events.combined.map { $0.pictures?.count } == [3, nil, 1, nil])
  }

  @Test func `Of several messages about a picture the last counts`() throws {
    let key = PictureRequest.thumbnail(.photo("a")).key
    let events = ["coarse", "fine"].map { note in
      LoopEvent.message(.pictures([key: .ready(note: note)]))
    }
    #expect(events.combined.map(\.pictures) == [[key: .ready(note: "fine")]])
  }

  @Test func `Of consecutive movements of the mouse the last counts, across no other event`() {
    let motions = (0..<5).map { LoopEvent.terminal(.mouse(MouseEvent(.motion, row: 0, column: $0))) }
    let press = LoopEvent.terminal(.mouse(MouseEvent(.press, row: 0, column: 9)))
    let columns = (motions[..<3] + [press] + motions[3...] + [press, press]).combined.map { event in
      if case .terminal(.mouse(let event)) = event { event.column } else { -1 }
    }
    #expect(columns == [2, 9, 4, 9, 9])
    #expect(motions.allSatisfy { !$0.isFromTerminal } && press.isFromTerminal)
  }
}
