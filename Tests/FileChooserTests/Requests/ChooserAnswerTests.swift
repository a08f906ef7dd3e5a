import Testing

@testable import FileChooser

@Suite struct ChooserAnswerTests {
  private static func answer(
    _ status: Int32?, _ output: String = "", change: (inout ChooserRequest) -> Void = { _ in }
  ) -> ChooserAnswer {
    var request = ChooserRequest(method: .openFile, handle: "/h")
    change(&request)
    return ChooserAnswer(request, status: status, output: Array(output.utf8))
  }

  private static func uris(_ uris: String...) -> BusValue { .array(element: "s", uris.map(BusValue.string)) }

  @Test(arguments: [
    (nil, ChooserAnswer.Response.cancelled), (1, .cancelled), (130, .cancelled), (129, .cancelled),
    (143, .cancelled), (2, .other), (64, .other), (77, .other), (127, .other), (139, .other), (0, .other),
  ]) func `A status without results`(_ status: Int32?, _ response: ChooserAnswer.Response) {
    #expect(Self.answer(status) == ChooserAnswer(response: response))
  }

  @Test func `Other statuses have no results`() {
    #expect(Self.answer(130, "file:///a\n") == .cancelled)
    #expect(Self.answer(nil, "file:///a\n") == .cancelled)
  }

  @Test func `URIs of the files, one or all`() {
    let output = "file:///a\nhttp://b\nfile://host/c\nfile:///d\n"
    #expect(Self.answer(0, output).results == ["uris": Self.uris("file:///a")])
    #expect(
      Self.answer(0, output) { $0.allowsSeveral = true }.results == [
        "uris": Self.uris("file:///a", "file:///d")
      ])
    #expect(Self.answer(0, "file:///a\0file:///b\0") { $0.allowsSeveral = true }.response == .success)
    #expect(Self.answer(0, "http://b\n") == .failed)
  }

  @Test func `As many URIs as files to save`() {
    let names = [Array("a".utf8), Array("b".utf8)]
    #expect(
      Self.answer(0, "file:///a\nfile:///b\n") { request in
        request.method = .saveFiles
        request.names = names
      }.results == ["uris": Self.uris("file:///a", "file:///b")])
    #expect(
      Self.answer(0, "file:///a\n") { request in
        request.method = .saveFiles
        request.names = names
      } == .failed)
  }

  @Test func `The filter and the choices are returned`() {
    let filter = ChooserFilter(name: "A", rules: [.glob("*")])
    let answer = Self.answer(0, "file:///a\n") { request in
      request.currentFilter = filter
      request.choices = [.init(identifier: "i", selected: "s")]
    }
    #expect(
      answer.results == [
        "uris": Self.uris("file:///a"), "current_filter": filter.value,
        "choices": .array(element: "(ss)", [.structure([.string("i"), .string("s")])]),
      ])
  }
}
