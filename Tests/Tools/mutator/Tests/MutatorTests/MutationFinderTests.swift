import Testing

@testable import mutator

struct MutationFinderTests {
  /// The faults of a source, each as `before → after`.
  private func faults(_ source: String) -> [String] {
    MutationFinder.mutations(in: source, file: "A.swift").map { "\($0.before) → \($0.after)" }
  }

  /// The code inside the switches of a source.
  private func hosts(_ source: String) -> [String] {
    let bytes = Array(source.utf8)
    return MutationFinder.mutations(in: source, file: "A.swift").map {
      "\($0.host.form): \(String(decoding: bytes[$0.host.start..<$0.host.end], as: UTF8.self))"
    }
  }

  @Test(arguments: [
    ("func f() { g() }", ["g() → "]),
    ("func f() { x = 1 }", ["x = 1 → ", "1 → 2"]),
    ("func f() { if a { g() } }", ["a → !(a)", "g() → "]),
    ("func f() { if a == b { return } }", ["a == b → (a != b)"]),
    ("func f() { if !a { return } }", ["!a → a"]),
    ("func f() { while a { g() } }", ["a → false", "g() → "]),
    ("func f() { for x in a where x { g() } }", ["x → !(x)", "g() → "]),
    ("func f() -> Bool { a && b }", ["a && b → true", "a && b → false", "a && b → (a || b)"]),
    ("func f() -> Int? { g(a ?? b) }", ["g(a ?? b) → nil", "a ?? b → (b)"]),
    ("var a: [Int] { return g() }", ["g() → []"]),
    ("let a = b + c * 2", ["b + c * 2 → (b - c * 2)", "c * 2 → (c + 2)", "2 → 3"]),
    ("let a = 0xff", ["0xff → 0xfe"]),
    ("let a = min(b, c)", ["min → max"]),
    ("let a = -b", ["-b → b"]),
    ("func f() { a -= b }", ["-= → +="]),
    ("func f() { a += b }", ["a += b → "]),
  ])
  func `A source has these faults`(source: String, expected: [String]) {
    #expect(faults(source) == expected)
  }

  @Test(arguments: [
    "let a = \"\\(b + c)\"", "let a = \"b\" + c + d", "@inlinable func f() -> Bool { a < b }",
    "func f(a: Int = 1) {}", "enum A: Int { case a = 1 }", "func f() { precondition(a < b) }",
    "let a = #expect(b < c)", "let a = [1, 2, 3, 4, 5, 6, 7, 8, 9]",
    "func f() { switch a { case 1...2: break default: break } }",
    "init() { a = b }", "func f() -> A { g() }",
  ])
  func `A source has no faults`(source: String) {
    #expect(faults(source) == [])
  }

  @Test(arguments: [
    ("func f() { g(1 + a) }", "statement: g(1 + a)"),
    ("func f() -> A { g(1 + a) }", "expression: g(1 + a)"),
    ("func f() -> A { h(); return g(1 + a) }", "statement: return g(1 + a)"),
    ("func f() { let b = 1 + a }", "binding: 1 + a"),
    ("struct A { let b = 1 + a }", "expression: 1 + a"),
    ("func f() { if let b = g(1 + a), c {} }", "expression: g(1 + a)"),
    ("func f() { guard b, a > 1 else { return } }", "expression: a > 1"),
    ("func f() { switch a + 1 { default: break } }", "expression: a + 1"),
    ("func f() { b.map { $0 + 1 } }", "expression: $0 + 1"),
    ("func f() { b.map { return $0 + 1 } }", "expression: $0 + 1"),
    ("func f() -> A { if b { a + 1 } else { c } }", "expression: a + 1"),
    ("func f() -> A { switch b { case .c: a + 1 } }", "expression: a + 1"),
  ])
  func `The switch encloses the smallest code that can be written twice`(
    source: String, expected: String
  ) {
    #expect(hosts(source).contains(expected))
  }

  @Test func `A fault has its position`() {
    let found = MutationFinder.mutations(
      in: "extension A {\n  func b() {\n    é()\n  }\n}\n", file: "A.swift")
    #expect(found.map(\.line) == [3])
    #expect(found.map(\.declaration) == ["A.b"])
    #expect(found.map { $0.end - $0.start } == [4])
  }
}
