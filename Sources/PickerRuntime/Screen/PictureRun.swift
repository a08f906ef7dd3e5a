import PickerUI
import Pixels
import TerminalGraphics

/// Thumbnails side by side that are sent as one picture, for a terminal that keeps few pictures.
///
/// The gaps between them are blank: a text there would remove the whole picture, so a run ends at it. Marks are drawn
/// into the picture.
struct PictureRun {
  /// A thumbnail of the run.
  struct Tile {
    var version: UInt64
    var place: PlacedPicture
    var pixels: PixelBuffer
    /// Marks over it, all of which can be drawn.
    var marks: [PictureMark] = []
  }

  /// What makes two runs the same picture.
  fileprivate struct Identity: Hashable {
    var versions: [UInt64]
    var columns: [Int]
    /// Their places count from the first cell of the run.
    var marks: [PictureMark]
    var cell: PixelSize
  }

  /// From left to right, all in the same rows.
  let tiles: [Tile]
  private let cell: PixelSize

  /// - Parameters:
  ///   - tiles: from left to right, all in the same rows; at least one.
  ///   - cell: size of a character cell in pixels.
  init(_ tiles: [Tile], cell: PixelSize) {
    self.tiles = tiles
    self.cell = cell
  }

  /// Size of the picture in pixels.
  var size: PixelSize { Self.size(of: tiles, cell: cell) }

  /// Returns the size in pixels of thumbnails as one picture.
  private static func size(of tiles: [Tile], cell: PixelSize) -> PixelSize {
    guard let first = tiles.first, let last = tiles.last else { return PixelSize(width: 0, height: 0) }
    return PixelSize(
      width: (last.place.column - first.place.column) * cell.width + last.pixels.width,
      height: tiles.map(\.pixels.height).max() ?? 0)
  }

  fileprivate var identity: Identity {
    let first = tiles[0].place
    return Identity(
      versions: tiles.map(\.version), columns: tiles.map { $0.place.column - first.column },
      marks: tiles.flatMap(\.marks).map { mark in
        var mark = mark
        (mark.row, mark.column) = (mark.row - first.row, mark.column - first.column)
        return mark
      }, cell: cell)
  }

  /// Returns the place of the picture.
  func place(version: UInt64, copy: Int) -> PlacedPicture {
    let (size, first) = (self.size, tiles[0].place)
    return PlacedPicture(
      version: version, copy: copy, row: first.row, column: first.column,
      size: CellSize(
        columns: (size.width + cell.width - 1) / cell.width,
        rows: (size.height + cell.height - 1) / cell.height),
      covered: CellSize(columns: size.width / cell.width, rows: size.height / cell.height))
  }

  /// Returns the pixels of the picture.
  /// - Parameters:
  ///   - ground: color of the gaps.
  ///   - pickColor: color of the marks of picks.
  func pixels(over ground: Color, pickColor: Color) -> PixelBuffer {
    var picture = PixelBuffer(size: size, filledWith: ground)
    let (pitch, start) = (picture.width * PixelBuffer.bytesPerPixel, tiles[0].place.column)
    picture.withBytes { output in
      for tile in tiles {
        let offset = (tile.place.column - start) * cell.width * PixelBuffer.bytesPerPixel
        let length = tile.pixels.width * PixelBuffer.bytesPerPixel
        // A thumbnail that is larger than its cells ends at the edge of the picture.
        let copied = max(0, min(length, pitch - offset))
        tile.pixels.withUnsafeBytes { input in
          for row in 0..<tile.pixels.height {
            output[(row * pitch + offset)..<(row * pitch + offset + copied)].copyBytes(
              from: input[(row * length)..<(row * length + copied)])
          }
        }
      }
    }
    let lettering = MarkLettering(cell: cell)
    for mark in tiles.flatMap(\.marks) {
      let isPick = mark.style == .pickNumber
      lettering.draw(
        mark.text, x: (mark.column - start) * cell.width, y: (mark.row - tiles[0].place.row) * cell.height,
        ink: isPick ? ground : .white, ground: isPick ? pickColor : .black, in: &picture)
    }
    return picture
  }

  // MARK: Runs of a screen

  /// Larger pictures, in pixels, might need more bytes than the terminal accepts in one sequence.
  private static let largestArea = 500_000

  /// Returns the runs of thumbnails, each as long as possible.
  /// - Parameters:
  ///   - tiles: the thumbnails, in any order.
  ///   - largest: size of the largest picture that the terminal draws; nil means any size.
  ///   - isBlank: returns whether some cells contain nothing.
  static func runs(
    of tiles: [Tile], cell: PixelSize, largest: PixelSize?, isBlank: (CellRect) -> Bool
  ) -> [PictureRun] {
    let order = tiles.sorted { ($0.place.row, $0.place.column) < ($1.place.row, $1.place.column) }
    var runs: [[Tile]] = []
    for tile in order {
      if let last = runs.last?.last?.place, last.row == tile.place.row,
        last.size.rows == tile.place.size.rows,
        last.rect.endColumn <= tile.place.column,
        isBlank(
          CellRect(
            column: last.rect.endColumn, row: last.row, columns: tile.place.column - last.rect.endColumn,
            rows: last.size.rows)),
        fits(size(of: (runs.last ?? []) + [tile], cell: cell), largest)
      {
        runs[runs.count - 1].append(tile)
      } else {
        runs.append([tile])
      }
    }
    return runs.map { PictureRun($0, cell: cell) }
  }

  private static func fits(_ size: PixelSize, _ largest: PixelSize?) -> Bool {
    size.area <= largestArea && size.width <= largest?.width ?? .max && size.height <= largest?.height ?? .max
  }
}

/// The runs of a screen that are or were shown, with their encoded pictures.
struct PictureRuns {
  private struct Known {
    var version: UInt64
    var encoded: EncodedPicture?
    var lastUse: Int
  }

  private var known: [PictureRun.Identity: Known] = [:]
  /// Far from the versions of single pictures, still and moving.
  private var lastVersion: UInt64 = 1 << 62
  private var clock = 0

  /// Number of runs that are kept although they are not on the screen: those of the places that the cursor has left.
  private static let keptCount = 64

  /// Begins a frame: forgets the runs that were not used for the longest time.
  mutating func beginFrame() {
    clock += 1
    guard known.count > Self.keptCount else { return }
    for (identity, _) in known.sorted(by: { $0.value.lastUse < $1.value.lastUse })
      .prefix(known.count - Self.keptCount)
    {
      known[identity] = nil
    }
  }

  /// Returns the version of a run.
  mutating func version(of run: PictureRun) -> UInt64 {
    if let version = known[run.identity]?.version {
      known[run.identity]?.lastUse = clock
      return version
    }
    lastVersion += 1
    known[run.identity] = Known(version: lastVersion, lastUse: clock)
    return lastVersion
  }

  /// Returns whether a run is encoded.
  func isEncoded(_ run: PictureRun) -> Bool { known[run.identity]?.encoded != nil }

  /// Returns the picture of a run, which is encoded when it is first needed.
  mutating func picture(of run: PictureRun, encode: (PictureRun) -> EncodedPicture?) -> EncodedPicture? {
    if let encoded = known[run.identity]?.encoded { return encoded }
    let encoded = encode(run)
    known[run.identity]?.encoded = encoded
    return encoded
  }
}
