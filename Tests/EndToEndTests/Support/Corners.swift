import Fixtures
import Pixels
import TestTerminal

/// Whether a picture on the screen is upright, by the colors of its corners.
enum Corners {
  static func areUpright(_ picture: TerminalPicture) -> Bool {
    let (right, bottom) = (picture.pixelWidth - 4, picture.pixelHeight - 4)
    func color(_ x: Int, _ y: Int) -> Color {
      let pixel = picture.image.color(x: x, y: y)
      return pixel.map { Color(red: $0.red, green: $0.green, blue: $0.blue) } ?? .black
    }
    return arrangement(color(3, 3), color(right, 3), color(3, bottom), color(right, bottom))
  }

  /// The tile is below its day, starting in the day's column.
  static func areUprightBlocks(belowDay day: Int, on screen: VirtualTerminal) -> Bool {
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    guard let label = weekdays.lazy.compactMap({ screen.find("\($0) \(day)") }).first else { return false }
    let area = TerminalRectangle(row: label.row + 1, column: label.column, rows: 6, columns: 12)
    let image = screen.image(area)
    func color(_ x: Int, _ y: Int) -> Color {
      let pixel = image.color(x: x, y: y)
      return Color(red: pixel.red, green: pixel.green, blue: pixel.blue)
    }
    return arrangement(
      color(1, 1), color(image.width - 2, 1), color(1, image.height - 2),
      color(image.width - 2, image.height - 2))
  }

  private static func arrangement(_ a: Color, _ b: Color, _ c: Color, _ d: Color) -> Bool {
    [a, b, c, d].map { TestPicture.Corner(of: $0) } == TestPicture.Corner.allCases.map(Optional.some)
  }
}
