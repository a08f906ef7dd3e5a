import CursesHost
import Pixels
import TerminalGraphics

#if canImport(Glibc)
  import Glibc
#endif

/// What `tpick show` draws on: the way of drawing and the box, as asked for or as found.
struct ShowCanvas {
  var encoder: any PictureEncoder
  /// The box for all pictures.
  var cells: CellSize
  /// Whether pictures are placed by moving the cursor: text comes in lines, sixels do not.
  var movesCursor: Bool

  /// - Throws: `Failure` for words that are no way of drawing and no size.
  init(graphics: String?, size: String?, cellSize: String?) throws(Failure) {
    let wish = try GraphicsWish(graphics)
    let given = try cellSize.map { text throws(Failure) in try SizeArguments.cellSize(text) }
    let asked = try size.map { text throws(Failure) in try SizeArguments.cells(text, option: "--size") }
    // Only a terminal can answer, and only what is drawn on it needs the answer.
    let found = StandardStream.output.isTerminal ? TerminalInspection.look() : nil
    let capabilities = found?.capabilities ?? TerminalCapabilities()
    let cell = given ?? found?.cellSize ?? .defaultCell
    // The last line stays free for the prompt.
    cells =
      asked ?? found.map { CellSize(columns: $0.cells.columns, rows: max(1, $0.cells.rows - 1)) }
      ?? Self.previewSize ?? CellSize(columns: 80, rows: 24)
    let choice = GraphicsChoice(capabilities, in: .ofProcess, wish: wish.graphics)
    let isSixel = choice.graphics == .sixel
    movesCursor = isSixel
    if isSixel {
      encoder = SixelEncoder(
        cell: cell, registers: capabilities.colorRegisters ?? 256, largest: capabilities.largestSixel)
    } else {
      encoder = BlockEncoder(cell: cell, depth: wish.isASCII ? .monochrome : Self.depth)
    }
  }

  /// The colours of text: what the environment says, and all of them where it says nothing.
  private static var depth: ColorDepth {
    if getenv("NO_COLOR").map({ $0.pointee != 0 }) ?? false { return .monochrome }
    let term = getenv("TERM").map { String(cString: $0) } ?? ""
    let color = getenv("COLORTERM").map { String(cString: $0) } ?? ""
    if ["truecolor", "24bit"].contains(color) || !StandardStream.output.isTerminal { return .trueColor }
    return term.contains("256") ? .palette256 : term == "linux" ? .eight : .palette256
  }

  /// fzf tells its preview commands how large its preview is.
  private static var previewSize: CellSize? {
    guard let columns = number("FZF_PREVIEW_COLUMNS"), let rows = number("FZF_PREVIEW_LINES") else {
      return nil
    }
    return CellSize(columns: columns, rows: rows)
  }

  private static func number(_ name: String) -> Int? {
    getenv(name).flatMap { Int(String(cString: $0)) }.flatMap { (1...10000).contains($0) ? $0 : nil }
  }
}
