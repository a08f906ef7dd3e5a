import Foundation
import PhotoPicker

/// Shows one picker after the other in one process: a cover first, then photos, which the program follows and changes.
@main
struct SeveralPickers {
  static func main() async throws {
    let library = try PhotoLibrary(folders: CommandLine.arguments.dropFirst().map { FilePath($0) })
    let cover = PhotoPicker(library: library)
    guard case .picked(let covers) = try await cover.present(), let first = covers.first else { return }
    say("cover: \(first.itemProvider.suggestedName ?? "")")
    say("photos: \(try await photos(besides: first.assetIdentifier, of: library).joined(separator: " "))")
  }

  /// Lets the user pick up to three photos, and takes the cover away again as soon as it is picked.
  static func photos(besides cover: LocalIdentifier, of library: PhotoLibrary) async throws -> [String] {
    var configuration = PickerConfiguration()
    configuration.selectionLimit = 3
    configuration.selection = .continuousAndOrdered
    configuration.preselectedAssetIdentifiers = ["unknown"]
    let picker = PhotoPicker(configuration, library: library)
    // The sequence begins before the picker does.
    let selections = picker.selections
    async let outcome = picker.present()
    for await results in selections where results.contains(where: { $0.assetIdentifier == cover }) {
      picker.deselectAssets(withIdentifiers: [cover])
      say("removed")
    }
    guard case .picked(let results) = try await outcome else { return [] }
    if !picker.unknownPreselectedAssetIdentifiers.isEmpty { say("unknown is unknown") }
    return results.map { $0.itemProvider.suggestedName ?? "" }
  }

  /// Writes a line at once, also into a pipe.
  static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}
