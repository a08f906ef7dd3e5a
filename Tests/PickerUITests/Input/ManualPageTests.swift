import AssetLibrary
import Fixtures
import Foundation
import PickerUI
import Testing

/// The handwritten sections of the manual page match the program.
@Suite struct ManualPageTests {
  private func section(_ name: String) throws -> [String] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Docs/man/sections/\(name).mdoc").standardizedFileURL
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// A key as an argument of a macro, with roff escapes.
  private func argument(_ key: Key) -> String {
    let name = key.name
    if name == "-" { return "Ic \\-" }
    // A backslash begins an escape.
    if name == "\\" { return "Ic \\e" }
    return "Ic " + (name.count == 1 && ".?!,:;()[]".contains(name) ? "\\&\(name)" : name)
  }

  @Test func `The manual page lists the program's keys in the order of its help`() throws {
    let lines = KeyBindings.standard.sections.flatMap { section in
      [".Ss \(section.title)", ".Bl -tag -width 6n"]
        + section.groups.flatMap { group -> [String] in
          let keys = group.bindings.map { argument($0.key) }
          let first =
            group.label == nil ? keys.joined(separator: " , ") : "\(keys[0]) No to \(keys[keys.count - 1])"
          return [".It \(first)", "\(group.title.prefix(1).uppercased())\(group.title.dropFirst())."]
        } + [".El"]
    }
    var page = try RenewableDocument("man/sections/keys.mdoc", renewedBy: "ManualPageTests")
    try page.replace(after: "shows them as they are.", before: "", with: lines)
    #expect(try page.problem() == nil)
  }

  /// A key in a table of the manual: characters as code, names as text.
  private func cell(_ key: Key) -> String {
    if case .character(let character) = key { "`\(character)`" } else { key.words }
  }

  @Test func `The manual's table lists the program's keys in the order of its help`() throws {
    let rows = KeyBindings.standard.groups.map { group in
      let keys = group.bindings.map { cell($0.key) }
      let words = group.bindings.first.map { $0.command.manual }
      let first = group.label == nil ? keys.joined(separator: ", ") : "\(keys[0]) to \(keys[keys.count - 1])"
      return "| \(first) | \(words ?? group.title) |"
    }
    var manual = try RenewableDocument("Manual.md", renewedBy: "ManualPageTests")
    try manual.replace(
      after: "| key | what it does |", before: "", with: ["|---|---|"] + rows)
    #expect(try manual.problem() == nil)
  }

  @Test func `It lists exactly the existing filters`() throws {
    let items = try section("filters").filter { $0.hasPrefix(".It Cm ") }
    let names = items.flatMap { $0.dropFirst(4).split(separator: " ").filter { !["Cm", ","].contains($0) } }
    let functions = ["any", "all", "not"]
    let filters = names.prefix { !functions.contains(String($0)) }
    #expect(Set(filters.map(String.init)) == Set(PickerFilter.Name.allCases.map(\.rawValue)))
  }

  @Test func `It lists exactly the existing search terms`() throws {
    let items = try section("searches").filter { $0.hasPrefix(".It ") }.joined(separator: " ")
    let terms = items.matches(of: /Ic "([a-z]+):/).map { String($0.1) }
    #expect(Set(terms) == Set(SearchQuery.termNames))
  }
}
