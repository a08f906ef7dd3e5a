import Configuration
import PickerUI
import Pixels
import TerminalGraphics
import System

/// How large the picker would show photos in its grid.
struct ThumbnailBox {
  /// In pixels.
  let pixels: PixelSize

  /// - Parameters:
  ///   - size: the window in cells; nil = the one of this process, if it has one.
  ///   - cell: the size of a cell in pixels; nil = what the terminal's driver says of it.
  ///   - remembers: whether what the user changed of the screen in earlier runs counts.
  init(size: CellSize?, cell: PixelSize?, settings: Settings, remembers: Bool) throws(Failure) {
    let window = Self.window
    let cell = cell ?? settings.cellSize ?? window?.cell ?? .defaultCell
    var settings = settings
    if remembers { settings.apply(ScreenMemory().read()) }
    var options = PickerState.Options()
    settings.apply(to: &options)
    let state = PickerState(
      options: options,
      metrics: ScreenMetrics(
        size: size ?? window?.size ?? CellSize(columns: 120, rows: 40), cell: cell,
        pictureGeometry: PictureGeometry(cell: cell)))
    guard let pixels = state.thumbnailSize else {
      throw .usage("--size: the window has no room for pictures")
    }
    self.pixels = pixels
  }

  /// The window by the terminal's driver, which is asked without a word to the terminal: the process may be in the background.
  private static var window: (size: CellSize, cell: PixelSize?)? {
    for descriptor in [STDERR_FILENO, STDOUT_FILENO, STDIN_FILENO] {
      var window = winsize()
      guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
        continue
      }
      let size = CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
      let cell = PixelSize(
        width: Int(window.ws_xpixel) / size.columns, height: Int(window.ws_ypixel) / size.rows)
      return (size, cell.isEmpty ? nil : cell)
    }
    return nil
  }
}
