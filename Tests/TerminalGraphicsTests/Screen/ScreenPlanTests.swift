import Fixtures
import Pixels
import Testing

@testable import TerminalGraphics

@Suite struct ScreenPlanTests {
  /// A screen whose cells know which pictures are visible in them.
  private struct Screen: Equatable {
    private var cells: [[UInt64]] = Array(repeating: [], count: 30 * 16)

    init(_ pictures: [PlacedPicture] = []) {
      for picture in pictures { draw(picture) }
    }

    mutating func erase(_ rect: CellRect) { change(rect) { _, _ in [] } }

    mutating func draw(_ picture: PlacedPicture) {
      let covered = CellRect(
        column: picture.column, row: picture.row, columns: picture.covered.columns,
        rows: picture.covered.rows)
      change(picture.rect) { place, before in
        // In a partly filled cell the previous content remains visible.
        let rest = covered.contains(row: place.row, column: place.column) ? [] : before
        return rest + [picture.version]
      }
    }

    private mutating func change(
      _ rect: CellRect, _ body: ((row: Int, column: Int), [UInt64]) -> [UInt64]
    ) {
      for row in rect.row..<rect.endRow {
        for column in rect.column..<rect.endColumn {
          cells[row * 30 + column] = body((row, column), cells[row * 30 + column])
        }
      }
    }
  }

  @Test func `Below a picture that stays only the surrounding area is erased`() {
    func picture(_ version: UInt64, _ rect: CellRect) -> PlacedPicture {
      PlacedPicture(
        version: version, row: rect.row, column: rect.column, size: rect.size, covered: rect.size,
        livesInCells: true)
    }
    let under = picture(1, CellRect(column: 0, row: 0, columns: 10, rows: 4))
    let above = picture(2, CellRect(column: 2, row: 1, columns: 3, rows: 2))
    let plan = ScreenPlan(from: [under, above], to: [above])
    #expect(!plan.erase.isEmpty && plan.draw.isEmpty)
    #expect(!plan.erase.contains { $0.intersects(above.rect) })
  }

  private static func randomPicture(_ version: UInt64, _ random: inout SeededGenerator) -> PlacedPicture {
    let size = CellSize(
      columns: Int.random(in: 1...12, using: &random), rows: Int.random(in: 1...8, using: &random))
    let covered = CellSize(
      columns: size.columns - Int.random(in: 0...1, using: &random),
      rows: size.rows - Int.random(in: 0...1, using: &random))
    return PlacedPicture(
      version: version, row: Int.random(in: 0...16 - size.rows, using: &random),
      column: Int.random(in: 0...30 - size.columns, using: &random), size: size, covered: covered)
  }

  /// Some of the old pictures, some in another version, and new ones, side by side.
  private static func next(
    after before: [PlacedPicture], _ version: inout UInt64, _ random: inout SeededGenerator
  ) -> [PlacedPicture] {
    var pictures: [PlacedPicture] = []
    for old in before {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: pictures.append(old)
      case 1:
        version += 1
        var newer = old
        newer.version = version
        pictures.append(newer)
      default: break
      }
    }
    for _ in 0..<6 {
      version += 1
      let picture = randomPicture(version, &random)
      if !pictures.contains(where: { $0.rect.intersects(picture.rect) }) { pictures.append(picture) }
    }
    return pictures
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `Erasing and drawing equals drawing from scratch`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var version: UInt64 = 0
    var shown: [PlacedPicture] = []
    var screen = Screen()
    for step in 0..<60 {
      let wanted = Self.next(after: shown, &version, &random)
      let plan = ScreenPlan(from: shown, to: wanted)
      for rect in plan.erase { screen.erase(rect) }
      for picture in plan.draw { screen.draw(picture) }
      #expect(screen == Screen(wanted), "seed \(seed), step \(step)")
      let kept = shown.filter(wanted.contains)
      for rect in plan.erase + plan.draw.map(\.rect) {
        #expect(!kept.contains { $0.rect.intersects(rect) }, "seed \(seed), step \(step)")
      }
      shown = wanted
    }
  }

  @Test func `Unchanged pictures cost nothing`() {
    var random = SeededGenerator(seed: 1)
    var version: UInt64 = 0
    let pictures = Self.next(after: [], &version, &random)
    #expect(ScreenPlan(from: pictures, to: pictures).isEmpty)
    #expect(ScreenPlan(from: pictures, to: pictures.reversed()).isEmpty)
  }

  @Test func `A better version is drawn over the old one without erasing`() {
    let size = CellSize(columns: 4, rows: 3)
    let old = PlacedPicture(version: 1, row: 2, column: 2, size: size, covered: size)
    var new = old
    new.version = 2
    #expect(ScreenPlan(from: [old], to: [new]).erase.isEmpty)
    #expect(ScreenPlan(from: [old], to: [new]).draw == [new])
    #expect(ScreenPlan(from: [old], to: []).erase == [old.rect])
  }
}
