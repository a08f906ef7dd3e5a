import AssetLibrary

extension PickerState {
  /// Notes what the user has changed in the selection as one step.
  mutating func notePicks() {
    guard authorization.mode == .picking, picks.range == nil, picks.bulk == nil else { return }
    picks.history.note(picks.selection)
  }

  /// Takes back the last change of the selection.
  mutating func undo() -> [PickerEffect] {
    restore("undone", else: "there is nothing to undo") { $0.undo() }
  }

  /// Makes the change again that was taken back last.
  mutating func redo() -> [PickerEffect] {
    restore("redone", else: "there is nothing to redo") { $0.redo() }
  }

  private mutating func restore(
    _ done: String, else nothing: String, _ step: (inout PickHistory) -> Selection?
  ) -> [PickerEffect] {
    guard authorization.mode == .picking else {
      return showNotice(
        "only picks are undone: \(keyLabel(.close) ?? "Esc") leaves the choice as it was", .dim)
    }
    // A range is a step of its own.
    endRange()
    notePicks()
    guard let selection = step(&picks.history) else { return showNotice(nothing, .dim) }
    picks.selection = selection
    // The library tells which of the restored picks have vanished meanwhile.
    return refetch() + showNotice("\(done): \(options.locale.number(selection.count)) selected", .dim)
  }
}
