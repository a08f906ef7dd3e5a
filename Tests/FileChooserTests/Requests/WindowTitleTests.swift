import Testing

@testable import FileChooser

@Suite struct WindowTitleTests {
  @Test(arguments: [
    ("", nil, "tpick"), ("Upload", nil, "Upload"), ("Upload", "Send", "Upload · Send"),
    ("Open", "Open", "Open"), ("", "Open", "Open"), (" a\n b ", "", "a b"),
    ("\u{1B}]2;x\u{07}\u{9C}\u{202E}y", nil, "]2;xy"),
    (String(repeating: "x", count: 300), nil, String(repeating: "x", count: 200)),
  ]) func `The window title`(_ title: String, _ label: String?, _ text: String) {
    var request = ChooserRequest(method: .openFile, handle: "/h")
    request.title = title
    request.acceptLabel = label
    #expect(WindowTitle.text(for: request) == text)
  }

  @Test func `The title sequence`() { #expect(WindowTitle.sequence("a") == Array("\u{1B}]2;a\u{1B}\\".utf8)) }
}
