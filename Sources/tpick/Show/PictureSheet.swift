import AssetLibrary
import CursesHost
import Dispatch
import FolderLibrary
import Imaging
import MediaFormats
import PhotoPicker
import Pixels
import Synchronization
import SystemPackage
import TerminalGraphics

/// Draws pictures one below the other or in a grid, each row as soon as it is ready.
struct PictureSheet {
  let canvas: TerminalCanvas
  /// The columns and rows of the grid; nil = one picture per row, each in the whole box.
  let grid: CellSize?
  let mode: ContentMode
  /// Whether embedded thumbnails are good enough.
  var isFast = false

  /// The result for one picture.
  private enum Drawing: Sendable {
    case picture(EncodedPicture, note: String?)
    case failed(AssetError)
  }

  /// Draws the pictures of files in order.
  /// - Throws: `Failure` if standard output can't be written.
  func draw(_ files: [FilePath], of library: ShowLibrary) throws(Failure) -> ExitStatus {
    let shown = grid.map { Array(files.prefix($0.columns * $0.rows)) } ?? files
    if shown.count < files.count {
      Messages.warn("show: the grid has room for \(shown.count) of \(files.count) pictures")
    }
    let canvas = canvas.drawing(shown.count, grid: grid)
    let layout = canvas.layout(grid: grid)
    let board = Board(count: shown.count)
    let (encoder, backdrop) = (canvas.encoder, canvas.backdrop)
    let size = encoder.geometry.pixels(for: layout.box)
    let assets = library.assets(at: shown)
    /// Requests pictures, the first one last, because the pipeline serves the latest request first.
    func request(_ indices: Range<Int>) {
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
            deliveryMode: isFast ? .fastFormat : .highQualityFormat, resizeMode: .exact,
            isNetworkAccessAllowed: !(asset.primaryResource?.isLocallyAvailable ?? true)))
        let file = shown[index]
        library.images.requestImage(request, priority: .visible) { result in
          switch result.content {
          case .image(let pixels, _, let note):
            let note = note.map { library.named($0, of: file) }
            board.set(index, .picture(encoder.encode(pixels, over: backdrop), note: note))
          case .failed(let error): board.set(index, .failed(library.named(error, of: file)))
          case .cancelled: board.set(index, .failed(AssetError("picture", "cancelled")))
          }
        }
      }
    }
    return try write(board, count: shown.count, layout, request)
  }

  /// The unmodified file if the terminal can show it directly: a whole, upright JPEG no larger than its box.
  private func file(of asset: Asset, in size: PixelSize) -> EncodedPicture? {
    guard let encoder = canvas.fileEncoder, mode == .aspectFit, let resource = asset.primaryResource,
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

  /// Larger files are decoded and recompressed: less data is worth a small loss of quality.
  private static let largestFile = 1 << 20

  /// The maximum number of pictures requested ahead, which bounds memory if the terminal is slow.
  private static let maximumPending = 32

  /// Writes rows in order, each when it is complete, and requests later ones.
  private func write(
    _ board: Board, count: Int, _ layout: SheetLayout, _ request: (Range<Int>) -> Void
  ) throws(Failure) -> ExitStatus {
    let columns = grid?.columns ?? 1
    var status = ExitStatus.success
    var asked = 0
    for start in stride(from: 0, to: count, by: columns) {
      // Not earlier, because the pipeline would serve later pictures first.
      if start + columns >= asked {
        let end = min(count, asked + max(Self.maximumPending, 2 * columns))
        request(asked..<end)
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
      guard canvas.write(layout.row(of: pictures)) else {
        throw .error("standard output: can't be written")
      }
    }
    return status
  }

  /// Passes drawings from the workers to the writer.
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

    /// Waits for a drawing and removes it.
    func take(_ index: Int) -> Drawing {
      ready[index].wait()
      return drawings.withLock { drawings in
        defer { drawings[index] = nil }
        return drawings[index]
      } ?? .failed(AssetError("picture", "is missing"))
    }
  }
}
