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
}
