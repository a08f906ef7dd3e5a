import AssetLibrary
import Fixtures
import Foundation
import Pixels
import Results
import SystemPackage
import Testing

/// The documentation of fields is generated from the table of fields.
///
/// `TPICK_RENEW_DOCUMENTS=1 swift test --filter FieldDocumentTests` writes it.
@Suite struct FieldDocumentTests {
  // MARK: The schema

  /// JSON with keys in a given order.
  private indirect enum Node {
    case scalar(String)
    case list([Node])
    case object([(key: String, value: Node)])

    static func string(_ text: String) -> Node {
      .scalar("\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
    }

    var inOneLine: String {
      switch self {
      case .scalar(let text): text
      case .list(let items): "[\(items.map(\.inOneLine).joined(separator: ", "))]"
      case .object(let members):
        "{\(members.map { "\"\($0.key)\": \($0.value.inOneLine)" }.joined(separator: ", "))}"
      }
    }

    /// On one line if it is short enough, else one member per line, or as many items as fit.
    func text(column: Int, indent: Int) -> String {
      let whole = inOneLine
      if column + whole.count < 118 { return whole }
      let inner = String(repeating: " ", count: indent + 2)
      let end = "\n" + String(repeating: " ", count: indent)
      switch self {
      case .scalar: return whole
      case .list(let items):
        var lines = [inner]
        for item in items.map(\.inOneLine) {
          let isFirst = lines[lines.count - 1] == inner
          if !isFirst, lines[lines.count - 1].count + item.count > 114 { lines.append(inner) }
          lines[lines.count - 1] += (lines[lines.count - 1] == inner ? "" : " ") + item + ","
        }
        return "[\n" + lines.joined(separator: "\n").dropLast() + end + "]"
      case .object(let members):
        let lines = members.map { key, value in
          let start = "\(inner)\"\(key)\": "
          return start + value.text(column: start.count + 1, indent: indent + 2)
        }
        return "{\n" + lines.joined(separator: ",\n") + end + "}"
      }
    }
  }

  private func node(_ schema: FieldSchema, help: String? = nil) -> Node {
    var members: [(key: String, value: Node)] = []
    if let help {
      members.append(("description", .string("\(help.prefix(1).uppercased())\(help.dropFirst()).")))
    }
    func add(_ key: String, _ value: Node?) { if let value { members.append((key, value)) } }
    func number(_ number: Int?) -> Node? { number.map { .scalar("\($0)") } }
    switch schema {
    case .definition(let name): add("$ref", .string("#/$defs/\(name)"))
    case .string(let pattern, let minLength):
      add("type", .string("string"))
      add("minLength", number(minLength))
      add("pattern", pattern.map(Node.string))
    case .word(let words): add("enum", .list(words.map(Node.string)))
    case .oneOf(let numbers): add("enum", .list(numbers.map { .scalar("\($0)") }))
    case .number(let minimum, let maximum):
      add("type", .string("number"))
      add("minimum", number(minimum))
      add("maximum", number(maximum))
    case .boolean: add("type", .string("boolean"))
    case .list(let item, let isSet, let minimum):
      add("type", .string("array"))
      add("minItems", number(minimum))
      add("uniqueItems", isSet ? .scalar("true") : nil)
      add("items", node(item))
    case .object(let parts):
      add("type", .string("object"))
      add("required", .list(parts.filter(\.isRequired).map { .string($0.key) }))
      add("properties", .object(parts.map { ($0.key, node($0.schema, help: $0.help)) }))
    }
    return .object(members)
  }

  /// The keys of an asset without any metadata.
  private func keysAlways(
    below key: String? = nil, _ document: (AssetRecord) -> AssetDocument
  ) throws -> [String] {
    var asset = Asset(
      localIdentifier: LocalIdentifier("id"), mediaType: .image, pixelSize: .zero,
      creationDate: AssetDate(year: 2024, month: 5, day: 2),
      modificationDate: AssetDate(year: 2024, month: 5, day: 2), resources: [])
    asset.resources = [
      AssetResource(type: .photo, path: FilePath("/a"), uniformTypeIdentifier: "public.data", byteCount: 0)
    ]
    let data = try JSONEncoder().encode(document(AssetRecord(asset)))
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    if let key { object = try #require(object[key] as? [String: Any]) }
    return AssetField.inJSON.map(\.name).filter(object.keys.contains)
  }

  @Test func `The schema has every field, and the keys that are always present`() throws {
    var document = try RenewableDocument("schema.json", renewedBy: "FieldDocumentTests")
    func replace(_ name: String, _ members: [(key: String, value: Node)]) throws {
      let lines = Node.object(members).text(column: 1000, indent: 4).split(separator: "\n")
      try document.replace(
        after: "    \"\(name)\": {", before: "    },", with: lines.dropFirst().dropLast().map(String.init))
    }
    func names(_ names: [String]) -> Node { .list(names.map(Node.string)) }
    let usual = try keysAlways { AssetDocument($0) }
    let everything = try FieldSelection("all")
    let all = try keysAlways { AssetDocument($0, everything) }
    try replace("asset", [("$ref", .string("#/$defs/selection")), ("required", names(usual))])
    try replace(
      "allFields",
      [
        ("description", .string("An asset with --fields all.")), ("$ref", .string("#/$defs/asset")),
        ("required", names(all.filter { !usual.contains($0) })),
      ])
    let properties = AssetField.inJSON.map { ($0.name, node($0.schema, help: $0.help)) }
    try replace("selection", [("type", .string("object")), ("properties", .object(properties))])
    let details = AssetDocument.details
    try replace(
      "details",
      [
        ("type", .string("object")),
        ("required", names(try keysAlways(below: "details", AssetDocument.init(withDetails:)))),
        ("properties", .object(details.map { ($0.key, node($0.schema, help: $0.help)) })),
      ])
    #expect(try document.problem() == nil)
  }

  // MARK: The manual

  @Test func `The manual's table has every field with its names`() throws {
    var document = try RenewableDocument("Manual.md", renewedBy: "FieldDocumentTests")
    let rows = AssetField.all.map { field in
      let place =
        switch field.use {
        case .usual: "usual"
        case .onRequest: field.origin == .file ? "`--fields`, from the file" : "`--fields`"
        case .inJSON: "usual, not in templates"
        case .inTemplates: "templates alone"
        }
      let shorter = field.shortName.map { "`\($0)`" } ?? ""
      return "| `\(field.name)` | \(shorter) | \(place) | \(field.help) |"
    }
    try document.replace(
      after: "| field | shorter | where | what it tells |", before: "",
      with: ["|---|---|---|---|"] + rows)
    #expect(try document.problem() == nil)
  }

  // MARK: Searches

  @Test func `A search term and the field with its name have the same description`() throws {
    let fields = Dictionary(uniqueKeysWithValues: AssetField.inTemplates.map { ($0.name, $0.field) })
    let otherNames = ["person": "people", "keyword": "keywords", "album": "albums", "ext": "extension"]
    // They compare dates, locations and sides, for which the fields have others.
    let others: Set = ["after", "before", "near", "ratio"]
    for name in SearchQuery.termNames where !others.contains(name) {
      let field = try #require(fields[otherNames[name] ?? name], "\(name)")
      let help = try #require(SearchQuery.help(ofTerm: name)?.help)
      // Searches cover captions like titles, and know more kinds than the three media types.
      if ["title", "type"].contains(name) { continue }
      #expect(field.help.hasPrefix(help), "\(name)")
    }
    for name in others { #expect(fields[name] == nil && SearchQuery.help(ofTerm: name) != nil) }
  }
}
