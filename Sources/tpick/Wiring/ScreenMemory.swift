import Configuration
import Imaging
import PhotoPicker
import PickerUI
import SystemPackage
import System

/// The user's changes of the screen with keys and the latest searches of earlier runs, in $XDG_STATE_HOME/tpick/screen.toml.
///
/// A file that can't be read or written is ignored.
struct ScreenMemory {
  let path = UserDirectories.state.appending("screen.toml")
  private let remembersOrder: Bool

  /// Longer files were not written by tpick.
  private static let maximumLength = 4096

  /// - Parameter remembersOrder: whether the sort order is read and stored as well; false if a program calls tpick.
  init(remembersOrder: Bool) { self.remembersOrder = remembersOrder }

  func read() -> ScreenChanges {
    var changes = stored
    if !remembersOrder { changes.sort = nil }
    return changes
  }

  private var stored: ScreenChanges {
    ScreenChanges(toml: PrivateFile.read(path, limit: Self.maximumLength) ?? [])
  }

  /// Stores what this run changed, and keeps the changes of others.
  func update(with changes: ScreenChanges) {
    var (all, changes) = (stored, changes)
    if !remembersOrder { changes.sort = nil }
    if changes.isEmpty { return }
    all.update(with: changes)
    try? PrivateFile.write(Array(all.toml.utf8), to: path)
  }
}
