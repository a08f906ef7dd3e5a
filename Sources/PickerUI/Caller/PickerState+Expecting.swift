import AssetLibrary

extension PickerState {
  /// Whether the caller expects a key, and it means that here: where text is typed or a menu is open, keys that do
  /// something there go on doing it.
  func isExpected(_ key: Key) -> Bool {
    guard authorization.mode == .picking, options.callerKeys.expected.contains(key) else { return false }
    return input.prompt == nil && input.overlay == nil || key.isCombination
  }

  /// Uses the selection as Enter does in the grid, wherever the focus is.
  mutating func confirm(by key: Key) -> [PickerEffect] {
    confirm().map { effect in
      guard case .finish(.picked(let assets, _)) = effect else { return effect }
      return .finish(.picked(assets, by: key))
    }
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
