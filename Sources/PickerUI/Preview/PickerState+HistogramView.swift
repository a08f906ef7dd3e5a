import AssetLibrary
import Pixels

extension PickerState {
  /// The maximum width in cells, at four levels a column.
  private static let maximumHistogramColumns = 64

  /// The histogram of an asset's preview as lines of text; empty until the preview is ready.
  func histogramLines(of asset: Asset, columns: Int) -> [InfoLine] {
    guard columns >= 16, let key = previewKey(in: layout)?(asset),
      case .ready(_, let histogram?) = pictures[key]
    else { return [] }
    let columns = min(columns, Self.maximumHistogramColumns)
    let light = LevelHistogram.columns(histogram.luminance, columns)
    let colors = [histogram.red, histogram.green, histogram.blue].map {
      LevelHistogram.columns($0, columns)
    }
    // One scale for the three colors, so that they can be compared.
    let measure = colors.map(Self.measure).max() ?? 1
    var lines = [InfoLine(label: "", text: DisplayText(""))]
    lines += bars("Light", light, .dim, measure: Self.measure(light), rows: 3)
    let channels: [(String, TextStyle)] = [
      ("Red", .histogramRed), ("Green", .histogramGreen), ("Blue", .histogramBlue),
    ]
    for ((label, style), counts) in zip(channels, colors) {
      lines += bars(label, counts, style, measure: measure, rows: 2)
    }
    return lines
  }

  /// The count that the highest bar stands for.
  ///
  /// The first and last level are ignored: clipped ones would make all other bars tiny.
  private static func measure(_ counts: [Int]) -> Int {
    max(1, counts.dropFirst().dropLast().max() ?? 1)
  }

  /// Adjacent bars in eighths of a cell; any count above 0 is visible.
  ///
  /// Heights follow the square root of the counts, so that rare levels are visible too.
  private func bars(
    _ label: String, _ counts: [Int], _ style: TextStyle, measure: Int, rows: Int
  ) -> [InfoLine] {
    let heights = counts.map { count -> Int in
      let height = (Double(count) / Double(measure)).squareRoot() * Double(rows * 8)
      return count == 0 ? 0 : max(1, min(rows * 8, Int(height.rounded())))
    }
    return (0..<rows).map { row in
      let below = (rows - 1 - row) * 8
      let cells = heights.map { height in
        let eighths = max(0, min(8, height - below))
        return eighths == 0 ? " " : symbols.menus.bars[eighths - 1]
      }
      return InfoLine(label: row == rows - 1 ? label : "", text: DisplayText(cells.joined()), style: style)
    }
  }
}
