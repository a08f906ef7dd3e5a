import AssetLibrary
import Testing

@testable import FolderLibrary

/// Counts of skipped files in bounded memory.
@Suite struct IssueTallyTests {
  private func issue(_ number: Int) -> AssetError {
    AssetError("file\(number)", number.isMultiple(of: 2) ? "even" : "odd")
  }

  @Test func `Every issue is counted, and a few of each kind are kept in order`() {
    var tally = IssueTally(namesKept: 2)
    #expect(tally.isEmpty)
    for number in 0..<9 { tally.add(issue(number)) }
    #expect(tally.counts == ["even": 5, "odd": 4])
    #expect(tally.issues == (0..<4).map(issue))
    #expect(!tally.isEmpty)
    #expect(tally.emptied.isEmpty)
    var all = IssueTally(namesKept: .max)
    for number in 0..<9 { all.add(issue(number)) }
    #expect(all.issues == (0..<9).map(issue))
  }

  @Test func `The last issue can be retracted`() {
    var tally = IssueTally(namesKept: 2)
    #expect(tally.popLast() == nil)
    tally.add(issue(0))
    tally.add(issue(1))
    #expect(tally.popLast() == issue(1))
    #expect(tally.counts == ["even": 1])
    #expect(tally.issues == [issue(0)])
  }
}
