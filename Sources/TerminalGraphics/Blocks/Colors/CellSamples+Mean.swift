extension CellSamples {
  /// Takes the mean of each of eight cells from its parts.
  /// - Parameter points: receives every part's difference from the mean, then every part's with its sign
  ///   changed, for the steps of a walk that take it back.
  /// - Returns: the means.
  func centre(from column: Int, into points: UnsafeMutableBufferPointer<ColorLanes>) -> ColorLanes {
    var mean = ColorLanes()
    for part in 0..<parts {
      points[part] = ColorLanes(
        red: lanes(part: part, channel: 0, from: column), green: lanes(part: part, channel: 1, from: column),
        blue: lanes(part: part, channel: 2, from: column))
      mean = mean + points[part]
    }
    mean = mean * CellLanes(repeating: 1 / Float(parts))
    for part in 0..<parts {
      points[part] = points[part] - mean
      points[parts + part] = ColorLanes() - points[part]
    }
    return mean
  }
}
