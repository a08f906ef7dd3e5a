import Configuration
import Imaging
import PhotoPicker
import PickerRuntime
import Pixels
import TerminalGraphics

extension PictureOptions {
  /// How pictures are drawn: according to the arguments, else the configuration.
  init(
    _ settings: Settings, _ graphics: GraphicsMode?, _ cellSize: PixelSize?, _ pictures: PictureArguments
  ) {
    self.init()
    cacheLimit = settings.encodedMemory
    let graphics = graphics ?? settings.graphics
    self.graphics = graphics.graphics
    isASCII = graphics.isASCII
    compress = JPEGEncoder.encode
    sixelEncoder = pictures.sixelEncoderKind(settings)
    symbols = pictures.symbols
    isCheckered = pictures.checker
    if let cellSize = cellSize ?? settings.cellSize { self.cellSize = cellSize }
  }
}
