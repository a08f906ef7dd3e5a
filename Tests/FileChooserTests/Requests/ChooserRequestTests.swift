import Testing

@testable import FileChooser

@Suite struct ChooserRequestTests {
  private static func read(
    _ options: [String: BusValue], _ method: ChooserRequest.Method = .openFile
  ) throws -> ChooserRequest {
    try #require(
      ChooserRequest(
        method, [.objectPath("/h"), .string("app"), .string("x11:1"), .string("Title"), .options(options)]))
  }

  private static func filter(_ name: String, _ rules: [(UInt32, String)]) -> BusValue {
    .structure([
      .string(name),
      .array(element: "(us)", rules.map { .structure([.number($0.0), .string($0.1)]) }),
    ])
  }

  @Test func `Options are read`() throws {
    let request = try Self.read([
      "accept_label": .string("_Up__load"), "multiple": .boolean(true), "directory": .boolean(true),
      "filters": .array(element: "(sa(us))", [Self.filter("A", [(0, "*.a"), (7, "?"), (1, "image/b")])]),
      "current_filter": Self.filter("B", []), "current_folder": .bytes([0x2F, 0xFF, 0, 0x41]),
      "current_name": .string("n"), "current_file": .bytes(Array("/f\0".utf8)),
      "files": .array(element: "ay", [.bytes(Array("1\0".utf8)), .bytes([0])]),
      "choices": .array(
        element: "(ssa(ss)s)",
        [
          .structure([
            .string("id"), .string("L"),
            .array(element: "(ss)", [.structure([.string("x"), .string("X")])]), .string(""),
          ]),
          .structure([.string("box"), .string("L"), .array(element: "(ss)", []), .string("true")]),
          .structure([.string("bad")]),
        ]),
    ])
    var expected = ChooserRequest(method: .openFile, handle: "/h")
    expected.title = "Title"
    expected.acceptLabel = "Up_load"
    expected.allowsSeveral = true
    expected.wantsFolder = true
    expected.filters = [ChooserFilter(name: "A", rules: [.glob("*.a"), .mimeType("image/b")])]
    expected.currentFilter = ChooserFilter(name: "B", rules: [])
    expected.currentFolder = [0x2F, 0xFF]
    expected.currentName = "n"
    expected.currentFile = Array("/f".utf8)
    expected.names = [Array("1".utf8)]
    expected.choices = [.init(identifier: "id", selected: "x"), .init(identifier: "box", selected: "true")]
    #expect(request == expected)
  }

  @Test func `Options of other types are ignored`() throws {
    let keys = [
      "accept_label", "multiple", "directory", "filters", "current_filter", "current_folder", "current_name",
      "current_file", "files", "choices", "unknown",
    ]
    var expected = ChooserRequest(method: .saveFile, handle: "/h")
    expected.title = "Title"
    for value in [BusValue.number(1), .other, .structure([]), .array(element: "u", [.number(1)])] {
      #expect(
        try Self.read(Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }), .saveFile) == expected)
    }
  }

  @Test func `Other arguments are rejected`() {
    #expect(ChooserRequest(.openFile, []) == nil)
    #expect(ChooserRequest(.openFile, Array(repeating: .string(""), count: 5)) == nil)
  }

  @Test func `A filter is returned as it was received`() throws {
    let value = Self.filter("A", [(0, "*.a"), (1, "image/b")])
    #expect(ChooserFilter(value)?.value == value)
    #expect(value.signature == "(sa(us))")
  }

  @Test(
    arguments: [
      (.boolean(true), "b"), (.number(1), "u"), (.string(""), "s"), (.objectPath("/"), "o"),
      (.bytes([]), "ay"),
      (.array(element: "s", []), "as"), (.structure([.objectPath("/"), .bytes([1])]), "(oay)"),
      (.options([:]), "a{sv}"), (.variant(.number(1)), "v"),
    ] as [(BusValue, String)])
  func `A value has its D-Bus type`(value: BusValue, signature: String) {
    #expect(value.signature == signature)
  }

  @Test func `The current filter applies, else the first`() throws {
    let filters = BusValue.array(element: "(sa(us))", [Self.filter("A", []), Self.filter("B", [])])
    #expect(try Self.read(["filters": filters]).filter?.name == "A")
    #expect(
      try Self.read(["filters": filters, "current_filter": Self.filter("C", [])]).filter?.name == "C")
    #expect(try Self.read([:]).filter == nil)
  }
}
