package import PickerUI

/// A key with what it is to do.
package struct BoundAction: Hashable, Sendable {
  package var key: Key
  package var action: KeyAction

  package init(_ key: Key, _ action: KeyAction) {
    self.key = key
    self.action = action
  }
}
