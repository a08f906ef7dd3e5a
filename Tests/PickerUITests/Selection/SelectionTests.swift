import AssetLibrary
import Fixtures
import Testing

@testable import PickerUI

@Suite struct SelectionTests {
  @Test func `Picks keep their order and are numbered from one`() {
    var selection = Selection(limit: 0)
    for name in ["b", "a", "c"] { #expect(selection.add(.photo(name)) == true) }
    #expect(selection.assets.map(\.id.rawValue) == ["b", "a", "c"])
    #expect(selection.number(of: LocalIdentifier("a")) == 2)
    #expect(selection.number(of: LocalIdentifier("x")) == nil)
    #expect(selection.byteCount == 6_000_000)
  }

  @Test func `The same asset is picked once`() {
    var selection = Selection(limit: 2)
    for _ in 0..<2 { #expect(selection.add(.photo("a")) == true) }
    #expect(selection.count == 1)
  }

  @Test func `Removing applies only to the last pick and its bytes, and truncating to more changes nothing`()
  {
    var selection = Selection(limit: 0)
    for name in ["a", "b", "c"] { _ = selection.add(.photo(name)) }
    selection.removeLast(LocalIdentifier("a"))
    #expect(selection.count == 3)
    selection.removeLast(LocalIdentifier("c"))
    #expect(selection.byteCount == 4_000_000)
    selection.truncate(to: 5)
    #expect(selection.identifiers.map(\.rawValue) == ["a", "b"])
    #expect(Selection(limit: 9).excess == 0)
  }

  @Test(arguments: [(0, 50), (1, 1), (7, 7)])
  func `No more than the limit are picked`(limit: Int, count: Int) {
    var selection = Selection(limit: limit)
    for number in 0..<50 { #expect(selection.add(.photo("\(number)")) == (number < count)) }
    #expect(selection.count == count)
    #expect(selection.isFull == (limit > 0))
  }

  @Test func `The numbers close up when a pick is removed`() {
    var selection = Selection(limit: 0)
    for name in ["a", "b", "c"] { _ = selection.add(.photo(name)) }
    selection.remove(LocalIdentifier("a"))
    selection.remove(LocalIdentifier("x"))
    #expect(selection.number(of: LocalIdentifier("a")) == nil)
    #expect(selection.number(of: LocalIdentifier("c")) == 2)
    selection.keep { $0.rawValue == "c" }
    #expect(selection.number(of: LocalIdentifier("c")) == 1)
    selection.removeAll()
    #expect(selection.isEmpty)
    #expect(!selection.contains(LocalIdentifier("c")))
  }

  @Test func `Many picks can be taken from the fetch result in any order`() {
    let answer = FetchResult([Asset].numbered(1000))
    var selection = Selection(limit: 0)
    _ = selection.add(.photo("500"))
    #expect(selection.add((0..<1000).reversed(), of: answer) { !$0.localIdentifier.rawValue.hasSuffix("7") })
    #expect(selection.count == 900)
    #expect(selection.byteCount == 900 * 2_000_000)
    #expect(selection.identifiers.prefix(3).map(\.rawValue) == ["500", "999", "998"])
    #expect(selection.number(of: LocalIdentifier("998")) == 3)
    #expect(selection.assets[2].id.rawValue == "998")
    selection.remove(LocalIdentifier("999"))
    #expect(selection.number(of: LocalIdentifier("998")) == 2)
    selection.move(from: 0, to: 2)
    #expect(selection.identifiers.prefix(3).map(\.rawValue) == ["998", "996", "500"])
    #expect(selection.number(of: LocalIdentifier("500")) == 3)
    #expect(selection.number(of: LocalIdentifier("995")) == 4)
  }

  @Test func `Many picks stop at the limit`() {
    let answer = FetchResult([Asset].numbered(1000))
    var selection = Selection(limit: 600)
    #expect(!selection.add(0..<1000, of: answer) { _ in true })
    #expect(selection.count == 600)
  }

  @Test func `An undone removal restores the pick's position`() {
    var selection = Selection(limit: 0)
    for name in ["a", "b", "c", "d"] { _ = selection.add(.photo(name)) }
    let removed = selection.takeOut(["b", "d", "x"].map { LocalIdentifier($0) })
    #expect(selection.identifiers.map(\.rawValue) == ["a", "c"])
    #expect(selection.number(of: LocalIdentifier("c")) == 2)
    selection.putBack(removed)
    #expect(selection.identifiers.map(\.rawValue) == ["a", "b", "c", "d"])
    #expect(selection.byteCount == 8_000_000)
  }

  /// Compared with a plain list.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `No sequence of changes confuses the numbers`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let answer = FetchResult([Asset].numbered(400))
    var selection = Selection(limit: Bool.random(using: &random) ? 0 : 300)
    var plain: [String] = []
    func add(_ name: String) {
      if !plain.contains(name), selection.limit == 0 || plain.count < selection.limit { plain.append(name) }
    }
    for _ in 0..<200 {
      let name = String(Int.random(in: 0..<400, using: &random))
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        let first = Int.random(in: 0..<120, using: &random)
        let range = first..<first + Int.random(in: 0...280, using: &random)
        _ = selection.add(range, of: answer) { _ in true }
        range.forEach { add("\($0)") }
      case 1:
        selection.keep { $0.rawValue.count < 3 || $0.rawValue.hasPrefix("1") }
        plain.removeAll { !($0.count < 3 || $0.hasPrefix("1")) }
      case 2...4 where plain.count > 1:
        let (from, to) = (
          Int.random(in: 0..<plain.count, using: &random), Int.random(in: 0..<plain.count, using: &random)
        )
        selection.move(from: from, to: to)
        plain.insert(plain.remove(at: from), at: to)
      case 5...7:
        selection.remove(LocalIdentifier(name))
        plain.removeAll { $0 == name }
      case 9 where plain.count > 2:
        let count = Int.random(in: 0...plain.count, using: &random)
        selection.truncate(to: count)
        plain.removeSubrange(count...)
      case 8 where !plain.isEmpty:
        selection.removeLast(LocalIdentifier(plain[plain.count - 1]))
        plain.removeLast()
      default:
        _ = selection.add(answer[Int(name) ?? 0])
        add(name)
      }
      let names = selection.assets.map(\.id.rawValue)
      #expect(names == plain)
      let numbers = plain.map { selection.number(of: LocalIdentifier($0)) }
      #expect(numbers == plain.indices.map { $0 + 1 })
      guard names == plain else { return }
    }
  }
}
