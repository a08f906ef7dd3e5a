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
  private let path = UserDirectories.state.appending("screen.toml")

  /// Longer files are not ours.
  private static let maximumLength = 4096

  func read() -> ScreenChanges {
    ScreenChanges(toml: PrivateFile.read(path, limit: Self.maximumLength) ?? [])
  }

  /// Writes down what this run changed, beside what others did.
  func update(with changes: ScreenChanges) {
    var all = read()
    all.update(with: changes)
    try? PrivateFile.write(Array(all.toml.utf8), to: path)
  }
}
