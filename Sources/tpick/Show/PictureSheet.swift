import AssetLibrary
import CursesHost
import Dispatch
import FolderLibrary
import Imaging
import MediaFormats
import Pixels
import Synchronization
import SystemPackage
import TerminalGraphics

/// Pictures one below the other, or in a grid, drawn as soon as a row of them is ready.
struct PictureSheet {
  let canvas: ShowCanvas
  /// Columns and rows of the grid; nil = one picture after the other, each in the whole box.
  let grid: CellSize?
  let mode: ContentMode
  /// Whether the coarse picture in a file is enough, where it has one.
  var isFast = false

  /// What became of one picture.
  private enum Drawing: Sendable {
    case picture(EncodedPicture, note: String?)
    case failed(AssetError)
  }

  /// Draws the pictures of files in their order.
  /// - Throws: `Failure` when standard output does not take them.
  func draw(_ files: [FilePath], of library: ShowLibrary) throws(Failure) -> ExitStatus {
    let shown = grid.map { Array(files.prefix($0.columns * $0.rows)) } ?? files
    if shown.count < files.count {
      Messages.warn("show: the grid has room for \(shown.count) of \(files.count)")
    }
    let layout = canvas.layout(grid: grid)
    let board = Board(count: shown.count)
    let (encoder, backdrop) = (canvas.encoder, canvas.backdrop)
    let size = encoder.geometry.pixels(for: layout.box)
    var assets: [Asset?] = []
    for file in shown { assets.append(library.asset(at: file)) }
    /// Asks for pictures. The pipeline takes the latest request first: the first picture is asked for last.
    func ask(_ indices: Range<Int>) {
      for index in indices.reversed() {
        guard let asset = assets[index] else {
          board.set(index, .failed(library.problem(with: shown[index])))
          continue
        }
        if let whole = file(of: asset, in: size) {
          board.set(index, .picture(whole, note: nil))
          continue
        }
        let request = ImageRequest(
          asset: asset, targetSize: size, contentMode: mode,
          options: ImageRequestOptions(
            deliveryMode: isFast ? .fastFormat : .highQualityFormat, resizeMode: .exact))
        library.images.requestImage(request, priority: .visible) { result in
          switch result.content {
          case .image(let pixels, _, let note):
            board.set(index, .picture(encoder.encode(pixels, over: backdrop), note: note))
          case .failed(let error): board.set(index, .failed(error))
          case .cancelled: board.set(index, .failed(AssetError("picture", "was cancelled")))
          }
        }
      }
    }
    return try write(board, count: shown.count, layout, ask)
  }

  /// A file that the terminal shows as it should be shown, as it is: no larger than its box, upright, whole.
  private func file(of asset: Asset, in size: PixelSize) -> EncodedPicture? {
    guard let encoder = canvas.files, mode == .aspectFit, let resource = asset.primaryResource,
      resource.uniformTypeIdentifier == FileFormat.jpeg.uniformTypeIdentifier,
      resource.orientation == .topLeft,
      resource.byteRange == nil, asset.defect == nil, resource.byteCount <= Self.largestFile,
      !asset.pixelSize.isEmpty, asset.pixelSize.width <= size.width, asset.pixelSize.height <= size.height
    else { return nil }
    guard let file = try? FileDescriptor.open(resource.path, .readOnly, options: [.closeOnExec]) else {
      return nil
    }
    let bytes = try? file.closeAfter { try FileText.bytes(of: file) }
    guard let bytes, bytes.count == Int(resource.byteCount) else { return nil }
    let picture = encoder.encode(file: bytes, size: asset.pixelSize)
    let length = picture.strips.first?.bytes.count ?? 0
    return canvas.longestSequence.map { length < $0 } ?? true ? picture : nil
  }

  /// Larger files are drawn from pixels: few bytes are worth more than none lost.
  private static let largestFile = 1 << 20

  /// As many pictures may be under way or drawn before their turn: of hundreds a slow terminal would otherwise
  /// leave most in memory.
  private static let mostAhead = 32

  /// Writes rows in their order, each when all of it is there, and asks for those that come later.
  private func write(
    _ board: Board, count: Int, _ layout: SheetLayout, _ ask: (Range<Int>) -> Void
  ) throws(Failure) -> ExitStatus {
    let columns = grid?.columns ?? 1
    var status = ExitStatus.success
    var asked = 0
    for start in stride(from: 0, to: count, by: columns) {
      // Not earlier: what was asked for before would have to wait.
      if start + columns >= asked {
        let end = min(count, asked + max(Self.mostAhead, 2 * columns))
        ask(asked..<end)
        asked = end
      }
      var pictures: [EncodedPicture?] = []
      for index in start..<min(count, start + columns) {
        switch board.take(index) {
        case .picture(let picture, let note):
          if let note { Messages.warn(note) }
          pictures.append(canvas.ready(picture))
        case .failed(let error):
          Messages.warn(error.description)
          status = .failure
          pictures.append(nil)
        }
      }
      let bytes = canvas.isBlank ? [] : layout.row(of: pictures)
      guard canvas.output?.write(bytes) ?? StandardStream.output.write(bytes) else {
        throw .error("standard output: can't be written")
      }
    }
    return status
  }

  /// Where the workers put what is ready, and the writer waits for it.
  private final class Board: Sendable {
    private let drawings: Mutex<[Drawing?]>
    private let ready: [DispatchSemaphore]

    init(count: Int) {
      drawings = Mutex([Drawing?](repeating: nil, count: count))
      ready = (0..<count).map { _ in DispatchSemaphore(value: 0) }
    }

    func set(_ index: Int, _ drawing: Drawing) {
      drawings.withLock { $0[index] = drawing }
      ready[index].signal()
    }

    /// Waits for a drawing, which is the caller's then.
    func take(_ index: Int) -> Drawing {
      ready[index].wait()
      return drawings.withLock { drawings in
        defer { drawings[index] = nil }
        return drawings[index]
      } ?? .failed(AssetError("picture", "is missing"))
    }
  }
}
