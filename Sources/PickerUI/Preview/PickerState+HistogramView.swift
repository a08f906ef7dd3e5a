import AssetLibrary
import Pixels

extension PickerState {
  /// The widest histogram, in cells: four levels a column.
  private static let widestHistogram = 64

  /// How the levels of an asset's preview are distributed, as lines of text; empty until it is there.
  func histogramLines(of asset: Asset, columns: Int) -> [(label: String, text: DisplayText)] {
    guard columns >= 16, let key = previewKey(in: layout)?(asset),
      case .ready(_, let histogram?) = pictures[key]
    else { return [] }
    let columns = min(columns, Self.widestHistogram)
    let light = LevelHistogram.columns(histogram.luminance, columns)
    let colors = [histogram.red, histogram.green, histogram.blue].map {
      LevelHistogram.columns($0, columns)
    }
    // One measure for the three colours: which of them is rare is a part of what is told.
    let measure = colors.map(Self.measure).max() ?? 1
    var lines: [(label: String, text: DisplayText)] = [("", DisplayText(""))]
    lines += bars("Light", light, measure: Self.measure(light), rows: 3)
    for (label, counts) in zip(["Red", "Green", "Blue"], colors) {
      lines += bars(label, counts, measure: measure, rows: 2)
    }
    return lines
  }

  /// What the highest bar stands for.
  ///
  /// Levels that are clipped at either end would make everything else small, and are cut off.
  private static func measure(_ counts: [Int]) -> Int {
    max(1, counts.dropFirst().dropLast().max() ?? 1)
  }

  /// Bars beside each other, in eighths of a cell; what is there at all can be seen.
  ///
  /// As high as the square root of the counts: what is rare has a shape too.
  private func bars(
    _ label: String, _ counts: [Int], measure: Int, rows: Int
  ) -> [(label: String, text: DisplayText)] {
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
      return (row == rows - 1 ? label : "", DisplayText(cells.joined()))
    }
  }
}
