import AssetLibrary
import Fixtures
import Pixels
import Testing

@Suite struct AssetSortTests {
  private func order(_ assets: [Asset], _ sort: AssetSort) -> [String] {
    assets.sorted(by: sort.areInIncreasingOrder).map(\.id.rawValue)
  }

  private let assets: [Asset] = [
    .photo("b", day: 2, size: 10, folder: "1"), .photo("a", day: 3, size: 30, folder: "2"),
    .photo("c", day: 1, size: 20, folder: "3"),
  ]

  @Test func `Each order uses its key`() {
    #expect(order(assets, .newest) == ["a", "b", "c"])
    #expect(order(assets, .oldest) == ["c", "b", "a"])
    #expect(order(assets, .name) == ["a", "b", "c"])
    #expect(order(assets, .size) == ["a", "c", "b"])
    var later = assets
    later[2].addedDate = AssetDate(year: 2025, month: 1, day: 1)
    #expect(order(later, .added) == ["c", "a", "b"])
  }

  static let keys: [(AssetSortKey, @Sendable (inout Asset, Int) -> Void)] = [
    (.creationDate, { $0.creationDate = AssetDate(wallSeconds: Int64($1)) }),
    (.modificationDate, { $0.modificationDate = AssetDate(wallSeconds: Int64($1)) }),
    (.addedDate, { $0.addedDate = AssetDate(wallSeconds: Int64($1)) }),
    (.filename, { $0.resources[0].path = .init(bytes: Array("p/\($1)".utf8)) }),
    (.byteCount, { $0.resources[0].byteCount = Int64($1) }), (.duration, { $0.duration = Double($1) }),
    (.pixelWidth, { $0.pixelSize.width = $1 }), (.pixelHeight, { $0.pixelSize.height = $1 }),
  ]

  @Test(arguments: keys.indices)
  func `A descriptor sorts by its key in both directions`(index: Int) {
    let (key, set) = Self.keys[index]
    let values = [3, 1, 4, 2]
    let assets = values.map { value in
      var asset = Asset.photo("\(value)")
      set(&asset, value)
      return asset
    }
    for ascending in [true, false] {
      let descriptors = [AssetSortDescriptor(key: key, ascending: ascending)]
      let ordered = assets.sorted(by: descriptors.areInIncreasingOrder).map(\.id.rawValue)
      #expect(ordered == (ascending ? ["1", "2", "3", "4"] : ["4", "3", "2", "1"]))
    }
    // Only the store knows the order of the sources.
    #expect(Self.keys.count + 1 == AssetSortKey.allCases.count)
  }

  @Test func `The second descriptor breaks ties of the first`() {
    let assets: [Asset] = [.photo("b", day: 1, size: 1), .photo("a", day: 1, size: 2), .photo("c", day: 2)]
    let descriptors = AssetSort.oldest.descriptors + AssetSort.size.descriptors
    #expect(assets.sorted(by: descriptors.areInIncreasingOrder).map(\.id.rawValue) == ["a", "b", "c"])
    let none: [AssetSortDescriptor] = []
    #expect(assets.sorted(by: none.areInIncreasingOrder).map(\.id.rawValue) == ["a", "b", "c"])
  }

  @Test func `Equal local times in different zones are a tie`() {
    var assets: [Asset] = [.photo("b"), .photo("a")]
    assets[0].creationDate.utcOffset = 3600
    #expect(order(assets, .newest) == ["a", "b"])
    #expect(order(assets, .oldest) == ["a", "b"])
  }

  @Test(arguments: AssetSort.allCases.filter { $0 != .name } + [.given, .givenReversed, .sizeReversed])
  func `Ties are sorted by path bytes`(sort: AssetSort) {
    let names: [[UInt8]] = [[0x41], [0x42], [0x61], [0xC3, 0xA4], [0xFF], [0x41, 0x41]]
    let assets = names.map { Asset.photo($0, folder: "p") }
    var random = SeededGenerator(seed: 1)
    let ordered = assets.shuffled(using: &random).sorted(by: sort.areInIncreasingOrder)
    let bytes = ordered.compactMap { $0.primaryResource?.path.bytes }
    for (a, b) in zip(bytes, bytes.dropFirst()) { #expect(a.lexicographicallyPrecedes(b)) }
  }

  @Test func `The same name in two folders is sorted by folder`() {
    let twins: [Asset] = [.photo("a", folder: "z"), .photo("a", folder: "b")]
    let ordered = twins.sorted(by: AssetSort.name.areInIncreasingOrder)
    #expect(ordered == twins.reversed())
  }

  @Test(arguments: AssetSort.allCases)
  func `The comparison is a strict weak ordering`(sort: AssetSort) {
    var random = SeededGenerator(seed: 5)
    let assets = (0..<30).map { number in
      Asset.photo(
        "\(number)", day: Int.random(in: 0...3, using: &random),
        size: Int64.random(in: 0...3, using: &random))
    }
    let precedes: (Asset, Asset) -> Bool = sort.areInIncreasingOrder
    for a in assets {
      #expect(!precedes(a, a))
      for b in assets where a.id != b.id { #expect(precedes(a, b) != precedes(b, a)) }
    }
  }
}
