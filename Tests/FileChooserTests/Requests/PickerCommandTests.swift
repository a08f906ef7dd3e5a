import Testing

@testable import FileChooser

@Suite struct PickerCommandTests {
  private static func line(
    _ media: AcceptedMedia, allowsSeveral: Bool = false, source: String? = nil
  ) -> String {
    var request = ChooserRequest(method: .openFile, handle: "/h")
    request.allowsSeveral = allowsSeveral
    return PickerCommand.words(
      Array("tpick".utf8), for: request, media, source: source.map { Array($0.utf8) },
      results: Array("/r".utf8)
    ).map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
  }

  @Test func `The picker's command line`() {
    #expect(Self.line(.anything) == "tpick|--limit|1|--format|uris|-o|/r")
    #expect(
      Self.line(.anything, allowsSeveral: true, source: "/-a b")
        == "tpick|--limit|0|--format|uris|-o|/r|--|/-a b")
    #expect(
      Self.line(.types(["image/*", ".heic"]))
        == "tpick|--limit|1|--format|uris|--representation|automatic|--accept|image/*,.heic|-o|/r")
  }
}
