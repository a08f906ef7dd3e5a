import Configuration
import Imaging
import PhotoPicker
import PickerRuntime
import TerminalGraphics

extension PictureOptions {
  /// How pictures are drawn: as the arguments say, else as the configuration does.
  init(_ settings: Settings, _ screen: ScreenArguments) {
    self.init()
    cacheLimit = settings.encodedMemory
    let graphics = screen.graphics ?? settings.graphics
    self.graphics = graphics.graphics
    isASCII = graphics.isASCII
    compress = JPEGEncoder.encode
    sixelEncoder = screen.pictures.sixelEncoderKind(settings)
    symbols = screen.pictures.symbols
    isCheckered = screen.pictures.checker
    if let cellSize = screen.cellSize ?? settings.cellSize { self.cellSize = cellSize }
  }
}
