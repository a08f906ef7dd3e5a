extension PickerState {
  /// Leaves without a choice, but asks first if that loses picks.
  /// - Parameter key: the label of the key that was pressed.
  mutating func leave(by key: String?) -> [PickerEffect] {
    let lost = (authorization.savedSelection ?? picks.selection).count
    // What the caller preselected is not lost.
    guard lost > 0, picks.history.hasChanges || picks.range != nil else { return [.finish(.cancelled)] }
    input.overlay = nil
    let picks = options.locale.count(lost, "pick", "picks")
    let effects = showNotice("\(key ?? "the same key") again discards \(picks) · another key stays")
    status.notice?.asksToLeave = true
    return effects
  }

  /// Whether a key says that the picks may be lost, after the question.
  func confirmsLeaving(_ key: Key, _ command: Command?) -> Bool {
    guard status.notice?.asksToLeave ?? false, command == .close || command == .cancel else { return false }
    // Characters are typed into a prompt.
    if input.prompt != nil, case .character = key { return false }
    return true
  }
}
