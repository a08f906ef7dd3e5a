import AssetLibrary
import Pixels
import TerminalGraphics
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite struct PictureTargetTests {
  private static func key(_ name: String) -> PictureKey { PictureRequest.thumbnail(.photo(name)).key }

  private static func frame(_ slots: [(String, CellRect, PictureSlot.Alignment)]) -> ScreenFrame {
    var frame = ScreenFrame(size: CellSize(columns: 60, rows: 20))
    for (name, rect, alignment) in slots {
      frame.place(PictureSlot(key: key(name), rect: rect, alignment: alignment))
    }
    return frame
  }

  private static func picture(_ version: UInt64, columns: Int, rows: Int) -> ScreenPicture {
    let size = CellSize(columns: columns, rows: rows)
    return ScreenPicture(version: version, encoded: EncodedPicture(size: size, covered: size, strips: []))
  }

  private static func limit(_ count: Int) -> PictureLimit {
    PictureLimit(
      count: count, cell: PixelSize(width: 10, height: 20), isPending: { _ in false }, version: { _ in 9 },
      isEncoded: { _ in true })
  }

  @Test func `A picture smaller than its slot is centered, or placed at its top`() {
    let rect = CellRect(column: 10, row: 2, columns: 9, rows: 7)
    let frame = Self.frame([
      ("a", rect, .center), ("b", CellRect(column: 30, row: 2, columns: 9, rows: 7), .top),
    ])
    let places = PictureTarget.targets(of: frame) { _ in Self.picture(1, columns: 4, rows: 2) }.map(\.place)
    #expect(places.map(\.row) == [4, 2])
    #expect(places.map(\.column) == [12, 32])
  }

  @Test func `A picture larger than its slot starts at the slot's corner`() {
    let frame = Self.frame([("a", CellRect(column: 3, row: 4, columns: 2, rows: 2), .center)])
    let target = PictureTarget.targets(of: frame) { _ in Self.picture(1, columns: 5, rows: 5) }.first
    #expect(target?.place.row == 4 && target?.place.column == 3)
  }

  @Test func `A picture shown in two places has two copies, others have one`() {
    let slots = (0..<4).map { number in
      (
        number == 2 ? "b" : "a", CellRect(column: 10 * number, row: 0, columns: 4, rows: 2),
        PictureSlot.Alignment.center
      )
    }
    let places = PictureTarget.targets(of: Self.frame(slots)) { key in
      Self.picture(key == Self.key("a") ? 1 : 2, columns: 4, rows: 2)
    }.map(\.place)
    #expect(places.map(\.version) == [1, 1, 2, 1])
    #expect(places.map(\.copy) == [0, 1, 0, 2])
  }

  @Test func `A slot without a picture stays empty; moving pictures are marked`() {
    let slots = ["a", "b"].enumerated().map { number, name in
      (name, CellRect(column: 10 * number, row: 0, columns: 4, rows: 2), PictureSlot.Alignment.center)
    }
    let targets = PictureTarget.targets(of: Self.frame(slots)) { key in
      guard key == Self.key("b") else { return nil }
      var picture = Self.picture(1, columns: 4, rows: 2)
      picture.isTransient = true
      return picture
    }
    #expect(targets.map(\.place.column) == [10])
    #expect(targets.map(\.place.isTransient) == [true])
  }

  @Test(arguments: [
    (nil, "piiiill"), (9, "piiiill"), (7, "piiiill"), (6, "piiiiLL"), (5, "piiiiLL"), (4, "piiiILL"),
    (2, "piIIILL"), (1, "pIIIILL"), (0, "PIIIILL"),
  ])
  func `Pictures that a terminal would not keep are drawn as text: single lines first, then thumbnails`(
    mostPictures: Int?, drawn: String
  ) {
    var frame = ScreenFrame(size: CellSize(columns: 60, rows: 20))
    let preview = PictureKey(.photo("p"), size: PictureRequest.size, mode: .aspectFit)
    frame.place(
      PictureSlot(key: preview, rect: CellRect(column: 40, row: 0, columns: 9, rows: 9), alignment: .top))
    for number in 0..<4 {
      let rect = CellRect(column: 10 * number, row: 0, columns: 4, rows: 2)
      frame.place(PictureSlot(key: Self.key("i\(number)"), rect: rect, alignment: .center))
    }
    for number in 0..<2 {
      let rect = CellRect(column: 10 * number, row: 5, columns: 2, rows: 1)
      frame.place(PictureSlot(key: Self.key("l\(number)"), rect: rect, alignment: .center))
    }
    // A text between two thumbnails keeps them apart.
    for column in stride(from: 4, to: 40, by: 10) { frame.put("│", row: 0, column: column) }
    let targets = PictureTarget.targets(of: frame, keeping: mostPictures.map(Self.limit)) { _ in
      var picture = Self.picture(1, columns: 4, rows: 2)
      picture.pixels = PixelBuffer(size: PixelSize(width: 40, height: 40), filledWith: .white)
      picture.blocks = ScreenPicture.Version(version: 2, encoded: picture.encoded)
      return picture
    }
    let kinds = zip(targets, "piiiill").map { target, kind in
      target.place.version == 2 ? kind.uppercased() : String(kind)
    }
    #expect(kinds.joined() == drawn)
  }

  @Test(arguments: [("§", 2), ("1", 9)])
  func `Where text over a picture removes it, a marked one has the mark drawn into it, or is drawn as text`(
    mark: String, version: UInt64
  ) {
    var frame = Self.frame([
      ("a", CellRect(column: 0, row: 0, columns: 4, rows: 2), .center),
      ("b", CellRect(column: 10, row: 0, columns: 4, rows: 2), .center),
    ])
    frame.mark(DisplayText(mark), row: 0, column: 11, limit: 1, style: .plain)
    // A text between two thumbnails keeps them apart.
    frame.put("│", row: 0, column: 5, style: .plain)
    for (most, versions) in [(nil, [1, 1]), (9, [1, version])] as [(Int?, [UInt64])] {
      let targets = PictureTarget.targets(of: frame, keeping: most.map(Self.limit)) { _ in
        var picture = Self.picture(1, columns: 4, rows: 2)
        picture.pixels = PixelBuffer(size: PixelSize(width: 40, height: 40), filledWith: .white)
        picture.blocks = ScreenPicture.Version(version: 2, encoded: picture.encoded)
        return picture
      }
      #expect(targets.map(\.place.version) == versions)
    }
  }
}
