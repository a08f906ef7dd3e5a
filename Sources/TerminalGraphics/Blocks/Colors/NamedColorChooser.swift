import Pixels

/// Chooses among all pairs of 8 or 16 colors, each part with the nearer of the two.
///
/// The result is the same as trying every pattern with its best colors, with less work.
struct NamedColorChooser: CellChooser {
  private typealias Lanes = SIMD16<Float>

  private let count: Int
  private let red: Lanes
  private let green: Lanes
  private let blue: Lanes
  private let squares: Lanes

  /// - Parameter count: 8 or 16.
  init(count: Int) {
    self.count = count
    var (red, green, blue) = (Lanes.zero, Lanes.zero, Lanes.zero)
    // Lanes without a color are too far away to be chosen.
    var squares = Lanes(repeating: 1e9)
    for (lane, color) in Self.colors.prefix(count).enumerated() {
      (red[lane], green[lane], blue[lane]) = (Float(color.red), Float(color.green), Float(color.blue))
      squares[lane] = Float(color.squaredDistance(to: .black))
    }
    (self.red, self.green, self.blue, self.squares) = (red, green, blue, squares)
  }

  /// xterm's defaults for the sixteen colors; themes change the colors, but not their order.
  static let colors: [Color] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
    (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ].map { Color(red: $0.0, green: $0.1, blue: $0.2) }

  func choose(_ samples: CellSamples, into cells: UnsafeMutableBufferPointer<BlockCell>) {
    withUnsafeTemporaryAllocation(of: Lanes.self, capacity: samples.parts) { distances in
      for column in 0..<samples.columns {
        for part in 0..<samples.parts {
          let color = samples.color(part: part, column: column) * -2
          // Squared distances without the square of the part's own color, which all have in common.
          distances[part] = squares + red * color.x + green * color.y + blue * color.z
        }
        cells[column] = cell(distances)
      }
    }
  }

  private func cell(_ distances: UnsafeMutableBufferPointer<Lanes>) -> BlockCell {
    var least = Float.infinity
    var (front, back) = (0, 0)
    for first in 0..<count {
      var errors = Lanes.zero
      for distance in distances {
        let own = Lanes(repeating: distance[first])
        errors += distance.replacing(with: own, where: own .< distance)
      }
      let error = errors.min()
      guard error < least else { continue }
      least = error
      front = first
      // The same color if no other improves the result: then the cell is flat.
      back = errors[first] == error ? first : (0..<count).first { errors[$0] == error } ?? first
    }
    var pattern: UInt32 = 0
    for (part, distance) in distances.enumerated() where distance[front] < distance[back] {
      pattern |= 1 << UInt32(part)
    }
    return BlockCell(pattern: pattern, front: UInt32(front), back: UInt32(back))
  }
}
