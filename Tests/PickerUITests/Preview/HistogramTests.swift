import AssetLibrary
import Pixels
import Testing

@testable import PickerUI

@Suite struct HistogramTests {
  /// A picker with the metadata open in full screen, whose preview has arrived in two grays and a red.
  private func open(_ symbols: Symbols = .unicode, columns: Int = 120) -> TestPicker {
    var picker = TestPicker.open(size: CellSize(columns: columns, rows: 40)) { $0.symbols = symbols }
    picker.press(.character("o"), .character("i"))
    let grey = [UInt8](repeating: 100, count: 3) + [255]
    let light = [UInt8](repeating: 200, count: 3) + [255]
    let picture = PixelBuffer(
      size: PixelSize(width: 4, height: 1), bytes: grey + light + light + [255, 0, 0, 255])
    if let key = picker.demand.first?.key {
      picker.send(.pictures([key: .ready(note: nil, histogram: LevelHistogram(of: picture))]))
    }
    return picker
  }

  /// The line of a label, from its first bar on.
  private func line(_ label: String, _ picker: TestPicker) -> String? {
    picker.lines.first { $0.contains("\(label)   ") }.map { line in
      String(line.drop { !$0.isLetter }.dropFirst(label.count))
    }
  }

  @Test func `The preview's histogram is shown below the metadata`() throws {
    let picker = open()
    for label in ["Light", "Red", "Green", "Blue"] {
      let bars = try #require(line(label, picker), "\(label)").trimmingBlanks
      #expect(!bars.isEmpty && bars.allSatisfy { "▁▂▃▄▅▆▇█ ".contains($0) })
    }
    // Twice as many pixels make a bar twice as high: full, and three of six quarters of the middle row.
    let light = try #require(line("Light", picker))
    #expect(light.filter { $0 == "█" }.count == 3)
  }

  @Test func `Each channel's histogram has its color`() throws {
    let picker = open()
    for (label, style) in [
      ("Red", TextStyle.histogramRed), ("Green", .histogramGreen), ("Blue", .histogramBlue),
    ] {
      let place = try #require(picker.place(of: label + "   "))
      let cells = picker.frame.row(place.row).dropFirst(place.column + label.count)
      #expect(cells.contains { $0.style == style && $0.content != .text(" ") })
    }
  }

  @Test(arguments: 20...40)
  func `No histogram is cut off at the bottom`(rows: Int) {
    var picker = open()
    picker.send(.resized(.size(CellSize(columns: 120, rows: rows))))
    if let key = picker.demand.first?.key {
      let picture = PixelBuffer(size: PixelSize(width: 1, height: 1), bytes: [100, 150, 200, 255])
      picker.send(.pictures([key: .ready(note: nil, histogram: LevelHistogram(of: picture))]))
    }
    let isBar = { (line: String) in line.contains { "▁▂▃▄▅▆▇█".contains($0) } }
    // The last line of bars has the label, or is followed by another label.
    if let last = picker.lines.last(where: isBar) {
      #expect(["Light", "Red", "Green", "Blue"].contains { last.contains($0) }, "\(last)")
    }
  }

  @Test func `Until the preview arrives there is no histogram`() {
    var picker = TestPicker.open()
    picker.press(.character("o"), .character("i"))
    #expect(!picker.shows("Light"))
    picker.makeDemanded()
    #expect(!picker.shows("Light"))
  }

  @Test func `It is drawn in ASCII as well`() {
    let picker = open(.ascii)
    #expect(picker.shows("Light"))
    #expect(picker.lines.allSatisfy { $0.allSatisfy(\.isASCII) })
  }

  @Test func `When zoomed it still covers the whole picture`() {
    var picker = open()
    picker.press(.character("z"))
    #expect(picker.shows("Light"))
  }

  @Test(arguments: [20, 40, 60, 79, 80, 81, 200])
  func `It stays within the available room`(columns: Int) {
    var picker = open(columns: columns)
    #expect(PickerPropertyTests.faults(of: picker.frame, metrics: picker.metrics).isEmpty)
    picker.press(.escape)
    #expect(PickerPropertyTests.faults(of: picker.frame, metrics: picker.metrics).isEmpty)
  }
}

extension String {
  fileprivate var trimmingBlanks: Substring {
    drop { $0 == " " }
  }
}
