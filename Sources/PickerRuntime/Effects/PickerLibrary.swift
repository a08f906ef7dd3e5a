package import AssetLibrary
import PickerUI

/// The library that a picker shows: what its client may see, and everything where the user decides that.
package struct PickerLibrary: Sendable {
  /// What the client sees: only this can be picked.
  let client: any AssetManager
  /// What the user sees: pictures and details of what is on the screen, which the client never gets.
  let user: any AssetManager
  private let access: LibraryAccessController?

  /// - Parameter access: the user can choose what the client sees.
  package init(_ access: LibraryAccessController) {
    self.access = access
    client = access.manager
    user = access.wholeLibrary
  }

  /// Nobody can change what the client sees.
  package init(_ manager: any AssetManager) {
    access = nil
    client = manager
    user = manager
  }

  func manager(for mode: AccessMode) -> any AssetManager { mode == .managing ? user : client }

  var limitedSelection: Set<LocalIdentifier> { access?.limitedSelection ?? [] }

  func setLimitedSelection(_ selection: Set<LocalIdentifier>) { access?.setLimitedSelection(selection) }
}
