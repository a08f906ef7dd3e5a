import Configuration
import Imaging
import PhotoPicker
import PickerUI
import SystemPackage
import System

/// What the user changed of the screen with keys in earlier runs, in $XDG_STATE_HOME/tpick/screen.toml.
///
/// A file that can't be read or written is as none: nothing depends on it.
struct ScreenMemory {
  let path = UserDirectories.state.appending("screen.toml")
  private let remembersOrder: Bool

  /// Longer files are not ours.
  private static let maximumLength = 4096

  /// - Parameter remembersOrder: whether the order of the photos is read and stored too; false for callers.
  init(remembersOrder: Bool) { self.remembersOrder = remembersOrder }

  func read() -> ScreenChanges {
    var changes = stored
    if !remembersOrder { changes.sort = nil }
    return changes
  }

  private var stored: ScreenChanges {
    ScreenChanges(toml: PrivateFile.read(path, limit: Self.maximumLength) ?? [])
  }

  /// Writes down what this run changed, beside what others did.
  func update(with changes: ScreenChanges) {
    var (all, changes) = (stored, changes)
    if !remembersOrder { changes.sort = nil }
    if changes.isEmpty { return }
    all.update(with: changes)
    try? PrivateFile.write(Array(all.toml.utf8), to: path)
  }
}
