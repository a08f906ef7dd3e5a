import AssetLibrary
import Testing

@testable import PickerUI

@Suite struct CopyPathsTests {
  /// What was copied to the clipboard, by the keys pressed.
  private func copied(_ library: [Asset], _ keys: Key...) -> (texts: [String], lastLine: String) {
    var picker = TestPicker.open(library)
    for key in keys { picker.press(key) }
    let texts = picker.effects.compactMap { effect in
      if case .copy(let text) = effect { String(decoding: text, as: UTF8.self) } else { nil }
    }
    return (texts, picker.lastLine)
  }

  private func path(_ asset: Asset) -> String { String(decoding: asset.pathBytes, as: UTF8.self) }

  @Test func `y copies the path of the photo under the cursor`() {
    let library: [Asset] = .numbered(5)
    let (texts, line) = copied(library, .right, "y")
    #expect(texts == [path(library[1])])
    #expect(line.contains("Copied the path to the clipboard"))
  }

  @Test func `y copies the paths of the picks in order, one per line`() {
    let library: [Asset] = .numbered(5)
    let (texts, line) = copied(library, .right, .space, .left, .space, .end, "y")
    #expect(texts == ["\(path(library[1]))\n\(path(library[0]))"])
    #expect(line.contains("Copied 2 paths to the clipboard"))
  }

  @Test func `Without photos there is nothing to copy`() {
    let (texts, line) = copied([], "y")
    #expect(texts.isEmpty)
    #expect(line.contains("Nothing to copy"))
  }

  @Test func `A name with a line break is not copied, since it would read as two paths`() {
    let (texts, line) = copied([.photo("a\nb.jpg")], "y")
    #expect(texts.isEmpty)
    #expect(line.contains("line break in its name"))
  }

  @Test func `Text beyond the terminal's limit is not copied in part`() {
    let name = String(repeating: "x", count: 100)
    let (texts, line) = copied((0..<1000).map { .photo("\(name)\($0)") }, "a", "y")
    #expect(texts.isEmpty)
    #expect(line.contains("too long for the terminal's clipboard"))
  }

  @Test func `A rebound y has its new function`() {
    var picker = TestPicker.open { $0.bindings = .standard.changed([.toggle: ["y"]]) }
    picker.press("y")
    #expect(picker.selected == ["0"])
  }
}
