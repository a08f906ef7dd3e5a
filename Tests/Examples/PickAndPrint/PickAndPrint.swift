import PhotoPicker
import Glibc

/// `PickAndPrint FOLDER`: lets the user pick up to three photos, and prints them.
@main
struct PickAndPrint {
  static func main() {
    guard CommandLine.arguments.count == 2 else { fail("usage: PickAndPrint FOLDER") }
    do {
      for result in try pick(in: CommandLine.arguments[1]) { print(describe(result)) }
    } catch {
      fail("\(error)")
    }
  }

  /// Shows the picker; returns an empty array if the user canceled.
  static func pick(in folder: String) throws -> [PickerResult] {
    var configuration = PickerConfiguration()
    configuration.selectionLimit = 3
    configuration.filter = .matching(.images)
    let picker = PhotoPicker(configuration, library: try PhotoLibrary(folders: [FilePath(folder)]))
    switch try picker.present() {
    case .picked(let results): return results
    case .cancelled: return []
    }
  }

  /// The name of a result and its size as a JPEG, whatever its format in the library.
  static func describe(_ result: PickerResult) -> String {
    let name = result.itemProvider.suggestedName ?? "\(result.assetIdentifier)"
    do {
      let jpeg = try result.itemProvider.loadDataRepresentation(for: "public.jpeg")
      return "\(name): \(jpeg.count) bytes of JPEG"
    } catch {
      return "\(name): \(error.reason)"
    }
  }

  static func fail(_ message: String) -> Never {
    let line = Array("PickAndPrint: \(message)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
  }
}
