import Testing

@testable import PickerUI

@Suite struct LineEditorTests {
  private func edited(_ text: String, _ keys: Key...) -> LineEditor {
    var editor = LineEditor(text)
    for key in keys { _ = editor.press(key) }
    return editor
  }

  @Test func `Keys edit at the cursor`() {
    #expect(edited("abc", .left, .backspace).text == "ac")
    #expect(edited("abc", .home, .delete).text == "bc")
    #expect(edited("abc", .home, .character("x"), .space).text == "x abc")
    #expect(edited("one two", .control("w")).text == "one ")
    #expect(edited("one two  ", .control("w")).text == "one ")
    #expect(edited("one two", .left, .control("u")).text == "o")
    #expect(edited("one two", .home, .right, .control("k")).text == "o")
    #expect(edited("abc", .end, .left, .left, .right, .character("-")).text == "ab-c")
    #expect(edited("", .backspace, .delete, .left, .right).text == "")
  }

  @Test func `A combined character is one step`() {
    #expect(edited("a👩‍👩‍👧e\u{301}", .backspace).text == "a👩‍👩‍👧")
    #expect(edited("a👩‍👩‍👧", .backspace).text == "a")
    #expect(edited("e", .character("\u{301}")).characters.count == 1)
  }

  @Test func `Line breaks become blanks and control characters are removed`() {
    #expect(LineEditor("a\nb\tc\u{1B}[2Jd").text == "a b c[2Jd")
  }

  @Test func `Pasted text is limited in length`() {
    #expect(LineEditor(String(repeating: "x", count: 9000)).characters.count == LineEditor.maximumLength)
  }

  @Test(arguments: 2...12)
  func `The part around the cursor is shown`(width: Int) {
    var editor = LineEditor("日本語 and more")
    for _ in 0..<20 {
      let window = editor.window(width: width)
      #expect(window.text.width <= width - 1)
      #expect(window.caret <= width - 1)
      _ = editor.press(.left)
    }
    #expect(editor.window(width: width).caret == 0)
  }
}
