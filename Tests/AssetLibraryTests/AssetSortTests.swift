import AssetLibrary
import Fixtures
import Testing

@Suite struct AssetSortTests {
  private func order(_ assets: [Asset], _ sort: AssetSort) -> [String] {
    assets.sorted(by: sort.areInIncreasingOrder).map(\.id.rawValue)
  }

  private let assets: [Asset] = [
    .photo("b", day: 2, size: 10, folder: "1"), .photo("a", day: 3, size: 30, folder: "2"),
    .photo("c", day: 1, size: 20, folder: "3"),
  ]

  @Test func `Each order has its key`() {
    #expect(order(assets, .newest) == ["a", "b", "c"])
    #expect(order(assets, .oldest) == ["c", "b", "a"])
    #expect(order(assets, .name) == ["a", "b", "c"])
    #expect(order(assets, .size) == ["a", "c", "b"])
  }

  @Test(arguments: AssetSort.allCases)
  func `Ties go by the bytes of the path`(sort: AssetSort) {
    let names: [[UInt8]] = [[0x41], [0x42], [0x61], [0xC3, 0xA4], [0xFF], [0x41, 0x41]]
    let assets = names.map { Asset.photo($0, folder: "p") }
    var random = SeededGenerator(seed: 1)
    let ordered = assets.shuffled(using: &random).sorted(by: sort.areInIncreasingOrder)
    let bytes = ordered.compactMap { $0.primaryResource?.path.bytes }
    for (a, b) in zip(bytes, bytes.dropFirst()) { #expect(a.lexicographicallyPrecedes(b)) }
  }

  @Test func `The same name in two folders goes by the folder`() {
    let twins: [Asset] = [.photo("a", folder: "z"), .photo("a", folder: "b")]
    let ordered = twins.sorted(by: AssetSort.name.areInIncreasingOrder)
    #expect(ordered == twins.reversed())
  }

  @Test(arguments: AssetSort.allCases)
  func `It is an order`(sort: AssetSort) {
    var random = SeededGenerator(seed: 5)
    let assets = (0..<30).map { number in
      Asset.photo(
        "\(number)", day: Int.random(in: 0...3, using: &random),
        size: Int64.random(in: 0...3, using: &random))
    }
    let precedes = sort.areInIncreasingOrder
    for a in assets {
      #expect(!precedes(a, a))
      for b in assets where a.id != b.id { #expect(precedes(a, b) != precedes(b, a)) }
    }
  }
}
