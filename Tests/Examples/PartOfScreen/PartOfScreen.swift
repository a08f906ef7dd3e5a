import CCurses
import Foundation
import PhotoPicker

/// A letter with attached photos: the letter on the left, and the picker in the rest of the same screen.
///
/// `a` attaches photos, `d` detaches the last one, `q` prints their names and quits.
@main
struct PartOfScreen {
  /// The columns of the letter.
  private static let columns: Int32 = 30
  private let screen: UnsafeMutablePointer<WINDOW>
  private let library: PhotoLibrary
  private var photos: [PickerResult] = []

  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: PartOfScreen FOLDER")
      exit(2)
    }
    setlocale(LC_ALL, "")
    do {
      // A wrong path must be reported before the screen is taken.
      let library = try PhotoLibrary(folders: [FilePath(CommandLine.arguments[1])])
      for photo in try write(with: library) {
        print(photo.itemProvider.suggestedName ?? "\(photo.assetIdentifier)")
      }
    } catch {
      print("PartOfScreen: \(error)")
      exit(1)
    }
  }

  /// Shows the letter until it is sent.
  private static func write(with library: PhotoLibrary) throws -> [PickerResult] {
    guard let screen = initscr() else { return [] }
    defer { endwin() }
    cbreak()
    noecho()
    curs_set(0)
    var letter = PartOfScreen(screen: screen, library: library)
    try letter.run()
    return letter.photos
  }

  private mutating func run() throws {
    while true {
      draw()
      switch wgetch(screen) {
      case Int32(UInt8(ascii: "a")): try attach()
      case Int32(UInt8(ascii: "d")): _ = photos.popLast()
      case Int32(UInt8(ascii: "q")): return
      default: break
      }
    }
  }

  /// Shows the picker to the right of the letter.
  private mutating func attach() throws {
    var configuration = PickerConfiguration()
    configuration.selectionLimit = 0
    configuration.preselectedAssetIdentifiers = photos.map(\.assetIdentifier)
    let picker = PhotoPicker(configuration, library: library)
    let letter = self
    let region = ScreenRegion { window in
      let left = Int(Self.columns) + 1
      return CellRect(column: left, row: 1, columns: window.columns - left, rows: window.rows - 2)
    } redraw: { window in
      resizeterm(Int32(window.rows), Int32(window.columns))
      clearok(letter.screen, true)
      letter.draw()
    }
    if case .picked(let results) = try picker.present(in: region) { photos = results }
  }

  /// Draws the whole screen; the picker draws over its part.
  private func draw() {
    werase(screen)
    let (rows, width) = (getmaxy(screen), getmaxx(screen))
    put("Dear Ada,", row: 1)
    put("these are from the weekend.", row: 2)
    put("\(photos.count) attached", row: 4)
    for (row, photo) in zip(5..., photos.prefix(Int(max(0, rows - 7)))) {
      put("- " + (photo.itemProvider.suggestedName ?? "photo"), row: Int32(row))
    }
    for row in 0..<rows where Self.columns < width { mvwaddstr(screen, row, Self.columns, "|") }
    put("a attach  d detach  q send", row: rows - 1)
    wrefresh(screen)
  }

  private func put(_ text: String, row: Int32) {
    mvwaddnstr(screen, row, 1, text, Self.columns - 2)
  }
}
