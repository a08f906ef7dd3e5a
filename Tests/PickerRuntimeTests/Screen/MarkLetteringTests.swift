import Pixels
import Testing

@testable import PickerRuntime
@testable import PickerUI

@Suite struct MarkLetteringTests {
  /// The pixels of one character, white on black.
  private static func pixels(_ mark: String, cell: PixelSize) -> PixelBuffer {
    var picture = PixelBuffer(
      size: PixelSize(width: cell.width * mark.count, height: cell.height),
      filledWith: Color(red: 90, green: 0, blue: 0))
    MarkLettering(cell: cell).draw(mark, x: 0, y: 0, ink: .white, ground: .black, in: &picture)
    return picture
  }

  @Test(arguments: [Symbols.unicode, .ascii])
  func `Numbers, durations and most badges can be drawn`(symbols: Symbols) {
    let badges = symbols.badges
    for mark in [
      "0123456789", "1:02:33", "3 of 4", "12/14", symbols.menus.checked, badges.video, badges.favorite,
    ] {
      #expect(MarkLettering.canDraw(mark, columns: mark.count))
    }
    for badge in [
      badges.livePhoto, badges.animation, badges.burst, badges.panorama, badges.edited, badges.cloud,
      badges.raw, badges.hdr, badges.unfit,
    ] where symbols == .unicode {
      #expect(MarkLettering.canDraw(badge, columns: badge.count))
    }
  }

  @Test func `Unknown and wide characters can't be drawn`() {
    for mark in ["§", "写", "1é", "e\u{301}"] {
      #expect(!MarkLettering.canDraw(mark, columns: mark.count))
    }
    // An emoji form takes two columns.
    #expect(!MarkLettering.canDraw("1", columns: 2))
  }

  @Test(arguments: [
    PixelSize(width: 6, height: 12), PixelSize(width: 8, height: 17), PixelSize(width: 20, height: 40),
  ])
  func `Every digit differs from the others, and stays inside of its cell`(cell: PixelSize) {
    var seen: Set<PixelBuffer> = []
    for digit in "0123456789" {
      let picture = Self.pixels(" \(digit) ", cell: cell)
      seen.insert(picture)
      for y in 0..<cell.height {
        for x in 0..<picture.width where !(cell.width..<2 * cell.width).contains(x) {
          #expect(picture[x, y] == .black)
        }
      }
    }
    #expect(seen.count == 10)
  }

  @Test func `What is outside of the picture is left out`() {
    var picture = PixelBuffer(size: PixelSize(width: 10, height: 10), filledWith: .white)
    MarkLettering(cell: PixelSize(width: 8, height: 16)).draw(
      "88", x: 6, y: -4, ink: .black, ground: .black, in: &picture)
    for x in 0..<10 { #expect(picture[x, 9] == (x < 6 ? .white : .black)) }
  }
}
