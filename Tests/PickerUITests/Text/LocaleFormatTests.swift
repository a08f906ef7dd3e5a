import Testing

@testable import PickerUI

@Suite struct LocaleFormatTests {
  @Test(arguments: [
    (4.0, "4"), (2.83, "2.8"), (1e30, "1e+30"), (.infinity, "inf"), (.nan, "nan"),
  ])
  func `Any number is formatted`(number: Double, text: String) {
    #expect(LocaleFormat().decimal(number) == text)
  }
}
