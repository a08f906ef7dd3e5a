import AssetLibrary
import Metadata
import PickerUI
import Pixels

extension MediaFacts {
  /// Does with the facts what the picker and `tpick info` do: a number that can be read has to be one that can be shown.
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
