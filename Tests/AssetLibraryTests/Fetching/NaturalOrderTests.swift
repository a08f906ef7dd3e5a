import AssetLibrary
import Testing

/// Names in natural order.
@Suite struct NaturalOrderTests {
  static let orders: [[String]] = [
    ["img1", "img2", "img10", "img20", "img100"],
    ["IMG_0002.JPG", "img_2.jpg", "IMG_0010.jpg", "img_10.png"],
    ["a", "A1", "a2", "B", "b1", "c"],
    ["2023-12-01", "2024-02-01", "2024-10-01"],
    ["Zucker", "Zürich", "Zzz"],
    ["v1.2", "v1.10", "v2"], ["1", "a", "é", "f"],
    ["99999999999999999999998", "99999999999999999999999", "100000000000000000000000"],
  ]

  @Test(arguments: orders)
  func `Numbers compare by value, and case and accents do not separate names`(names: [String]) {
    for (index, first) in names.enumerated() {
      for (other, second) in names.enumerated() {
        let order = NaturalOrder.compare(first.utf8, second.utf8)
        #expect((order < 0) == (index < other) && (order == 0) == (index == other), "\(first) \(second)")
      }
    }
  }

  @Test(arguments: [("img1", "img01"), ("IMG1", "img1"), ("\u{65}\u{301}", "\u{E9}"), ("a007", "a7")])
  func `Names that compare equal are ordered by their bytes`(first: String, second: String) {
    #expect(NaturalOrder.key(of: first.utf8) == NaturalOrder.key(of: second.utf8))
    let isFirst = Array(first.utf8).lexicographicallyPrecedes(Array(second.utf8))
    #expect((NaturalOrder.compare(first.utf8, second.utf8) < 0) == isFirst)
  }

  @Test func `Bytes that are no text have a position too`() {
    #expect(NaturalOrder.compare([0xFF, 0x31], [0xFF, 0x32]) < 0)
    #expect(NaturalOrder.compare([0xFE], [0xFF]) < 0)
    #expect(NaturalOrder.compare([UInt8](), [0x61]) < 0)
  }

  @Test func `Each order has an exact reverse`() {
    let all = AssetSort.allCases + [.given]
    for sort in all {
      #expect(sort.reversed != sort)
      #expect(sort.reversed.reversed == sort)
      #expect(sort.reversed.descriptors[0].ascending != sort.descriptors[0].ascending)
      #expect(sort.reversed.descriptors[0].key == sort.descriptors[0].key)
    }
    #expect(!AssetSort.allCases.contains(.given))
  }
}
