public import Pixels

/// Draws pictures with half blocks: two pixels above each other in every cell.
///
/// In true colour, in the nearest of 256 or 16 colours, or as a ramp of brightness without any.
public struct BlockEncoder: PictureEncoder {
  private let cell: PixelSize
  private let depth: ColorDepth

  /// - Parameters:
  ///   - cell: the size of a character cell in pixels; only its shape counts.
  public init(cell: PixelSize, depth: ColorDepth) {
    self.cell = cell
    self.depth = depth
  }

  /// Four samples a cell and direction are enough to average from, and a fraction of the work.
  private static let samples = 4

  public var grain: PictureGrain {
    PictureGrain(
      cell: PixelSize(
        width: Self.samples, height: max(1, Self.samples * cell.height / max(1, cell.width))))
  }

  public func encode(_ picture: PixelBuffer) -> EncodedPicture {
    let grain = grain.cell
    let size = CellSize(
      columns: max(1, (picture.width + grain.width / 2) / grain.width),
      rows: max(1, (picture.height + grain.height / 2) / grain.height))
    let halves = picture.stretched(to: PixelSize(width: size.columns, height: size.rows * 2))
    let strips = (0..<size.rows).map { row in
      EncodedPicture.Strip(row: row, bytes: strip(of: halves, row: row))
    }
    return EncodedPicture(size: size, covered: size, strips: strips)
  }

  private func strip(of halves: PixelBuffer, row: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var pen: (upper: TextColor, lower: TextColor)?
    for column in 0..<halves.width {
      let upper = halves[column, row * 2]
      let lower = halves[column, row * 2 + 1]
      if depth == .monochrome {
        bytes.append(Self.ramp[(upper.luminance + lower.luminance) * (Self.ramp.count - 1) / 510])
        continue
      }
      let wanted = (upper: TextColor(upper, depth: depth), lower: TextColor(lower, depth: depth))
      if pen.map({ $0 != wanted }) ?? true {
        bytes += Array("\u{1B}[\(wanted.upper.foreground);\(wanted.lower.background)m".utf8)
        pen = wanted
      }
      bytes += Array("▀".utf8)
    }
    if pen != nil { bytes += Array("\u{1B}[0m".utf8) }
    return bytes
  }

  /// From dark to bright, by ink.
  private static let ramp = Array(" .,:;-=+*xoX#%8@".utf8)
}

extension PixelBuffer {
  /// The whole picture at exactly `target`, its shape given up: cells are not square.
  fileprivate func stretched(to target: PixelSize) -> PixelBuffer {
    size == target ? self : Resampler(from: size, to: target)(self)
  }
}
