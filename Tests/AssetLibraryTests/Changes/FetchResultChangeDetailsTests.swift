import AssetLibrary
import Fixtures
import Testing

@Suite struct FetchResultChangeDetailsTests {
  private typealias Details = FetchResultChangeDetails<Asset>

  /// A fetch result with photos named by one letter each; a capital letter is a changed photo.
  private static func result(_ letters: String) -> FetchResult<Asset> {
    FetchResult(letters.map { .photo($0.lowercased(), size: $0.isUppercase ? 2 : 1) })
  }

  struct Case: Sendable {
    var before, after: String
    var removed: [Int] = []
    var inserted: [Int] = []
    var changed: [Int] = []
    var moves: [[Int]] = []
  }

  static let cases: [Case] = [
    Case(before: "", after: ""), Case(before: "abc", after: "abc"),
    Case(before: "", after: "ab", inserted: [0, 1]), Case(before: "ab", after: "", removed: [0, 1]),
    Case(before: "abcd", after: "ad", removed: [1, 2]), Case(before: "ad", after: "abcd", inserted: [1, 2]),
    Case(before: "abc", after: "xbz", removed: [0, 2], inserted: [0, 2]),
    Case(before: "abc", after: "aBc", changed: [1]),
    Case(before: "abc", after: "xaB", removed: [2], inserted: [0], changed: [2]),
    Case(before: "abcde", after: "bcdea", moves: [[0, 4]]),
    Case(before: "abcde", after: "eabcd", moves: [[4, 0]]),
    Case(before: "abc", after: "Cab", changed: [2], moves: [[2, 0]]),
    Case(before: "abcdef", after: "fabxde", removed: [2], inserted: [3], moves: [[5, 0], [3, 4]]),
  ]

  @Test(arguments: cases.indices)
  func `Changes of the elements are reported`(index: Int) {
    let example = Self.cases[index]
    let details = Details(from: Self.result(example.before), to: Self.result(example.after))
    #expect(details.hasIncrementalChanges)
    #expect(details.removedIndexes == example.removed)
    #expect(details.insertedIndexes == example.inserted)
    #expect(details.changedIndexes == example.changed)
    #expect(details.moves == example.moves)
    #expect(details.hasMoves == !example.moves.isEmpty)
    #expect(details.isEmpty == (example.before == example.after))
    #expect(details.replayed == Array(Self.result(example.after)))
  }

  @Test func `The objects behind the changed indexes are available`() {
    let details = Details(from: Self.result("abcd"), to: Self.result("Dxb"))
    #expect(details.removedObjects == [.photo("a"), .photo("c")])
    #expect(details.insertedObjects == [.photo("x")])
    #expect(details.changedObjects == [.photo("d", size: 2)])
    #expect(details.fetchResultBeforeChanges == Self.result("abcd"))
    #expect(details.fetchResultAfterChanges == Self.result("Dxb"))
  }

  @Test func `The store may report what changed`() {
    let details = Details(
      from: Self.result("abc"), to: Self.result("cAx"),
      changedElements: [LocalIdentifier("a"), LocalIdentifier("b"), LocalIdentifier("x")])
    #expect(details.changedObjects == [.photo("a", size: 2)])
    #expect(details.replayed == Array(Self.result("cAx")))
  }

  @Test func `A result can replace another without details`() {
    let details = Details(replacing: Self.result("ab"), with: Self.result("ba"))
    #expect(!details.hasIncrementalChanges)
    #expect(!details.isEmpty)
    #expect(details.fetchResultAfterChanges == Self.result("ba"))
    #expect(details.removedIndexes.isEmpty && details.insertedIndexes.isEmpty && !details.hasMoves)
  }

  @Test func `A duplicate element leads to a reload or to correct details`() {
    #expect(!Details(from: Self.result("ab"), to: Self.result("bcc")).hasIncrementalChanges)
    #expect(Details(from: Self.result("ab"), to: Self.result("aba")).replayed == Array(Self.result("aba")))
    #expect(Details(from: Self.result("abab"), to: Self.result("ab")).replayed == Array(Self.result("ab")))
  }

  @Test func `Change details reproduce any edit`() {
    var random = SeededGenerator(seed: 3)
    var faults: [UInt64] = []
    for seed in 0..<2000 as Range<UInt64> {
      let before = (0..<Int.random(in: 0...24, using: &random)).map { Asset.photo("\($0)") }
      let after = Self.edited(before, using: &random)
      let details = Details(from: FetchResult(before), to: FetchResult(after))
      let isAscending = [details.removedIndexes, details.insertedIndexes, details.changedIndexes].allSatisfy {
        zip($0, $0.dropFirst()).allSatisfy { $0 < $1 }
      }
      if !isAscending || details.replayed != after || details.moves.count > before.count {
        faults.append(seed)
      }
    }
    #expect(faults.isEmpty)
  }

  private static func edited(_ assets: [Asset], using random: inout SeededGenerator) -> [Asset] {
    var (assets, next) = (assets, 1000)
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let place = Int.random(in: 0...assets.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        assets.insert(.photo("\(next)"), at: place)
        next += 1
      case 1 where place < assets.count: assets.remove(at: place)
      case 2 where place < assets.count: assets[place].isFavorite.toggle()
      case 3 where place < assets.count:
        let asset = assets.remove(at: place)
        assets.insert(asset, at: Int.random(in: 0...assets.count, using: &random))
      case 4 where Int.random(in: 0..<4, using: &random) == 0: assets.shuffle(using: &random)
      default: break
      }
    }
    return assets
  }

  @Test func `As few elements as possible are reported as moved`() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<300 {
      let letters = Array("abcdefg").shuffled(using: &random)
      let details = Details(from: Self.result("abcdefg"), to: Self.result(String(letters)))
      #expect(details.moves.count <= 7 - Self.longestAscent(letters))
      #expect(details.replayed == Array(Self.result(String(letters))))
    }
  }

  /// The length of the longest increasing subsequence, by exhaustive search.
  private static func longestAscent(_ letters: [Character]) -> Int {
    (0..<1 << letters.count).map { set in
      let chosen = letters.indices.filter { set >> $0 & 1 == 1 }.map { letters[$0] }
      return zip(chosen, chosen.dropFirst()).allSatisfy { $0 < $1 } ? chosen.count : 0
    }.max() ?? 0
  }
}

extension FetchResultChangeDetails<Asset> {
  fileprivate var moves: [[Int]] {
    var moves: [[Int]] = []
    enumerateMoves { moves.append([$0, $1]) }
    return moves
  }

  /// The old result with the change details applied in order.
  fileprivate var replayed: [Asset] {
    var shown = Array(fetchResultBeforeChanges)
    for index in removedIndexes.reversed() { shown.remove(at: index) }
    for (index, asset) in zip(insertedIndexes, insertedObjects) { shown.insert(asset, at: index) }
    for (index, asset) in zip(changedIndexes, changedObjects) { shown[index] = asset }
    enumerateMoves { from, to in
      let asset = shown.remove(at: from)
      shown.insert(asset, at: to)
    }
    return shown
  }
}
