import AssetLibrary
import FolderLibrary
import PhotoPicker
import Rclone
import RemoteLibrary
import SystemPackage

/// What an argument, or a line of a list, means: the path of something that is there, else a place on a server, else the asset
/// that has this identifier.
struct SourceWord {
  /// The path that it is, if it is one.
  let path: FilePath
  /// What it leads to, the file first that stands for the asset; empty if that is nothing on this machine.
  private(set) var paths: [FilePath] = []
  /// Where on a server it leads to.
  private(set) var remote: RemoteAddress?
  /// Why it leads to nothing.
  private(set) var issue: AssetError?
  /// What it may mean otherwise, before it was looked up.
  private var identifier: LocalIdentifier?
  private var isFolder = false

  /// Looks whether there is something at a path.
  ///
  /// What does not answer passes: the library says so, while the others go on.
  /// - Parameters:
  ///   - bytes: as the word was written.
  ///   - hint: follows the reason why it is not there.
  init(_ bytes: [UInt8], hint: @autoclosure () -> String = "") {
    path = PathArgument.path(bytes)
    if let remote = RemoteWord.address(bytes) {
      self.remote = remote
      return
    }
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
    let remotes = Set(words.compactMap(\.remote?.remote))
    for index in words.indices {
      guard let identifier = words[index].identifier else { continue }
      if let files = found[identifier] {
        if let place = RemotePlace(files.first) {
          words[index].take(place, remotes)
        } else {
          words[index].paths = files
          words[index].issue = nil
        }
      } else if AssetLocator.isPlausible(identifier) {
        words[index].issue?.reason += ", and no photo has this identifier"
      }
    }
    return locator
  }

  /// Takes the place on a server that its identifier leads to.
  /// - Parameter remotes: those that other words name.
  private mutating func take(_ place: RemotePlace, _ remotes: Set<String>) {
    remote = place.address(among: remotes)
    if remote == nil {
      issue?.reason +=
        ", and the photo with this identifier is on a server whose options are not kept: name the server as well"
    } else {
      issue = nil
    }
  }
}
