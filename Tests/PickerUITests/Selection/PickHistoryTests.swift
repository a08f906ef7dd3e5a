import AssetLibrary
import Fixtures
import Testing

@testable import PickerUI

@Suite struct PickHistoryTests {
  private static func selection(_ names: [String], limit: Int = 0) -> Selection {
    var selection = Selection(limit: limit)
    for name in names { _ = selection.add(.photo(name)) }
    return selection
  }

  private func names(_ selection: Selection?) -> [String]? { selection?.identifiers.map(\.rawValue) }

  @Test func `Each change is one step of undo and redo`() {
    var selection = Self.selection([])
    var history = PickHistory(selection)
    for name in ["a", "b", "c"] {
      _ = selection.add(.photo(name))
      history.note(selection)
    }
    #expect(history.hasChanges)
    #expect(names(history.undo()) == ["a", "b"])
    #expect(names(history.undo()) == ["a"])
    #expect(names(history.redo()) == ["a", "b"])
    #expect(names(history.undo()) == ["a"])
    #expect(names(history.undo()) == [])
    #expect(history.undo() == nil && !history.hasChanges)
    for expected in [["a"], ["a", "b"], ["a", "b", "c"]] { #expect(names(history.redo()) == expected) }
    #expect(history.redo() == nil)
  }

  @Test func `A new change discards undone steps`() {
    var selection = Self.selection(["a"])
    var history = PickHistory(Self.selection([]))
    history.note(selection)
    selection = history.undo() ?? selection
    _ = selection.add(.photo("b"))
    history.note(selection)
    #expect(history.redo() == nil)
    #expect(names(history.undo()) == [])
  }

  @Test func `A change without effect is no step`() {
    var selection = Self.selection(["a", "b"])
    var history = PickHistory(selection)
    history.note(selection)
    selection.remove(LocalIdentifier("b"))
    _ = selection.add(.photo("b"))
    history.note(selection)
    #expect(!history.hasChanges)
    selection.move(from: 0, to: 1)
    history.note(selection)
    #expect(names(history.undo()) == ["a", "b"])
    #expect(names(history.redo()) == ["b", "a"])
    selection.removeAll()
    history.note(selection)
    #expect(names(history.undo()) == ["b", "a"])
  }

  @Test func `Deleted photos are not restored, and their steps are skipped`() {
    var selection = Self.selection([])
    var history = PickHistory(selection)
    for name in ["a", "b", "c"] {
      _ = selection.add(.photo(name))
      history.note(selection)
    }
    history.keep { $0.rawValue != "b" }
    #expect(names(history.current) == ["a", "c"])
    #expect(names(history.undo()) == ["a"])
    #expect(names(history.undo()) == [])
    #expect(history.undo() == nil)
    history.keep { $0.rawValue != "a" }
    #expect(names(history.redo()) == ["c"])
    #expect(history.redo() == nil)
  }

  @Test func `Preselected photos are in every step, within the limit`() {
    var selection = Self.selection([], limit: 2)
    var history = PickHistory(selection)
    for name in ["a", "b"] {
      _ = selection.add(.photo(name))
      history.note(selection)
    }
    history.add([.photo("x")])
    #expect(names(history.undo()) == ["a", "x"])
    #expect(names(history.undo()) == ["x"])
  }

  @Test func `The history is limited in steps and in picks`() {
    var selection = Self.selection([])
    var history = PickHistory(selection)
    for number in 0..<PickHistory.mostSteps + 50 {
      selection.removeAll()
      _ = selection.add(.photo("\(number)"))
      history.note(selection)
    }
    #expect(history.past.count == PickHistory.mostSteps)
    // All of the same file: a path for each of a hundred thousand takes seconds.
    let photo = Asset.photo("p")
    let many = FetchResult(
      (0...PickHistory.mostPicks / 2).map { number in
        Asset(
          localIdentifier: LocalIdentifier("\(number)"), mediaType: .image, pixelSize: photo.pixelSize,
          creationDate: photo.creationDate, resources: photo.resources)
      })
    for _ in 0..<3 {
      selection.removeAll()
      _ = selection.add(0..<many.count, of: many) { _ in true }
      history.note(selection)
      selection.remove(many.identifier(at: 0))
      history.note(selection)
    }
    #expect(history.past.reduce(0) { $0 + $1.count } <= PickHistory.mostPicks)
    #expect(history.hasChanges)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Any sequence of changes is undone and redone as in a reference list`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var selection = Self.selection([])
    var history = PickHistory(selection)
    var (past, future): ([[String]], [[String]]) = ([], [])
    for _ in 0..<80 {
      let before = selection.identifiers.map(\.rawValue)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let restored = history.undo()
        #expect(names(restored) == past.last)
        if let restored {
          future.append(before)
          past.removeLast()
          selection = restored
        }
      case 1:
        let restored = history.redo()
        #expect(names(restored) == future.last)
        if let restored {
          past.append(before)
          future.removeLast()
          selection = restored
        }
      default:
        let name = "\(Int.random(in: 0..<6, using: &random))"
        if selection.contains(LocalIdentifier(name)) {
          selection.remove(LocalIdentifier(name))
        } else {
          _ = selection.add(.photo(name))
        }
        history.note(selection)
        past.append(before)
        future = []
      }
    }
  }
}
