import AssetLibrary
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

  @Test(arguments: [(0, 50), (1, 1), (7, 7)])
  func `No more are taken than the limit`(limit: Int, count: Int) {
    var selection = Selection(limit: limit)
    for number in 0..<50 { #expect(selection.add(.photo("\(number)")) == (number < count)) }
    #expect(selection.count == count)
    #expect(selection.isFull == (limit > 0))
  }

  @Test func `The numbers close up when one goes`() {
    var selection = Selection(limit: 0)
    for name in ["a", "b", "c"] { _ = selection.add(.photo(name)) }
    selection.remove(LocalIdentifier("a"))
    selection.remove(LocalIdentifier("x"))
    #expect(selection.number(of: LocalIdentifier("a")) == nil)
    #expect(selection.number(of: LocalIdentifier("c")) == 2)
    selection.keep { $0.id.rawValue == "c" }
    #expect(selection.number(of: LocalIdentifier("c")) == 1)
    selection.removeAll()
    #expect(selection.isEmpty)
    #expect(!selection.contains(LocalIdentifier("c")))
  }
}
