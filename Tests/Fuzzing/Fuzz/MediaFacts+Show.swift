import AssetLibrary
import Metadata
import PickerUI
import Pixels

extension MediaFacts {
  /// Formats the metadata like the picker and `tpick info`: a number that can be parsed must be printable.
  func show() {
    let format = LocaleFormat()
    for number in [fNumber, exposureTime, focalLength, duration, frameRate, coordinate?.latitude] {
      guard let number else { continue }
      _ = format.decimal(number)
      precondition(number.isFinite && Int(exactly: (number * 10_000).rounded()) != nil)
    }
    _ = exposureTime.flatMap(ExposureTime.init)
    precondition(storedSize.width >= 0 && storedSize.height >= 0)
  }
}
