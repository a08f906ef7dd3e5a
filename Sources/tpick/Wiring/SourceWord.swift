import AssetLibrary
import FolderLibrary
import PhotoPicker
import SystemPackage

/// What an argument, or a line of a list, means: the path of something that is there, else the asset that has this
/// identifier.
struct SourceWord {
  /// The path that it is, if it is one.
  let path: FilePath
  /// What it leads to, the file first that stands for the asset; empty if that is nothing.
  private(set) var paths: [FilePath] = []
  /// Why it leads to nothing.
  private(set) var issue: AssetError?
  /// What it may mean otherwise, before it was looked up.
  private var identifier: LocalIdentifier?
  private var isFolder = false

  /// Looks whether there is something at a path.
  ///
  /// What does not answer passes: the library says so, while the others go on.
  /// - Parameter hint: follows the reason why it is not there.
  init(_ path: FilePath, hint: @autoclosure () -> String = "") {
    self.path = path
    do throws(AssetError) {
      isFolder = try path.isFolder() ?? false
      paths = [path]
    } catch {
      issue = AssetError(error.subject, error.reason + hint())
      identifier = AssetLocator.identifier(path.bytes)
    }
  }

  /// Looks up all that may be identifiers: in what was read before, in the folders among the words, or where there are none
  /// in the pictures folder.
  /// - Returns: what else can be looked up in.
  @discardableResult
  static func locate(_ words: inout [SourceWord]) -> AssetLocator {
    let folders = words.filter(\.isFolder).map(\.path)
    let locator = AssetLocator(
      UserDirectories.locations,
      library: folders.isEmpty ? [UserDirectories.pictures] : folders)
    let found = locator.files(of: words.compactMap(\.identifier))
    for index in words.indices {
      guard let identifier = words[index].identifier else { continue }
      if let files = found[identifier] {
        words[index].paths = files
        words[index].issue = nil
      } else if AssetLocator.isPlausible(identifier) {
        words[index].issue?.reason += ", and no photo has this identifier"
      }
    }
    return locator
  }
}
