import AssetLibrary

extension PickerState {
  /// Whether the caller expects a key, and it means that here: where text is typed or a menu is open, keys that do
  /// something there go on doing it.
  func isExpected(_ key: Key) -> Bool {
    guard authorization.mode == .picking, options.callerKeys.expected.contains(key) else { return false }
    return input.prompt == nil && input.overlay == nil || key.isCombination
  }
}

extension Key {
  /// Whether it stands for no character and no movement: Ctrl, Alt and function keys.
  var isCombination: Bool {
    switch self {
    case .control, .alt, .function: true
    default: false
    }
  }
}
